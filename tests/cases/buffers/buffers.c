#include "buffers.h"

void scale(long n, double k, const double *x, double *y)
{
    for (long i = 0; i < n; i++) {
        y[i] = k * x[i];
    }
}

void outer(long m, long n, const double *x, const double *y, double *c, double *f)
{
    for (long i = 0; i < m; i++) {
        for (long j = 0; j < n; j++) {
            c[i * n + j] = f[i + j * m] = x[i] * y[j];
        }
    }
}
