#include "package_name.h"

double package_name_mean(size_t n, const double *x)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += x[i];
    return sum / (double)n;
}

int package_name_smooth(size_t n, const double *x, size_t width, double *y)
{
    if (width % 2 == 0) return 1;
    size_t half = width / 2;
    for (size_t i = 0; i < n; i++) {
        size_t first = i < half ? 0 : i - half;
        size_t last = n - i <= half ? n - 1 : i + half;
        y[i] = package_name_mean(last - first + 1, x + first);
    }
    return 0;
}
