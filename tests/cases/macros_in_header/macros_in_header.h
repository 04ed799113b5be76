/* Macros in an annotated header: a declaration that no C uses, with the name in parentheses. */
#include <fishplate.h>
#include <stddef.h>

#define twice(x) (2 * (x))

/** Twice `x`. */
FP_MACRO double (twice)(double x FP_DEFAULT(1));

#define fill(n, x) fill_with(n, x, 7)
FP_SKIP static inline int fill_with(size_t n, double *x, double value)
{
    for (size_t k = 0; k < n; k++) x[k] = value;
    return 0;
}
FP_STATUS FP_MACRO int (fill)(size_t n, FP_OUT double *x FP_SHAPE(n));
