#include "fp0501_pointer_type.h"

double mean(long n, const double *x)
{
    return n > 0 ? *x : 0;
}
