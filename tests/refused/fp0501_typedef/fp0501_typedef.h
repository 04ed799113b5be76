typedef long index_t;
double first(index_t n, const double *x);
