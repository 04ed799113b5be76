/* The functions that every tool of this benchmark wraps: small enough that the
   time of a call is the time of its wrapper. */
#ifndef CALLS_KERNELS_H
#define CALLS_KERNELS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* a + b. */
double add(double a, double b);

/* The sum of x[0..n]. */
double total(size_t n, const double *x);

/* x[i] *= k. */
void scale(size_t n, double *x, double k);

/* y[i] = 2 x[i]. */
void double_it(size_t n, const double *x, double *y);

/* The trace of the row-major n by n matrix a. */
double trace2(size_t n, const double *a);

/* y = a x, with a row-major and m by n. */
void matvec(size_t m, size_t n, const double *a, const double *x, double *y);

#ifdef __cplusplus
}
#endif

#endif
