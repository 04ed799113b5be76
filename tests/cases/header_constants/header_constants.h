/* Sizes that are constants of the headers, whatever their names: macros, enumerators, variables. */
#ifndef HEADER_CONSTANTS_H
#define HEADER_CONSTANTS_H
#include "fishplate.h"

#include "header_constants_more.h"

#define nmax 4
#define None 7 /* as X11 has it */
enum sizes { small = 3, Large };
static const int middle = 5;

static inline double in_brackets(const double x[nmax])
{
    return x[0] + x[nmax - 1];
}
static inline double of_macro(const double *x FP_SHAPE(nmax))
{
    return x[0] + x[nmax - 1];
}
static inline double of_enumerators(const double *x FP_SHAPE(small, Large))
{
    return x[small * Large - 1];
}
static inline double of_variable(const double *x FP_SHAPE(2 * (middle + from_more)))
{
    return x[11];
}
static inline void fill(FP_OUT double *x FP_SHAPE(nmax + small), double value FP_DEFAULT(None))
{
    for (int i = 0; i < nmax + small; i++) x[i] = value;
}
/* A parameter comes before a macro of its name. */
static inline void count(int from_more_n, FP_OUT double *x FP_SHAPE(from_more_n, small))
{
    for (int i = 0; i < from_more_n * small; i++) x[i] = i;
}
#endif
