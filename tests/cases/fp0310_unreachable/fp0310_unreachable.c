#include "fp0310_unreachable.h"

double twice(double x)
{
    return 2 * x;
}

float twice_float(float x)
{
    return 2 * x;
}

double twice_again(double x)
{
    return -2 * x;
}
