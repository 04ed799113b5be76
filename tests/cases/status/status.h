typedef int code_t;

int check_value(int x);
code_t root(double x, double *y);
int bump_all(long n, double *x);
unsigned long long wide(unsigned long long x);
