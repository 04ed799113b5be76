/* A header without annotations does not specify how arguments are passed. */
double mean(const double *x, int n);
