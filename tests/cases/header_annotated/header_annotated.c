#include <stdlib.h>
#include "header_annotated.h"

real ha_sum(size_t n, const real *x)
{
    real sum = 0;
    for (size_t i = 0; i < n; i++) sum += x[i];
    return sum;
}

real ha_mean(size_t n, const real *x) { return ha_sum(n, x) / (real)n; }

void ha_shift(size_t n, real *restrict x, real by)
{
    for (size_t i = 0; i < n; i++) x[i] += by;
}

int ha_ramp(long n, real *x, ha_direction direction)
{
    for (long i = 0; i <= n; i++) x[i] = (real)(direction == HA_UP ? i : n - i);
    return n == 13;
}

void ha_scaled(size_t n, const double *x, double *y)
{
    for (size_t i = 0; i < n; i++) y[i] = SCALE * x[i];
}

void ha_scaledf(size_t n, const float *x, float *y)
{
    for (size_t i = 0; i < n; i++) y[i] = SCALE * x[i];
}

void ha_range(const real *x, int n, real *low, real *high)
{
    *low = *high = x[0];
    for (int i = 1; i < n; i++) {
        if (x[i] < *low) *low = x[i];
        if (x[i] > *high) *high = x[i];
    }
}

real ha_trace(const real *a, long m)
{
    real trace = 0;
    for (long i = 0; i < m; i++) trace += a[i + m * i];
    return trace + 100 * a[1]; /* in Fortran's order this is a[1][0] */
}

real ha_weighted(size_t n, const real *x, const real *w, real *work)
{
    for (size_t i = 0; i < n; i++) work[2 * i] = w ? w[i] * x[i] : x[i];
    return ha_sum(2 * n, work);
}

void ha_count(int *hits, int *total)
{
    for (int i = 0; i < 3; i++) *total += hits[i]++;
}

int lambda(int x) { return -x; }

const char *ha_version(void) { return "1"; }

double *ha_stairs(int n) {
    double *x = (double *)malloc(sizeof(double) * (size_t)(n + 1));
    for (int i = 0; i < n; i++) {
        x[i] = i;
    }
    return x;
}

char *ha_name(const char *first) {
    char *name = first[0] == 0 ? NULL : (char *)malloc(2);
    if (name != NULL) {
        name[0] = first[0];
        name[1] = 0;
    }
    return name;
}

int ha_fill(double **x, int n) {
    *x = ha_stairs(n);
    return 0;
}

long ha_total(const void *data, long n) {
    long sum = 0;
    for (long i = 0; i < n; i++) {
        sum += ((const unsigned char *)data)[i];
    }
    return sum;
}

int ha_letters(char *text, int n) {
    for (int i = 0; i < n; i++) {
        text[i] = (char)('a' + i);
    }
    return n / 2;
}

double *ha_tail(double *x, int n) {
    (void)n;
    return x + 1;
}

const char *ha_edition(void) { return "1.2"; }

double ha_walk(double (*step)(int, const double *, double *, void *), void *data)
{
    double x[2] = {1, 2}, y[2];
    double done = step(2, x, y, data);
    return done + 10 * y[0] + 100 * y[1];
}
