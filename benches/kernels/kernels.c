#include "kernels.h"

double costly(double x)
{
    double y = x;
    for (int i = 0; i < 12000; i++)
        y = y * 0.5 + x;
    return y;
}

double dot(size_t n, const double *x, const double *y)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

double dot_strided(size_t n, const double *x, ptrdiff_t incx, const double *y, ptrdiff_t incy)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++, x += incx, y += incy)
        sum += *x * *y;
    return sum;
}

void matvec(size_t m, size_t n, const double *a, const double *x, double *y)
{
    for (size_t i = 0; i < m; i++)
        y[i] = dot(n, a + i * n, x);
}

double first(size_t n, const double *x)
{
    return n ? x[0] : 0.0;
}

double first2(size_t m, size_t n, const double *x)
{
    return m && n ? x[0] : 0.0;
}

double first3(size_t l, size_t m, size_t n, const double *x)
{
    return l && m && n ? x[0] : 0.0;
}
