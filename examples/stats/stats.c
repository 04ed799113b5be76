#include "stats.h"

#include <math.h>

double stats_mean(size_t n, const double x[])
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += x[i];
    }
    return sum / (double)n;
}

/* Sum of squared deviations from the mean. Two passes: one pass loses digits where the mean is
 * large compared with the spread. */
static double squared_deviations(size_t n, const double x[])
{
    double mean = stats_mean(n, x), sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += (x[i] - mean) * (x[i] - mean);
    }
    return sum;
}

double stats_variance(size_t n, const double x[], size_t ddof)
{
    return n > ddof ? squared_deviations(n, x) / (double)(n - ddof) : NAN;
}

double stats_rms(size_t n, const double x[])
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += x[i] * x[i];
    }
    return sqrt(sum / (double)n);
}

float stats_rmsf(size_t n, const float x[])
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += (double)x[i] * (double)x[i];
    }
    return (float)sqrt(sum / (double)n);
}

int stats_minmax(size_t n, const double x[], double *smallest, double *largest)
{
    if (n == 0) {
        return 1;
    }
    double low = x[0], high = x[0];
    for (size_t i = 1; i < n; i++) {
        low = x[i] < low ? x[i] : low;
        high = x[i] > high ? x[i] : high;
    }
    *smallest = low;
    *largest = high;
    return 0;
}

void stats_standardize(size_t n, double x[])
{
    double mean = stats_mean(n, x);
    double deviation = sqrt(stats_variance(n, x, 0));
    for (size_t i = 0; i < n; i++) {
        x[i] = deviation > 0 ? (x[i] - mean) / deviation : 0;
    }
}

void stats_cumulative_sum(size_t n, const double x[], double sums[])
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += x[i];
        sums[i] = sum;
    }
}

/* Index of the last edge that is not above `value`; the caller knows that there is one. */
static size_t last_edge_below(size_t k, const double edges[], double value)
{
    size_t low = 0, high = k;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (edges[middle] <= value) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

void stats_histogram(size_t n, const double x[], size_t k, const double edges[], int64_t counts[])
{
    if (k < 2) {
        return;
    }
    for (size_t bin = 0; bin < k - 1; bin++) {
        counts[bin] = 0;
    }
    for (size_t i = 0; i < n; i++) {
        /* Written so that NaN is outside. */
        if (x[i] >= edges[0] && x[i] <= edges[k - 1]) {
            size_t bin = last_edge_below(k, edges, x[i]);
            counts[bin < k - 1 ? bin : k - 2]++;
        }
    }
}

void stats_covariance(size_t n, size_t m, const double x[n][m], double covariance[m][m])
{
    for (size_t j = 0; j < m; j++) {
        for (size_t k = 0; k <= j; k++) {
            double mean_j = 0, mean_k = 0, sum = 0;
            for (size_t i = 0; i < n; i++) {
                mean_j += x[i][j] / (double)n;
                mean_k += x[i][k] / (double)n;
            }
            for (size_t i = 0; i < n; i++) {
                sum += (x[i][j] - mean_j) * (x[i][k] - mean_k);
            }
            covariance[j][k] = covariance[k][j] = n > 1 ? sum / (double)(n - 1) : NAN;
        }
    }
}

int stats_linear_fit(size_t n, const double x[], const double y[], double *slope,
                     double *intercept, double *r)
{
    if (n < 2) {
        return 1;
    }
    double mean_x = stats_mean(n, x), mean_y = stats_mean(n, y);
    double xx = squared_deviations(n, x), yy = squared_deviations(n, y), xy = 0;
    if (xx == 0) {
        return 2;
    }
    for (size_t i = 0; i < n; i++) {
        xy += (x[i] - mean_x) * (y[i] - mean_y);
    }
    *slope = xy / xx;
    *intercept = mean_y - *slope * mean_x;
    *r = xy / sqrt(xx * yy);
    return 0;
}
