/* Mistakes of an interface, found in a header: places and advice are in the header's terms. */
#include <stddef.h>
#include <fishplate.h>

typedef struct state state;
#define REAL double

FP_STATUS int scale(size_t n, REAL x[n], /* no intent */ REAL *norm);
double mean(size_t n, const REAL *x FP_SHAPE(m));
void advance(state *s, FP_OUT int *steps);
FP_OUT double total(FP_OUT REAL by);
void fill(size_t n, FP_OUT double *x FP_SHAPE(n +), FP_NULLABLE int k FP_DEFAULT(1.5));
int end(FP_IN FP_INPLACE int *x);
