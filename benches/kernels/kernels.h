/* The functions that every tool of this benchmark maps over many items. */
#ifndef KERNELS_H
#define KERNELS_H

#include <math.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Cheap, and inline: the time is that of memory, and shows whether the loop is vectorised. */
static inline double poly(double x)
{
    return x * x + 1.0;
}

static inline double blend(double x, double y)
{
    return x * y + 1.0;
}

/* About 20 µs. */
double costly(double x);

/* The inner product of x[0..n] and y[0..n]. */
double dot(size_t n, const double *x, const double *y);

/* The same for elements that are incx and incy apart. */
double dot_strided(size_t n, const double *x, ptrdiff_t incx, const double *y, ptrdiff_t incy);

/* y = a x, with a row-major and m by n. */
void matvec(size_t m, size_t n, const double *a, const double *x, double *y);

/* The first element: the time is that of the copy for C. */
double first(size_t n, const double *x);
double first2(size_t m, size_t n, const double *x);
double first3(size_t l, size_t m, size_t n, const double *x);

#ifdef __cplusplus
}
#endif

#endif
