/* Dimensions: arithmetic on sizes that never overflows.
 *
 * A sum or product that does not fit is FP_NO_DIM, which is negative and stays what it is in further
 * arithmetic, so that one test before an allocation finds it. */

#define FP_NO_DIM NPY_MIN_INTP

/* A 64-bit unsigned integer as a size. */
static inline npy_intp
fp_to_dim(unsigned long long value)
{
    return value > (unsigned long long)NPY_MAX_INTP ? FP_NO_DIM : (npy_intp)value;
}

static inline npy_intp
fp_add(npy_intp a, npy_intp b)
{
    if (a == FP_NO_DIM || b == FP_NO_DIM || (b > 0 ? a > NPY_MAX_INTP - b : a < FP_NO_DIM + 1 - b)) {
        return FP_NO_DIM;
    }
    return a + b;
}

static inline npy_intp
fp_sub(npy_intp a, npy_intp b)
{
    return b == FP_NO_DIM ? FP_NO_DIM : fp_add(a, -b);
}

static inline npy_intp
fp_mul(npy_intp a, npy_intp b)
{
    npy_intp x, y;
    if (a == FP_NO_DIM || b == FP_NO_DIM) {
        return FP_NO_DIM;
    }
    x = a < 0 ? -a : a;
    y = b < 0 ? -b : b;
    return y != 0 && x > NPY_MAX_INTP / y ? FP_NO_DIM : a * b;
}

/* Division by zero has no value either. */
static inline npy_intp
fp_div(npy_intp a, npy_intp b)
{
    return a == FP_NO_DIM || b == FP_NO_DIM || b == 0 ? FP_NO_DIM : a / b;
}

static inline npy_intp
fp_rem(npy_intp a, npy_intp b)
{
    return a == FP_NO_DIM || b == FP_NO_DIM || b == 0 || b == -1 ? (b == -1 ? 0 : FP_NO_DIM) : a % b;
}

static inline npy_intp
fp_min(npy_intp a, npy_intp b)
{
    return a < b ? a : b;
}

static inline npy_intp
fp_max(npy_intp a, npy_intp b)
{
    return a == FP_NO_DIM || b == FP_NO_DIM ? FP_NO_DIM : a > b ? a : b;
}

/* A computed size must have a value. */
static inline int
fp_check_value(npy_intp value, const fp_param *p)
{
    return FP_LIKELY(value != FP_NO_DIM)
               ? 1
               : fp_error(PyExc_OverflowError, p,
                          "its value cannot be computed: it overflows, or divides by zero");
}

/* Sets an integer variable to a computed size. */
static inline int
fp_set_dimension(void *variable, npy_intp value, const fp_param *p)
{
    return fp_check_value(value, p) && fp_set_integer(variable, (long double)value, p);
}
