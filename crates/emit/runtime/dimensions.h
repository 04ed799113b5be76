/* Dimensions: arithmetic on sizes that never overflows.
 *
 * A sum or product that does not fit is FP_NO_DIM, which is negative and is preserved by further
 * arithmetic, so that one test before an allocation detects it. */

#define FP_NO_DIM PTRDIFF_MIN

/* A 64-bit unsigned integer as a size. */
static inline ptrdiff_t
fp_to_dim(unsigned long long value)
{
    return value > (unsigned long long)PTRDIFF_MAX ? FP_NO_DIM : (ptrdiff_t)value;
}

static inline ptrdiff_t
fp_add(ptrdiff_t a, ptrdiff_t b)
{
    if (a == FP_NO_DIM || b == FP_NO_DIM || (b > 0 ? a > PTRDIFF_MAX - b : a < FP_NO_DIM + 1 - b)) {
        return FP_NO_DIM;
    }
    return a + b;
}

static inline ptrdiff_t
fp_sub(ptrdiff_t a, ptrdiff_t b)
{
    return b == FP_NO_DIM ? FP_NO_DIM : fp_add(a, -b);
}

static inline ptrdiff_t
fp_mul(ptrdiff_t a, ptrdiff_t b)
{
    ptrdiff_t x, y;
    if (a == FP_NO_DIM || b == FP_NO_DIM) {
        return FP_NO_DIM;
    }
    x = a < 0 ? -a : a;
    y = b < 0 ? -b : b;
    return y != 0 && x > PTRDIFF_MAX / y ? FP_NO_DIM : a * b;
}

/* Division by zero has no value either. */
static inline ptrdiff_t
fp_div(ptrdiff_t a, ptrdiff_t b)
{
    return a == FP_NO_DIM || b == FP_NO_DIM || b == 0 ? FP_NO_DIM : a / b;
}

static inline ptrdiff_t
fp_rem(ptrdiff_t a, ptrdiff_t b)
{
    return a == FP_NO_DIM || b == FP_NO_DIM || b == 0 || b == -1 ? (b == -1 ? 0 : FP_NO_DIM) : a % b;
}

static inline ptrdiff_t
fp_min(ptrdiff_t a, ptrdiff_t b)
{
    return a < b ? a : b;
}

static inline ptrdiff_t
fp_max(ptrdiff_t a, ptrdiff_t b)
{
    return a == FP_NO_DIM || b == FP_NO_DIM ? FP_NO_DIM : a > b ? a : b;
}

/* An integer type in numbers: its size in bytes, negative if it is signed. */
#define FP_INTEGER(type) ((type)-1 < (type)1 ? -(int)sizeof(type) : (int)sizeof(type))

/* Element `i` of an aligned vector of integers, as a size; FP_NO_DIM beyond its end. */
static inline ptrdiff_t
fp_element(const void *data, ptrdiff_t count, int type, ptrdiff_t i)
{
    int64_t value;
    if (i < 0 || i >= count) {
        return FP_NO_DIM;
    }
    switch (type) {
    case -1: return ((const int8_t *)data)[i];
    case 1: return ((const uint8_t *)data)[i];
    case -2: return ((const int16_t *)data)[i];
    case 2: return ((const uint16_t *)data)[i];
    case -4: return ((const int32_t *)data)[i];
    case 4: return fp_to_dim(((const uint32_t *)data)[i]);
    case -8:
        value = ((const int64_t *)data)[i];
        return (int64_t)(ptrdiff_t)value == value ? (ptrdiff_t)value : FP_NO_DIM;
    default: return fp_to_dim(((const uint64_t *)data)[i]);
    }
}
