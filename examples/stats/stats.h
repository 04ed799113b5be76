/* Sample statistics over arrays of double. By default, the result for an empty sample is NaN. */
#ifndef STATS_H
#define STATS_H

#include <stddef.h>
#include <stdint.h>

/* Arithmetic mean of x. */
double stats_mean(size_t n, const double x[]);

/* Sum of squared deviations over n - ddof; NaN unless n > ddof. */
double stats_variance(size_t n, const double x[], size_t ddof);

/* Root mean square, in either precision. */
double stats_rms(size_t n, const double x[]);
float stats_rmsf(size_t n, const float x[]);

/* The smallest and the largest of x. Returns 1, and sets neither, if n is 0. */
int stats_minmax(size_t n, const double x[], double *smallest, double *largest);

/* Shifts and scales x to mean 0 and standard deviation 1 (over n). Constant x becomes 0. */
void stats_standardize(size_t n, double x[]);

/* sums[i] = x[0] + ... + x[i] */
void stats_cumulative_sum(size_t n, const double x[], double sums[]);

/* Counts the x that lie in each bin [edges[i], edges[i + 1]); the last bin has its upper edge too.
 * There are k edges, in ascending order, and k - 1 counts. */
void stats_histogram(size_t n, const double x[], size_t k, const double edges[], int64_t counts[]);

/* Covariance of the m columns of x, over n - 1. */
void stats_covariance(size_t n, size_t m, const double x[n][m], double covariance[m][m]);

/* Least squares y = slope * x + intercept, and Pearson's correlation r of x and y.
 * Returns 1 with fewer than two points, 2 if all x are equal; then nothing is set. */
int stats_linear_fit(size_t n, const double x[], const double y[], double *slope,
                     double *intercept, double *r);

#endif
