/* The numerical loops of hand.c, for one thread: no Python in them. Strides are in items. */
#ifndef LOOPS_H
#define LOOPS_H

#include <stddef.h>

/* 2*x*y + exp(-z**2): items side by side, at any stride, with a row y, with one y for a row. */
void blend(ptrdiff_t n, const double *x, const double *y, const double *z, double *out);
void blend_float(ptrdiff_t n, const float *x, const float *y, const float *z, float *out);
void blend_strided(ptrdiff_t n, const double *x, ptrdiff_t sx, const double *y, ptrdiff_t sy,
                   const double *z, ptrdiff_t sz, double *out);
void blend_same(ptrdiff_t n, const double *x, double y, const double *z, double *out);

/* Twenty cheap operations. */
void chain(ptrdiff_t n, const double *x, const double *y, double *out);

/* Powers. */
void root(ptrdiff_t n, const double *x, double *out);
void cube(ptrdiff_t n, const double *x, double *out);
void inverse(ptrdiff_t n, const double *x, double *out);

double sum_squares(ptrdiff_t n, const double *x, const double *y);
double sum(ptrdiff_t n, const double *x);
double largest(ptrdiff_t n, const double *x); /* NaN if there is one */
ptrdiff_t first_largest(ptrdiff_t n, const double *x); /* its index; that of the first NaN */
/* Over the first and the last axis of an array of a by b by c. */
void sum_outer(ptrdiff_t a, ptrdiff_t b, ptrdiff_t c, const double *x, double *out);
void layer_norm(ptrdiff_t n, const double *x, const double *gain, const double *bias, double *out);
/* out[i] is the sum of taps[j] * x[i + j]. */
void filtered(ptrdiff_t n, ptrdiff_t taps_count, const double *x, const double *taps, double *out);
void gather(ptrdiff_t n, const double *x, const long long *places, double *out);
/* out is x, then each y[i] is added at its place. */
void scatter(ptrdiff_t length, ptrdiff_t n, const double *x, const long long *places,
             const double *y, double *out);
void running(ptrdiff_t n, const double *x, double *out);
/* Four rows of n columns, side by side: each sum waits for the one before it. */
void running_rows(ptrdiff_t n, const double *x, double *out);
/* Down the rows, which are `stride` apart, of n columns. */
void running_down(ptrdiff_t rows, ptrdiff_t n, ptrdiff_t stride, const double *x, double *out);
/* The loss of a linear fit; adds to `gradient` the errors times x. */
double loss(ptrdiff_t m, ptrdiff_t n, const double *x, const double *y, const double *weights,
            double *gradient);
/* Over the rows, which are `stride` apart, of n columns. */
void mean_down(ptrdiff_t rows, ptrdiff_t n, ptrdiff_t stride, const double *x, double *out);
void largest_down(ptrdiff_t rows, ptrdiff_t n, ptrdiff_t stride, const double *x, double *out);

void softmax(ptrdiff_t n, const double *x, double *out);

/* x@w, for matrices that fit into a cache. */
void product(ptrdiff_t m, ptrdiff_t k, ptrdiff_t n, const double *x, const double *w, double *out);

/* out[i] is the sum of x[i], x[stride + i] and so on: the least work of a copy. `past`: the stores go
   past the caches. */
void stream(ptrdiff_t n, int inputs, ptrdiff_t stride, const double *x, double *out, int past);

/* max(x@w + b, 0): by loops, and the remaining work after BLAS. */
void relu_small(ptrdiff_t m, ptrdiff_t k, ptrdiff_t n, const double *x, const double *w,
                const double *b, double *out);
void relu_after(ptrdiff_t m, ptrdiff_t n, const double *b, double *out);

#endif
