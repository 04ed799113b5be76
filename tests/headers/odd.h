/* Constructs of real headers besides plain declarations. */
#pragma once
#include <stdarg.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define API extern __attribute__((visibility("default")))
#define DECLARE(type, name) type name(int n, const type *x);

_Static_assert(sizeof(int) == 4, "an int has 4 bytes");

struct point { double x, y; };
typedef struct state *state_t;
typedef double (*integrand)(double x, void *data);
typedef long double wide;
typedef const char *odd_error_t;

API double taken(int n, const double *__restrict x) __attribute__((nonnull(2))) __asm__("taken_v2");
static inline int twice(int x) { if (x) { return 2 * x; } return 0; }
__extension__ long long modern(long long x);
double _Complex rotated(double _Complex z);
[[deprecated]] int old(int x);
odd_error_t checked(int x);
DECLARE(float, fsum)
DECLARE(double, dsum)
int several(int x), at_once(double y);

int printed(const char *format, ...);
int vprinted(FILE *file, va_list arguments);
double integrate(integrand f, void *data, double from, double to);
double norm(struct point p);
void advance(state_t state);
state_t state_new(void);
wide precise(wide x);
void rows(int n, double **rows);
int compare(int (*by)(const void *, const void *));
double table(int n, double a[][3]);
double unknown(const double *x);
void inplace_fft(double *buffer);
int _internal(int x);

#ifdef __cplusplus
}
#endif
