#include "fp0502_no_library.h"

double mean(long n, const double *x)
{
    return n > 0 ? *x : 0;
}
