#pragma once
#include <time.h>
static inline double square(double x) { return x * x; }
static inline double add(double x, double y) { return x + y; }
static inline double total(long n, const double *x)
{
    double sum = 0;
    for (long i = 0; i < n; i++) sum += x[i];
    return sum;
}
static inline void raised(long n, const double *x, double *y)
{
    for (long i = 0; i < n; i++) y[i] += x[i];
}
static inline double scratch(long n, const double *x, double *work)
{
    for (long i = 0; i < n; i++) work[i] += x[i];
    return n > 0 ? work[n - 1] : -1;
}
static inline double one(void) { return 1; }
static inline int refuse(int code) { return code; }
static inline int lies_c(long m, long n, const double *a) { return (void)m, (void)n, (void)a, 1; }
static inline int lies_f(long m, long n, const double *a) { return (void)m, (void)n, (void)a, 2; }
static inline int lies_any(long m, long n, const double *a) { return (void)m, (void)n, (void)a, 3; }
static inline void nap(long n, const double *x)
{
    struct timespec time = {0, 200 * 1000 * 1000};
    (void)n;
    (void)x;
    nanosleep(&time, NULL);
}
static inline int names(int result, int fp_i, int one, int x, int x_given, int fp_args, int self,
                        int fp_shared, int fp_data, int def)
{
    return result + fp_i + one + x + x_given + fp_args + self + fp_shared + fp_data + def;
}
static inline double called_so(double result, double called, double result_) { return result + called + result_; }
