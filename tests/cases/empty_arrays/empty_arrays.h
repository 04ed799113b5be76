double sum(long n, const double *x);
void twice(long n, double *x);
void shift(long m, long n, double *a, double *scratch);
void make(long m, long n, double *a);
double half(double x);
