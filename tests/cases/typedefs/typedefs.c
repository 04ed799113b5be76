#include "typedefs.h"

real sum(index_t n, const real *x)
{
    real total = 0;
    for (index_t i = 0; i < n; i++) {
        total += x[i];
    }
    return total;
}

void make_index(count_t n, index_t *y)
{
    for (count_t i = 0; i < n; i++) {
        y[i] = (index_t)i;
    }
}

void turn(cplx *z, flag_t twice)
{
    for (int i = 0; i <= twice; i++) {
        __real__ *z += 1;
    }
}
