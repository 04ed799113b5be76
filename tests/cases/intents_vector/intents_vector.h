#include <stddef.h>

/* The sum of (i + 1) x[i]: tells any change of order. */
double weigh(size_t n, const double *x);
double weigh_twice(size_t n, const double *x, double *scratch);
/* x[i] = i */
void count(size_t n, double *x);
/* x[i] += 10 i */
void number(size_t n, double *x);
