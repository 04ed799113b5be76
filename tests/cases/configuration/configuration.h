#include <stdint.h>
typedef int64_t index_t;
void scale(index_t n, double s, double *a);
void scalef(index_t n, float s, float *a);
double trace_c(index_t n, const double *a);
double trace_f(index_t n, const double *a);
int fill(index_t m, index_t n, double *a, double *work);
