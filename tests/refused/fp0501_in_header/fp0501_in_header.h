/* A header that does not agree with its source. */
#include <fishplate.h>

FP_MODULE(sources, "fp0501_in_header.c")

FP_STATUS int ramp(long n, FP_OUT float *x FP_SHAPE(n));
