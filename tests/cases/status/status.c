#include "status.h"

int check_value(int x)
{
    return x;
}

/* By Newton's method, which needs no library. */
code_t root(double x, double *y)
{
    if (x < 0) {
        return -33;
    }
    *y = x;
    for (int i = 0; x > 0 && i < 100; i++) {
        *y = (*y + x / *y) / 2;
    }
    return 0;
}

/* Adds one to each, up to the first negative one, whose place it returns. */
int bump_all(long n, double *x)
{
    for (long i = 0; i < n; i++) {
        if (x[i] < 0) {
            return (int)i + 1;
        }
        x[i] += 1;
    }
    return 0;
}

unsigned long long wide(unsigned long long x)
{
    return x;
}
