/* A declaration without its last bracket; its neighbours are fine. */
#include <fishplate.h>

double before(double x);
FP_STATUS int broken(FP_OUT double *y;
double after(double x);

void parentheses(FP_OUT() double *y);
double between(double x);
int more(int n, FP_IN FP_NULLABLE( ) const double *x FP_SHAPE(n));
