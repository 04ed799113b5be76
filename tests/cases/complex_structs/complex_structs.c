#include "complex_structs.h"
#include <stdlib.h>

const MKL_Complex16 turning = {0, 1};

static MKL_Complex16 times(MKL_Complex16 a, MKL_Complex16 b)
{
    MKL_Complex16 y = {a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real};
    return y;
}

MKL_Complex16 turn(MKL_Complex16 z, MKL_Complex16 by) { return times(z, by); }

cuFloatComplex turnf(cuFloatComplex z, cuFloatComplex by)
{
    cuFloatComplex y = {z.x * by.x - z.y * by.y, z.x * by.y + z.y * by.x};
    return y;
}

pair swap(pair p)
{
    pair y = {{p.parts[1], p.parts[0]}};
    return y;
}

plain square(plain z) { return z * z; }

void split(const MKL_Complex16 *z, MKL_Complex16 *real, MKL_Complex16 *imaginary)
{
    real->real = z->real;
    real->imag = 0;
    imaginary->real = 0;
    imaginary->imag = z->imag;
}

void add_to(MKL_Complex16 *z, MKL_Complex16 more)
{
    z->real += more.real;
    z->imag += more.imag;
}

MKL_Complex16 sum(size_t n, const MKL_Complex16 *z, const MKL_Complex16 *start)
{
    MKL_Complex16 y = {0, 0};
    if (start != NULL) y = *start;
    for (size_t i = 0; i < n; i++) add_to(&y, z[i]);
    return y;
}

void scale(size_t n, MKL_Complex16 *z, MKL_Complex16 by)
{
    for (size_t i = 0; i < n; i++) z[i] = times(z[i], by);
}

void scalef(size_t n, cuFloatComplex *z, cuFloatComplex by)
{
    for (size_t i = 0; i < n; i++) z[i] = turnf(z[i], by);
}

void outer(size_t m, size_t n, const MKL_Complex16 *a, const MKL_Complex16 *b, MKL_Complex16 *y)
{
    for (size_t i = 0; i < m; i++)
        for (size_t k = 0; k < n; k++) y[i + k * m] = times(a[i], b[k]);
}

void gather(size_t n, const MKL_Complex16 *z, MKL_Complex16 *y)
{
    for (size_t i = 0; i < n; i++) add_to(&y[i], z[i]);
}

MKL_Complex16 mean(size_t n, const MKL_Complex16 *z, MKL_Complex16 count)
{
    MKL_Complex16 y = sum(n, z, NULL);
    y.real /= count.real;
    y.imag /= count.real;
    return y;
}

MKL_Complex16 *powers(MKL_Complex16 z, size_t n)
{
    MKL_Complex16 *y = malloc((n + 1) * sizeof *y), one = {1, 0};
    if (y == NULL) return NULL;
    y[0] = one;
    for (size_t i = 1; i < n; i++) y[i] = times(y[i - 1], z);
    return y;
}

both both_of(MKL_Complex16 z, cuFloatComplex small)
{
    both y = {z, {small, small}};
    y.small[1].x = -y.small[1].x;
    return y;
}

MKL_Complex16 twice(MKL_Complex16 z, MKL_Complex16 (*f)(MKL_Complex16 z, void *data), void *data)
{
    return f(f(z, data), data);
}

MKL_Complex16 sum_of(size_t n, void (*f)(size_t n, MKL_Complex16 *z, MKL_Complex16 *last, void *data), void *data)
{
    MKL_Complex16 *z = malloc((n + 1) * sizeof *z), y, last = {0, 0};
    f(n, z, &last, data);
    y = sum(n, z, &last);
    free(z);
    return y;
}
