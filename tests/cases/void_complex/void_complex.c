#include "void_complex.h"

void zdot(int n, const void *x, const void *y, void *dot)
{
    const double _Complex *a = x, *b = y;
    double _Complex sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    *(double _Complex *)dot = sum;
}

void cscale(int n, const void *alpha, void *x)
{
    for (int i = 0; i < n; i++) {
        ((float _Complex *)x)[i] *= *(const float _Complex *)alpha;
    }
}

void zadd(int m, int n, const void *a, void *b)
{
    for (int i = 0; i < m * n; i++) {
        ((double _Complex *)b)[i] += ((const double _Complex *)a)[i];
    }
}
