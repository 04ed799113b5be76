#include "overloads.h"

int kind_int(int x)
{
    (void)x;
    return INT;
}

int kind_float(float x)
{
    (void)x;
    return FLOAT;
}

int kind_double(double x)
{
    (void)x;
    return DOUBLE;
}

int kind_complex(double _Complex x)
{
    (void)x;
    return COMPLEX;
}

int kind_floats(long n, const float *x)
{
    (void)n, (void)x;
    return FLOATS;
}

int kind_doubles(long n, const double *x)
{
    (void)n, (void)x;
    return DOUBLES;
}

int kind_matrix(long m, long n, const double *x)
{
    (void)m, (void)n, (void)x;
    return MATRIX;
}

int kind_floats_out(long n, float *x)
{
    for (long i = 0; i < n; i++) {
        x[i] += 1;
    }
    return FLOATS;
}

int kind_doubles_out(long n, double *x)
{
    for (long i = 0; i < n; i++) {
        x[i] += 1;
    }
    return DOUBLES;
}
