#include "fp0314_looks_like_array.h"

double power(const double *x, int n)
{
    double y = 1;
    while (n-- > 0) {
        y *= *x;
    }
    return y;
}
