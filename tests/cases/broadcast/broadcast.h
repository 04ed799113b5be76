
#include <stddef.h>

static inline double square(double x) { return x * x; }

static inline void matvec(long m, long n, const double *a, const double *x, double *y)
{
    for (long i = 0; i < m; i++) {
        y[i] = 0;
        for (long j = 0; j < n; j++) y[i] += a[i * n + j] * x[j];
    }
}

/* `a` has its first dimension varying fastest. */
static inline void colvec(long m, long n, const double *a, const double *x, double *y)
{
    for (long i = 0; i < m; i++) {
        y[i] = 0;
        for (long j = 0; j < n; j++) y[i] += a[i + j * m] * x[j];
    }
}

static inline void outer(long m, long n, const double *x, const double *y, double *a)
{
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++) a[i + j * m] = x[i] * y[j];
}

static inline double dot(long n, const double *x, long incx, const double *y, long incy)
{
    double sum = 0;
    for (long i = 0; i < n; i++) sum += x[i * incx] * y[i * incy];
    return sum;
}

static inline void add(float x, float y, float *sum) { *sum = x + y; }

static inline void normalize(long n, double *x)
{
    double sum = 0;
    for (long i = 0; i < n; i++) sum += x[i];
    for (long i = 0; i < n; i++) x[i] /= sum;
}

/* Fails for negative `s`; `work` is scratch memory that must start as zeros. */
static inline int ramp(long n, double s, double *y, double *work)
{
    for (long i = 0; i < n; i++) {
        if (work[i] != 0) return 9;
        work[i] = i * s;
        y[i] += work[i];
    }
    return s < 0 ? 3 : 0;
}

static inline double times(double x, double s) { return x * s; }
static inline void count(const signed char *by, long *n) { *n += by != NULL ? *by : 1; }
static inline int doubled(signed char small, int k) { return small + k; }
static inline double norm(double _Complex z) { return __real__ z * __real__ z + __imag__ z * __imag__ z; }
static inline double weigh(long n, const double *x, const double *w)
{
    double sum = 0;
    for (long i = 0; i < n; i++) sum += x[i] * (w != NULL ? w[i] : 1);
    return sum;
}
