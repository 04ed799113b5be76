#include <complex.h>

static inline double complex turned(double complex z) { return z * I; }
