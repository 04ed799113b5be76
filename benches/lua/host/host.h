/* The C functions that the benchmark of Lua modules calls. */
#include <stddef.h>
#include <stdint.h>

static inline double add(double a, double b) { return a + b; }

static inline double total(size_t n, const double *x)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++) sum += x[k];
    return sum;
}

static inline void ramp(long n, double *y)
{
    for (long k = 0; k < n; k++) y[k] = (double)k;
}

static inline double six(double a, double b, double c, double d, double e, double f)
{
    return a + b + c + d + e + f;
}

static inline double one(double a) { return a; }
static inline double two(double a, double b) { return a + b; }
static inline double three(double a, double b, double c) { return a + b + c; }
static inline double vector(long n, const double *x) { return x[n - 1]; }
static inline double scaled(long n, const double *x, double by) { return by * x[n - 1]; }
static inline double floats(long n, const float *x) { return x[n - 1]; }
static inline double integers(long n, const int64_t *x) { return (double)x[n - 1]; }
static inline double matrix(long m, long n, const double *x) { return x[m * n - 1]; }
