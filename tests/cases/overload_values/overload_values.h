#include <stdint.h>

static inline double wide_double(double x) { return x; }
static inline uint64_t wide_u64(uint64_t x) { return x; }
static inline uint64_t start_u64(uint64_t x, uint64_t by) { return x & by; }
static inline int small_u8(unsigned char x) { return x ? 8 : 8; }
static inline int small_u64(uint64_t x) { return x ? 64 : 64; }

static inline double sum_doubles(long n, const double *x)
{
    double sum = 0;
    for (long i = 0; i < n; i++) sum += x[i];
    return sum;
}

static inline uint64_t sum_u64s(long n, const uint64_t *x)
{
    uint64_t sum = 0;
    for (long i = 0; i < n; i++) sum += x[i];
    return sum;
}

#define KIND(NAME, TYPE, KIND) static inline int NAME(TYPE x) { (void)x; return KIND; }
#define KINDS(NAME, TYPE, KIND) static inline int NAME(long n, const TYPE *x) { (void)n; (void)x; return KIND; }
KINDS(bytes_i8, int8_t, 8)
KINDS(bytes_i16, int16_t, 16)
KIND(narrow_int, int, 'i')
KIND(narrow_float, float, 'f')
KINDS(narrow_ints, int, 'i')
KINDS(narrow_floats, float, 'f')
KIND(real_float, float, 'f')
KIND(real_double, double, 'd')
KINDS(real_floats, float, 'f')
KINDS(real_doubles, double, 'd')
KIND(integer_i8, int8_t, 8)
KIND(integer_u64, uint64_t, 64)
