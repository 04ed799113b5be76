void scale(long n, double k, const double *x, double *y);
void outer(long m, long n, const double *x, const double *y, double *c, double *f);
