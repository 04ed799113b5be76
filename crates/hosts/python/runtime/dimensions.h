/* Computed values: dimensions and integers that the prototype computes, checked. */

/* A computed size must have a value. */
static inline int
fp_check_value(npy_intp value, const fp_param *p)
{
    return FP_LIKELY(value != FP_NO_DIM)
               ? 1
               : fp_error(PyExc_OverflowError, p,
                          "its value overflowed, divided by zero or was read beyond an array");
}

/* Sets an integer variable to a computed size. */
static inline int
fp_set_dimension(void *variable, npy_intp value, const fp_param *p)
{
    return fp_check_value(value, p) && fp_set_integer(variable, (long double)value, p);
}
