#include <stddef.h>

double levels_peak(size_t n, const double *x);
void levels_normalize(size_t n, const double *x, double peak, double *y);
