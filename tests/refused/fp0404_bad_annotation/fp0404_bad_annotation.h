/* Annotations that have no meaning in their place. */
#include <fishplate.h>

FP_MODULE(nane, "x")
FP_MODULE(sources, a.c)
FP_MODULE(doc)

FP_SHAPE(n) double mean(int n, const double *x FP_SHAPE(n));
double sum(int n FP_STATUS, const double *x FP_SHAPE(n));
FP_GIL(drop) double last(int n, const double *x FP_SHAPE(n));
double in_brackets(int m, int n, const double a[m][n FP_SHAPE(n)]);

double of_value(int n, const double *a FP_SHAPE(n), const double x FP_SHAPE(n));
double brackets(int n, const double *x FP_SHAPE([n]));
double twice(int n, const double *x FP_SHAPE(n) FP_SHAPE(2));
void behind(int n, double *x FP_SHAPE(n) FP_OUT);
double two_defaults(double x FP_DEFAULT(1, 2));
FP_NAME(one) FP_NAME(other) double two_names(double x);

FP_SKIP;
FP_SKIP static const int skipped = 3;
extern FP_OUT double table FP_SHAPE(3);
typedef double (*function)(FP_OUT double *x, FP_OUT double *y);
struct with { int n; double *x FP_SHAPE(n); };
FP_SKIP() void called(void);
