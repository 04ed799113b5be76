#include "complex_numbers.h"

float complex conj_f(float complex z)
{
    return conjf(z);
}

double complex conj_d(double complex z)
{
    return conj(z);
}

void turn(const double complex *z, double complex *w)
{
    *w = *z * I;
}

void turn_all(long n, const double complex *z, double complex *w)
{
    for (long i = 0; i < n; i++) {
        turn(&z[i], &w[i]);
    }
}

void turn_small(long n, float complex *z)
{
    for (long i = 0; i < n; i++) {
        z[i] *= I;
    }
}
