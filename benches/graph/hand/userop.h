/* A user's C, which every tool that can call C receives. */
#ifndef USEROP_H
#define USEROP_H

#include <math.h>
#include <stddef.h>

static void softsign(size_t n, const double *restrict x, double *restrict y)
{
    for (size_t i = 0; i < n; i++)
        y[i] = x[i] / (1.0 + fabs(x[i]));
}

#endif
