#include <stddef.h>

double evaluate(size_t n, const double *coefficients, double x);
void derive(size_t n, const double *coefficients, double *derived);
int everything(long m, long n, const double *a, float *b, int *c, long *d, const double *e,
               double _Complex z, int k, double *f);
void silent(void);
