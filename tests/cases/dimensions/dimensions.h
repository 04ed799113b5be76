void matmul(long m, long k, long n, const double *a, const double *b, double *c);
double trace(long n, const double *a);
double trace_after(const double *a, long n);
void count(long n, double *y);
void matvec_(const int *m, const int *n, const double *a, const double *x, double *y);
int narrow(signed char n, const signed char *x);
int narrow_unsigned(unsigned char n, const signed char *x);
int narrow_int(int n, const signed char *x);
void add_product(long n, const double *x, const double *y, double *z);
