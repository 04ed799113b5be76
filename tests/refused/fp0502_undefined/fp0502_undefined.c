#include "fp0502_undefined.h"

double mean(long n, const double *x)
{
    return n > 0 ? *x : 0;
}
