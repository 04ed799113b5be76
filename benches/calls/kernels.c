#include "kernels.h"

double add(double a, double b)
{
    return a + b;
}

/* Four partial sums: one alone would wait for each addition to finish. */
double total(size_t n, const double *x)
{
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        s0 += x[i];
        s1 += x[i + 1];
        s2 += x[i + 2];
        s3 += x[i + 3];
    }
    for (; i < n; i++)
        s0 += x[i];
    return (s0 + s1) + (s2 + s3);
}

void scale(size_t n, double *x, double k)
{
    for (size_t i = 0; i < n; i++)
        x[i] *= k;
}

void double_it(size_t n, const double *restrict x, double *restrict y)
{
    for (size_t i = 0; i < n; i++)
        y[i] = 2.0 * x[i];
}

double trace2(size_t n, const double *a)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += a[i * n + i];
    return sum;
}

static double dot(size_t n, const double *x, const double *y)
{
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        s0 += x[i] * y[i];
        s1 += x[i + 1] * y[i + 1];
        s2 += x[i + 2] * y[i + 2];
        s3 += x[i + 3] * y[i + 3];
    }
    for (; i < n; i++)
        s0 += x[i] * y[i];
    return (s0 + s1) + (s2 + s3);
}

void matvec(size_t m, size_t n, const double *a, const double *x, double *y)
{
    for (size_t i = 0; i < m; i++)
        y[i] = dot(n, a + i * n, x);
}
