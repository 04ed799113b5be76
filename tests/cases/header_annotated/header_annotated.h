/* An annotated header is an interface: every annotation once, with macros, typedefs and conditionals
 * as real headers have them. */
#ifndef HEADER_ANNOTATED_H
#define HEADER_ANNOTATED_H
#include <stddef.h>
#include "fishplate.h"

FP_MODULE(doc, "Everything that a header "
               "can say.")
FP_MODULE(sources, "header_annotated.c")
FP_MODULE(prefix, "ha_")
FP_MODULE(defines, "SCALE=2", "WITH_SUM")

#ifdef __cplusplus
extern "C" {
#endif

#define API extern __attribute__((visibility("default")))
#define SCALED(type, name) \
    FP_NAME(scaled) void name(size_t n, const type *x FP_SHAPE(n), FP_OUT type *y FP_SHAPE(n));

typedef double real;
typedef enum { HA_UP, HA_DOWN = -1 } ha_direction;

/** Arithmetic mean of `x`.
 *  @param[in] x the samples,
 *             at least one
 *  @param z nothing
 *  @return their mean */
API real ha_mean(size_t n, const real *x FP_SHAPE(n)) __attribute__((pure));

/// Adds `by` to `x`,
/// in place.
void ha_shift(size_t n, FP_INPLACE real *__restrict x FP_SHAPE(n), real by FP_DEFAULT(1.0 / SCALE));

/* A plain comment is not documentation. */
FP_STATUS FP_GIL(release) int ha_ramp(long n, FP_OUT real *x FP_SHAPE(n + 1),
                                      ha_direction direction FP_DEFAULT(HA_UP));

/** `x` as float64, or as float32, twice as large. */
SCALED(double, ha_scaled)
SCALED(float, ha_scaledf)

FP_RETURNS(high, low) void ha_range(const real *x FP_SHAPE(n), int n, FP_OUT real *low, FP_OUT real *high);
real ha_trace(FP_FORTRAN const real *a FP_SHAPE(m, m), long m);
real ha_weighted(size_t n, const real *x FP_SHAPE(n), FP_NULLABLE const real *w FP_SHAPE(n),
                 FP_HIDDEN real *work FP_SHAPE(2 * n));
void ha_count(FP_INOUT int *hits FP_SHAPE(3), FP_IN FP_OUT int *total);
FP_NAME(lambda_) int lambda(int x);

#ifdef WITH_SUM
real ha_sum(size_t n, const real *x FP_SHAPE(n));
#else
this is not C
#endif

FP_SKIP const char *ha_version(void);
const char *ha_edition(void);
FP_OWN(free) double *ha_stairs(int n) FP_SHAPE(n);
FP_OWN(free) FP_NULLABLE char *ha_name(const char *first FP_DEFAULT("a"));
FP_STATUS int ha_fill(FP_OUT FP_OWN(free) double **x FP_SHAPE(n), int n);
long ha_total(FP_BYTES const void *data FP_SHAPE(n), long n);
FP_RETURNS(text) int ha_letters(FP_OUT FP_TEXT char *text FP_SHAPE(n : result), int n);
FP_BORROW(x) double *ha_tail(FP_INOUT double *x FP_SHAPE(n), int n) FP_SHAPE(n - 1);
real ha_walk(real (*step)(int n, const real *x FP_SHAPE(n), FP_OUT real *y FP_SHAPE(n), void *data), void *data);
FP_SKIP void ha_each(void (*f)(void *), ...);

#ifdef __cplusplus
}
#endif
#endif
