#include "levels.h"
#include <math.h>

double levels_peak(size_t n, const double *x)
{
    double peak = 0;
    for (size_t i = 0; i < n; i++) peak = fmax(peak, fabs(x[i]));
    return peak;
}

void levels_normalize(size_t n, const double *x, double peak, double *y)
{
    double largest = levels_peak(n, x);
    double scale = largest > 0 ? peak / largest : 1;
    for (size_t i = 0; i < n; i++) y[i] = scale * x[i];
}
