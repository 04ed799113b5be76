#define FOUR_BASE 1000
enum { FOUR_MASK = 0x20 };

double four(int i, unsigned u, double d, _Bool b);
int four_default(unsigned u, int times);
double sum_part(long n, long start, const double *x, double scale);
double behind(const double *x, int *n);
double weigh(long n, const double *x, const double *w);
double sum_all(long m, long n, const double *a);
void bump(long n, double *y);
int narrow(long n, signed char c);
