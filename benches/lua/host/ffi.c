/* For LuaJIT's FFI, which calls what a library has, without a module. */
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
