#include <stddef.h>

double scalar_or(double fallback, const double *x);
double sum_or(size_t n, const double *x, double fallback);
/* The sum of x[i] w[i]; NULL counts as ones. */
double weighted(size_t n, const double *x, const double *w);
long add3(long a, long b, long c, const double *x);
/* 0 for NULL, else 1 */
int negate(size_t n, double *x);
int negate_one(double *x);
