/* Annotations that mean nothing where they stand. */
#include <fishplate.h>

FP_MODULE(nane, "x")
FP_MODULE(sources, a.c)
FP_MODULE(doc)

FP_SHAPE(n) double mean(int n, const double *x FP_SHAPE(n));
double sum(int n FP_STATUS, const double *x FP_SHAPE(n));
FP_GIL(drop) double last(int n, const double *x FP_SHAPE(n));
double in_brackets(int m, int n, const double a[m][n FP_SHAPE(n)]);
