/* A misspelt annotation, words of interface files in C, and C++: each is named where it is. */
#include <fishplate.h>

void misspelt(int n, FP_OT double *x FP_SHAPE(n));
void unlike_any(int n, FP_QUALIFIED double *x FP_SHAPE(n));
void of_interfaces(int n, out double *x FP_SHAPE(n));
void on_two_lines(int n,
                  inplace double *x FP_SHAPE(n));
double with_default(double x = 1);
double reference(const double &x FP_OUT);
double fine(double x);
