#include "dimensions.h"

void matmul(long m, long k, long n, const double *a, const double *b, double *c)
{
    for (long i = 0; i < m; i++) {
        for (long j = 0; j < n; j++) {
            c[i * n + j] = 0;
            for (long l = 0; l < k; l++) {
                c[i * n + j] += a[i * k + l] * b[l * n + j];
            }
        }
    }
}

double trace(long n, const double *a)
{
    double sum = 0;
    for (long i = 0; i < n; i++) {
        sum += a[i * n + i];
    }
    return sum;
}

double trace_after(const double *a, long n)
{
    return trace(n, a);
}

void count(long n, double *y)
{
    for (long i = 0; i < n; i++) {
        y[i] = (double)i;
    }
}

void matvec_(const int *m, const int *n, const double *a, const double *x, double *y)
{
    for (int i = 0; i < *m; i++) {
        y[i] = 0;
        for (int j = 0; j < *n; j++) {
            y[i] += a[i + j * *m] * x[j];
        }
    }
}

int narrow(signed char n, const signed char *x)
{
    (void)x;
    return n;
}

int narrow_unsigned(unsigned char n, const signed char *x)
{
    (void)x;
    return n;
}

int narrow_int(int n, const signed char *x)
{
    (void)x;
    return n;
}

void add_product(long n, const double *x, const double *y, double *z)
{
    for (long i = 0; i < n; i++) {
        z[i] += x[i] * y[i];
    }
}
