#include "fp0501_argument_count.h"

double mean(long n, const double *x)
{
    return n > 0 ? *x : 0;
}
