#include <stdint.h>

double total(long n, const double *x);
double weigh(long m, long n, const double *a);
long octets(long n, const uint8_t *x);
long truths(long n, const _Bool *x);
void conjugate(long n, double _Complex *z);
void scale(long n, double *x, double by);
void scale_rows(long m, long n, double *a);
void ramp(long n, double *x);
double two(long n, const double *x, double *y);
int real(double x);
int octet_vector(long n, const uint8_t *x);
int int_vector(long n, const int *x);
int real_vector(long n, const double *x);
int real_matrix(long m, long n, const double *a);
void clear_float(long n, float *x);
void clear(long n, double *x);
