#include <stddef.h>

static inline int work(size_t n, const int *select, const double *x, double *y, int info)
{
    return n > 0 ? select[0] + (int)(x[0] + y[0]) + info : 0;
}

static inline int of_int(int f) { return f; }
static inline double of_double(double f) { return f; }
static inline int f(const char *f) { return f[0]; }
