#include "empty_arrays.h"

#include <stdlib.h>

/* C receives a pointer, whether there are elements or not. */
static void check(const double *x)
{
    if (x == NULL) {
        abort();
    }
}

double sum(long n, const double *x)
{
    double total = 0;
    check(x);
    for (long i = 0; i < n; i++) {
        total += x[i];
    }
    return total;
}

void twice(long n, double *x)
{
    check(x);
    for (long i = 0; i < n; i++) {
        x[i] *= 2;
    }
}

void shift(long m, long n, double *a, double *scratch)
{
    check(a);
    check(scratch);
    for (long i = 0; i < m * n; i++) {
        scratch[i] = a[i];
    }
    for (long i = 0; i < m * n; i++) {
        a[i] = scratch[i] + 1;
    }
}

void make(long m, long n, double *a)
{
    check(a);
    for (long i = 0; i < m * n; i++) {
        a[i] = 1;
    }
}

double half(double x)
{
    return x / 2;
}
