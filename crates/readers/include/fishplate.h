/* Annotations for C headers, by Fishplate.
 *
 * Each macro is empty: a compiler sees an annotated header as if it had no annotations. `fishplate
 * build NAME.h` reads them; docs/header.md explains each one.
 *
 *     FP_STATUS int solve(long n, FP_INPLACE double *a FP_SHAPE(n, n), FP_OUT double *x FP_SHAPE(n));
 */
#ifndef FISHPLATE_H
#define FISHPLATE_H

/* Before a parameter: the use of its value. FP_OUT may be combined with one of the others. */
#define FP_IN
#define FP_INPLACE
#define FP_INOUT
#define FP_OUT
#define FP_HIDDEN

/* Before a parameter, or before a function that returns a pointer: further properties. */
#define FP_NULLABLE
#define FP_FORTRAN
#define FP_BYTES
#define FP_TEXT
#define FP_OWN(function)
#define FP_BORROW(...)

/* Before an array of integers: the values that it may have. */
#define FP_OFFSETS(...)
#define FP_INDEX(...)

/* After a parameter: FP_SHAPE(m, n) and FP_DEFAULT(value). FP_SHAPE also after a function that
 * returns an array. */
#define FP_SHAPE(...)
#define FP_DEFAULT(...)

/* Before a function. */
#define FP_STATUS
#define FP_MACRO
#define FP_SKIP
#define FP_NAME(name)
#define FP_RETURNS(...)
#define FP_GIL(how)

/* On a line of its own, without a semicolon: a key of [module] and its values. */
#define FP_MODULE(...)

#endif
