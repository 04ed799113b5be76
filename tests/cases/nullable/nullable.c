#include "nullable.h"

double scalar_or(double fallback, const double *x)
{
    return x == NULL ? fallback : *x;
}

double sum_or(size_t n, const double *x, double fallback)
{
    return x == NULL ? fallback : weighted(n, x, NULL);
}

double weighted(size_t n, const double *x, const double *w)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += (x == NULL ? 1 : x[i]) * (w == NULL ? 1 : w[i]);
    }
    return sum;
}

long add3(long a, long b, long c, const double *x)
{
    return x == NULL ? -1 : 100 * a + 10 * b + c;
}

int negate(size_t n, double *x)
{
    for (size_t i = 0; x != NULL && i < n; i++) {
        x[i] = -x[i];
    }
    return x != NULL;
}

int negate_one(double *x)
{
    return negate(1, x);
}
