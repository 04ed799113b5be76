/* A header with its functions in it, C99's own shapes, and only one function that needs an
 * annotation; fishplate.h is not included. */
#pragma once
#include <complex.h>
#include <stdint.h>

#include <fishplate.h>

static inline double trace(int m, const double a[m][m])
{
    double sum = 0;
    for (int i = 0; i < m; i++) sum += a[i][i];
    return sum;
}

static inline int64_t total(const int32_t x[2][3])
{
    int64_t sum = 0;
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 3; j++) sum += x[i][j];
    }
    return sum;
}

static inline void transpose(long m, long n, const double a[m][n], FP_OUT double b[n][m])
{
    for (long i = 0; i < m; i++) {
        for (long j = 0; j < n; j++) b[j][i] = a[i][j];
    }
}

static inline double complex turn(double complex z) { return z * I; }
