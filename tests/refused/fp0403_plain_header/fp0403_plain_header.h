/* A header without annotations says nothing of how arguments cross. */
double mean(const double *x, int n);
