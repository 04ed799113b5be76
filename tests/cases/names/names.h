#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#ifndef __cplusplus
#include <complex.h>
#endif

#define N 1000

int sum5(int a, int b, int c, int d, int e);
double sum_macros(double i, long n, double eof, double null, double error);
void fill(long n, double *x, double *y);
