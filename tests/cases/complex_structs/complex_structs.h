#include <stddef.h>

/* Complex numbers of libraries that do not use C's own. */
typedef struct {
    double real, imag;
} MKL_Complex16;
typedef struct {
    float x;
    float y;
} cuFloatComplex;
typedef struct {
    double parts[2];
} pair;
typedef double _Complex plain;

typedef struct {
    MKL_Complex16 z;
    cuFloatComplex small[2];
} both;

extern const MKL_Complex16 turning;

MKL_Complex16 turn(MKL_Complex16 z, MKL_Complex16 by);
cuFloatComplex turnf(cuFloatComplex z, cuFloatComplex by);
pair swap(pair p);
plain square(plain z);
void split(const MKL_Complex16 *z, MKL_Complex16 *real, MKL_Complex16 *imaginary);
void add_to(MKL_Complex16 *z, MKL_Complex16 more);
MKL_Complex16 sum(size_t n, const MKL_Complex16 *z, const MKL_Complex16 *start);
void scale(size_t n, MKL_Complex16 *z, MKL_Complex16 by);
void scalef(size_t n, cuFloatComplex *z, cuFloatComplex by);
void outer(size_t m, size_t n, const MKL_Complex16 *a, const MKL_Complex16 *b, MKL_Complex16 *y);
void gather(size_t n, const MKL_Complex16 *z, MKL_Complex16 *y);
MKL_Complex16 mean(size_t n, const MKL_Complex16 *z, MKL_Complex16 count);
MKL_Complex16 *powers(MKL_Complex16 z, size_t n);
both both_of(MKL_Complex16 z, cuFloatComplex small);
MKL_Complex16 twice(MKL_Complex16 z, MKL_Complex16 (*f)(MKL_Complex16 z, void *data), void *data);
MKL_Complex16 sum_of(size_t n, void (*f)(size_t n, MKL_Complex16 *z, MKL_Complex16 *last, void *data), void *data);
