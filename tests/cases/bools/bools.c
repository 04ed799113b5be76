#include "bools.h"

bool negate(bool b)
{
    return !b;
}

long count(long n, const bool *mask)
{
    long sum = 0;
    for (long i = 0; i < n; i++) {
        sum += mask[i];
    }
    return sum;
}

void flip(long n, bool *mask, bool *any)
{
    *any = false;
    for (long i = 0; i < n; i++) {
        mask[i] = !mask[i];
        *any = *any || mask[i];
    }
}

void positive(long n, const double *x, bool *mask)
{
    for (long i = 0; i < n; i++) {
        mask[i] = x[i] > 0;
    }
}
