#include "names.h"

int sum5(int a, int b, int c, int d, int e)
{
    return a + 10 * b + 100 * c + 1000 * d + 10000 * e;
}

double sum_macros(double i, long n, double eof, double null, double error)
{
    return i + 10 * (double)n + 100 * eof + 1000 * null + 10000 * error;
}

void fill(long n, double *x, double *y)
{
    for (long i = 0; i < n; i++) {
        x[i] = 1;
        y[i] = 2;
    }
}
