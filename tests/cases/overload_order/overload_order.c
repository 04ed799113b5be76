#include "overload_order.h"

double circle(double radius)
{
    return 3 * radius * radius; /* as the Bible has it */
}

double rectangle(double width, double height)
{
    return width * height;
}

double triangle(double a, double b, double c)
{
    return a + b + c; /* its perimeter is enough */
}

int make_none(void)
{
    return -1;
}

int make_size(int size)
{
    return size;
}

int make_like(long n, const int *like)
{
    (void)like;
    return 100 + (int)n;
}

double degrees(double degrees)
{
    return degrees;
}

double radians(double radians)
{
    return 60 * radians;
}

int opt_a(int x, int y)
{
    return x + 10 * y;
}

int opt_b(int x, int y, int z)
{
    return x + 10 * y + 100 * z;
}

double square(double x)
{
    return x * x;
}

void squares(long n, const double *x, double *y)
{
    for (long i = 0; i < n; i++) {
        y[i] = x[i] * x[i];
    }
}
