#include <stddef.h>

#define FILL_SIZE 3

/* y[i] = i for i < total */
void fill(long n, double *y, long total);
void fill_unsigned(size_t n, double *y);
void fill_like(long n, double *y, long total, const float *x);
void halves(const double *a, const double *b, double *c, long total);
double first(const double *x);
double weigh(long n, const double *x);
