#include "fp0501_source.h"

double mean(long n, const double *x)
{
    return n > 0 ? *x : undefined_name;
}
