#include <stddef.h>

/* The arithmetic mean; NaN if n is 0. */
double package_name_mean(size_t n, const double *x);

/* Moving averages over `width` neighbours, fewer at the ends. Returns 1 if `width` is even,
 * otherwise 0. */
int package_name_smooth(size_t n, const double *x, size_t width, double *y);
