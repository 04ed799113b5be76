/* A header that the preprocessor refuses here. */
#include <fishplate.h>

#ifndef CONFIGURED
#error "define CONFIGURED"
#endif

double mean(long n, const double *x FP_SHAPE(n));
