#include <stddef.h>

static inline double square(double x) { return x * x; }

static inline double sum(long n, const double *x)
{
    double sum = 0;
    for (long i = 0; i < n; i++) sum += x[i];
    return sum;
}

static inline double dot(long n, const double *x, long incx, const double *y, long incy)
{
    double sum = 0;
    for (long i = 0; i < n; i++) sum += x[i * incx] * y[i * incy];
    return sum;
}

/* The differences of neighbours: one fewer than there are elements. */
static inline void steps(long n, const float *x, float *d)
{
    for (long i = 0; i + 1 < n; i++) d[i] = x[i + 1] - x[i];
}

/* `x` and its neighbours; `work` must start as zeros. */
static inline int pad(long n, double s, const double *x, double *y, double *work)
{
    y[0] = y[n + 1] = s;
    for (long i = 0; i < n; i++) {
        if (work[i] != 0) return 9;
        work[i] = x[i];
        y[i + 1] = x[i];
    }
    return s < 0 ? 3 : 0;
}

static inline void normalize(long n, double *x)
{
    double sum = 0;
    for (long i = 0; i < n; i++) sum += x[i];
    for (long i = 0; i < n; i++) x[i] /= sum;
}

/* The box around n points of the plane. */
static inline void box(long n, const double *p, double *low, double *high)
{
    for (int k = 0; k < 2; k++) {
        low[k] = high[k] = n > 0 ? p[k] : 0;
        for (long i = 1; i < n; i++) {
            double x = p[2 * i + k];
            low[k] = x < low[k] ? x : low[k];
            high[k] = x > high[k] ? x : high[k];
        }
    }
}

static inline void scale(double s, double *x) { *x *= s; }

static inline double weigh(long n, const double *x, const double *w)
{
    double sum = 0;
    for (long i = 0; i < n; i++) sum += x[i] * (w != NULL ? w[i] : 1);
    return sum;
}

/* Every x with every y. */
static inline void outer(long m, long n, const double *x, const double *y, double *a)
{
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++) a[i * n + j] = x[i] * y[j];
}

static inline int short_sum(signed char n, const int *x)
{
    int sum = 0;
    for (int i = 0; i < n; i++) sum += x[i];
    return sum;
}

static inline float squaref(float x) { return x * x; }
static inline void repeat(long n, double x, long k, double *y)
{
    for (long i = 0; i < n * k; i++) y[i] = x;
}

/* An array grown by its own length, or by k. */
static inline void grown(long n, const double *x, long k, double *y)
{
    for (long i = 0; i < n; i++) y[i] = x[i];
    for (long i = 0; i < k; i++) y[n + i] = (double)n;
}

static inline int tiny(long n, const int *x, signed char k) { return (int)n + x[0] + k; }
static inline int positive(double x) { return x <= 0; }
static inline double filled(long n, const double *x, double *w) { return n > 0 ? x[0] + w[0] : 0; }
