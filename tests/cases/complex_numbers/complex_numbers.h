#ifndef __cplusplus
#include <complex.h>
#else
#define complex _Complex
#endif

float complex conj_f(float complex z);
double complex conj_d(double complex z);
/* Times i. */
void turn(const double complex *z, double complex *w);
void turn_all(long n, const double complex *z, double complex *w);
void turn_small(long n, float complex *z);
