#include <math.h>
#include <stdbool.h>
#include <stddef.h>

static inline double power(double x, double by) { return pow(x, by); }
static inline long shift(long x, long by, long then) { return x + by + 1000 * then; }
static inline double by(const double *x, double otherwise) { return x ? *x : otherwise; }
static inline void count(long *n, int times) { *n += times; }
static inline int flag_long(int x, long n) { return n == 5 * x; }
static inline int flag(bool on) { return on ? 1 : 0; }
static inline int narrow(int x, signed char by) { return x + by; }
static inline int checked(int x, int by) { return x == by; }
static inline int either_int(int x, int by) { return x * by; }
static inline double either_double(double x, double by) { return x * by; }
static inline double sum(long n, const double *x, double start)
{
    for (long i = 0; i < n; i++) start += x[i];
    return start;
}
static inline void change(long n, double *x) { for (long i = 0; i < n; i++) x[i] = -x[i]; }
static inline long text(size_t n, const char *x) { return n > 0 ? x[0] : -1; }
