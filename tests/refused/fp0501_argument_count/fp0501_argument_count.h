double mean(long n, const double *x);
