double mean(long n, const double *x);
double median(long n, const double *x);
