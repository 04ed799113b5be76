/* Exported for ctypes: the functions of kernels.h that are only in a header, or in libm. */
#include "kernels.h"

double poly_of(double x);
double cos_of(double x);
double blend_of(double x, double y);

double poly_of(double x)
{
    return poly(x);
}

double cos_of(double x)
{
    return cos(x);
}

double blend_of(double x, double y)
{
    return blend(x, y);
}
