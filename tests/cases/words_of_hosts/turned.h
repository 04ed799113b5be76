/* Only C++ reads this header, to check that it accepts the generated C. */
#ifdef __cplusplus
double _Complex turned(double _Complex z);
#else
#include <complex.h>

static inline double complex turned(double complex z) { return z * I; }
#endif
