#include "twenty_arguments.h"

double weigh(double a, double b, double c, double d, double e, double f, double g, int h, int i,
             int j, int k, int l, int m, long n, const double *x, const float *y, double *z,
             double *w, double scale, const double *shift)
{
    for (long at = 0; at < n; at++) {
        z[at] = scale * x[at] + y[at] + (shift == 0 ? 0 : *shift);
        w[at] += 1;
    }
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k
           + 12 * l + 13 * m;
}

int eighteen(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l,
             int m, int n, int o, int p, int q, int r)
{
    return a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p + q + 18 * r;
}

int nineteen(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l,
             int m, int n, int o, int p, int q, int r, double s)
{
    return -eighteen(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r) - (int)(1000 * s);
}
