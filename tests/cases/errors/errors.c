#include "errors.h"

void scale(long n, double k, const double *x, int times, double *y)
{
    for (long i = 0; i < n; i++) {
        y[i] = k * times * x[i];
    }
}

double scalars(int i, unsigned char u, float f, double d, double _Complex z, _Bool b)
{
    return i + u + f + d + __real__ z + b;
}

void nothing(void)
{
}

void one(double x)
{
    (void)x;
}
