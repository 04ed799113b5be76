#include "edges.h"

#define SUM                                                                                     \
    double sum = 0;                                                                             \
    for (long i = 0; i < n; i++) {                                                              \
        sum += (double)x[i];                                                                    \
    }                                                                                           \
    return sum

double real_sum(long n, const double *x) { SUM; }
double single_sum(long n, const float *x) { SUM; }
double big_sum(long n, const uint64_t *x) { SUM; }
long whole(long x) { return x; }
double _Complex twist(double _Complex x) { return x; }

void filled(long n, const double *x, double *y, double *z)
{
    for (long i = 0; i < n; i++) {
        y[i] += x[i];
        z[i] = x[i];
    }
}

/* Accesses nothing: `n` is the number of elements that it would access. */
size_t more(size_t n, signed char *y)
{
    (void)y;
    return n;
}

void cube(long n, double *y)
{
    (void)n;
    (void)y;
}

long narrow(long n, unsigned char h)
{
    (void)n;
    return h;
}

void fill(long n, signed char *y)
{
    (void)n;
    (void)y;
}

double plus(long n, double h)
{
    (void)n;
    return h;
}

long two(long x, long *y)
{
    *y = 2 * x;
    return x;
}
