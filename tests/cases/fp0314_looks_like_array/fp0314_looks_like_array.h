double power(const double *x, int n);
