#include "containers.h"

#include <complex.h>

double total(long n, const double *x)
{
    double sum = 0;
    for (long i = 0; i < n; i++) {
        sum += x[i];
    }
    return sum;
}

/* Every element times its place, so that a wrong layout shows. */
double weigh(long m, long n, const double *a)
{
    double sum = 0;
    for (long i = 0; i < m * n; i++) {
        sum += (double)i * a[i];
    }
    return sum;
}

long octets(long n, const uint8_t *x)
{
    long sum = 0;
    for (long i = 0; i < n; i++) {
        sum += x[i];
    }
    return sum;
}

long truths(long n, const _Bool *x)
{
    long count = 0;
    for (long i = 0; i < n; i++) {
        count += x[i];
    }
    return count;
}

void conjugate(long n, double _Complex *z)
{
    for (long i = 0; i < n; i++) {
        z[i] = conj(z[i]);
    }
}

void scale(long n, double *x, double by)
{
    for (long i = 0; i < n; i++) {
        x[i] *= by;
    }
}

/* Row i of a Fortran matrix, i + 1 times. */
void scale_rows(long m, long n, double *a)
{
    for (long j = 0; j < n; j++) {
        for (long i = 0; i < m; i++) {
            a[i + j * m] *= (double)(i + 1);
        }
    }
}

void ramp(long n, double *x)
{
    for (long i = 0; i < n; i++) {
        x[i] = (double)i;
    }
}

double two(long n, const double *x, double *y)
{
    for (long i = 0; i < n; i++) {
        y[i] += x[i];
    }
    return total(n, y);
}

int real(double x) { return x == x ? 1 : -1; }
int octet_vector(long n, const uint8_t *x) { (void)x; return n >= 0 ? 2 : -1; }
int int_vector(long n, const int *x) { (void)x; return n >= 0 ? 3 : -1; }
int real_vector(long n, const double *x) { (void)x; return n >= 0 ? 4 : -1; }
int real_matrix(long m, long n, const double *a) { (void)a; return m * n >= 0 ? 5 : -1; }

void clear_float(long n, float *x)
{
    for (long i = 0; i < n; i++) {
        x[i] = 0;
    }
}

void clear(long n, double *x)
{
    scale(n, x, 0);
}
