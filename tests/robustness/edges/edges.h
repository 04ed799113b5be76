#pragma once
#include <stddef.h>
#include <stdint.h>
double real_sum(long n, const double *x);
double single_sum(long n, const float *x);
double big_sum(long n, const uint64_t *x);
long whole(long x);
double _Complex twist(double _Complex x);
void filled(long n, const double *x, double *y, double *z);
size_t more(size_t n, signed char *y);
void cube(long n, double *y);
long narrow(long n, unsigned char h);
void fill(long n, signed char *y);
double plus(long n, double h);
long two(long x, long *y);
