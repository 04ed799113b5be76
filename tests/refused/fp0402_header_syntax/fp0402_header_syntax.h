/* A declaration without its last bracket; its neighbours are fine. */
#include <fishplate.h>

double before(double x);
FP_STATUS int broken(FP_OUT double *y;
double after(double x);
