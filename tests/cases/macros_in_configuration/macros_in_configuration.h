#include <math.h>

typedef int MKL_INT;

#define vsMyExp(n, a, r)            \
    for (int k = 0; k < (n); k++) { \
        (r)[k] = expf((a)[k]);      \
    }

static inline double ddot(const MKL_INT *n, const double *x, const double *y)
{
    double sum = 0;
    for (int k = 0; k < *n; k++) sum += x[k] * y[k];
    return sum;
}

static inline double tot(MKL_INT n, const double *x)
{
    double sum = 0;
    for (int k = 0; k < n; k++) sum += x[k];
    return sum;
}

static inline MKL_INT negate(MKL_INT n, const double *z, double *w)
{
    for (int k = 0; k < n; k++) w[k] = -z[k];
    return n;
}
