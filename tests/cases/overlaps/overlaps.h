#include <stddef.h>

static inline void rev(size_t n, const double *x, double *y) { for (size_t i = 0; i < n; i++) y[i] = x[n - 1 - i]; }
static inline void two(size_t n, const double *x, double *y, double *z)
{
    for (size_t i = 0; i < n; i++) {
        y[i] = x[n - 1 - i] + 1;
        z[i] = x[n - 1 - i] - 1;
    }
}
static inline void twice(size_t n, double *x) { for (size_t i = 0; i < n; i++) x[i] *= 2; }
static inline void add(size_t n, const double *x, double *y) { for (size_t i = 0; i < n; i++) y[i] += x[n - 1 - i]; }
static inline void next(double x, double *y) { *y = x + 1; }
static inline void started(size_t n, const double *x, double *y) { for (size_t i = 0; i < n; i++) y[i] += x[n - 1 - i]; }
static inline void shout(size_t n, const char *x, unsigned char *y)
{
    for (size_t i = 0; i < n; i++) y[i] = (unsigned char)x[n - 1 - i];
}
static inline double spread(size_t n, const double *x, ptrdiff_t by, double *y)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += y[i] = x[(ptrdiff_t)(n - 1 - i) * by];
    return sum;
}

static inline double dot(size_t n, const double *x, const double *y)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}
static inline double half(double x) { return x / 2; }
static inline float halff(float x) { return x / 2; }
static inline int split(double x, double *whole, double *rest)
{
    *whole = (double)(long)x;
    *rest = x - *whole;
    return *rest != 0;
}
static inline void swap(double *x, double *y) { double z = *x; *x = *y + 1; *y = z + 2; }
