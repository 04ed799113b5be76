#include "docs.h"

double evaluate(size_t n, const double *coefficients, double x)
{
    double value = 0;
    while (n > 0) {
        value = value * x + coefficients[--n];
    }
    return value;
}

void derive(size_t n, const double *coefficients, double *derived)
{
    for (size_t i = 1; i < n; i++) {
        derived[i - 1] = (double)i * coefficients[i];
    }
}

int everything(long m, long n, const double *a, float *b, int *c, long *d, const double *e,
               double _Complex z, int k, double *f)
{
    (void)a, (void)b, (void)c, (void)d, (void)e, (void)z;
    for (long i = 0; i < m + n; i++) {
        f[i] = k;
    }
    return k;
}

void silent(void)
{
}
