#include <stddef.h>

/* The arithmetic mean; NaN if n is 0. */
double @PACKAGE@_mean(size_t n, const double *x);

/* Moving averages over `width` neighbours, fewer at the ends. Returns 1 if `width` is even, otherwise 0. */
int @PACKAGE@_smooth(size_t n, const double *x, size_t width, double *y);
