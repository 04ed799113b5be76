#include "defaults.h"

double four(int i, unsigned u, double d, _Bool b)
{
    return i + 10.0 * u + 100 * d + (b ? 10000 : 0);
}

int four_default(unsigned u, int times)
{
    return (int)u * times;
}

double sum_part(long n, long start, const double *x, double scale)
{
    double sum = 0;
    for (long i = 0; i < n; i++) {
        sum += scale * x[start + i];
    }
    return sum;
}

double behind(const double *x, int *n)
{
    *n += 1;
    return *x;
}

double weigh(long n, const double *x, const double *w)
{
    double sum = 0;
    for (long i = 0; i < n; i++) {
        sum += w[i] * x[i];
    }
    return sum;
}

double sum_all(long m, long n, const double *a)
{
    return sum_part(m * n, 0, a, 1);
}

void bump(long n, double *y)
{
    for (long i = 0; i < n; i++) {
        y[i] += (double)i;
    }
}

int narrow(long n, signed char c)
{
    return (int)n + c;
}
