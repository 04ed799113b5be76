#include "fp0501_in_header.h"

int ramp(long n, double *x)
{
    for (long i = 0; i < n; i++) x[i] = (double)i;
    return 0;
}
