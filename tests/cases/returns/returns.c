#include "returns.h"

int divide(int a, int b, int *remainder)
{
    *remainder = a % b;
    return a / b;
}

void divide_into(int a, int b, int *quotient, int *remainder)
{
    *quotient = divide(a, b, remainder);
}

int split(long n, const int *x, int *even, int *odd, int *base)
{
    int count = 0;
    for (long i = 0; i < n; i++) {
        int is_odd = x[i] % 2 != 0;
        even[i] = is_odd ? *base : x[i];
        odd[i] = is_odd ? x[i] : *base;
        count += is_odd;
    }
    *base += 1;
    return count;
}
