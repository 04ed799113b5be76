#include "shapes.h"

void fill(long n, double *y, long total)
{
    (void)n;
    for (long i = 0; i < total; i++) {
        y[i] = (double)i;
    }
}

void fill_unsigned(size_t n, double *y)
{
    fill((long)n, y, (long)n);
}

void fill_like(long n, double *y, long total, const float *x)
{
    (void)x;
    fill(n, y, total);
}

void halves(const double *a, const double *b, double *c, long total)
{
    (void)a;
    (void)b;
    fill(0, c, total);
}

double first(const double *x)
{
    return x[0];
}

double weigh(long n, const double *x)
{
    double sum = 0;
    for (long i = 0; i < n * (n + 1) / 2; i++) {
        sum += (double)(i + 1) * x[i];
    }
    return sum;
}
