/* For LuaJIT's FFI, which calls a library's functions without a module. */
#include "host.h"

double bench_add(double a, double b);
double bench_total(size_t n, const double *x);

double
bench_add(double a, double b)
{
    return add(a, b);
}

double
bench_total(size_t n, const double *x)
{
    return total(n, x);
}
