/* A C function for each kind of argument. */
#ifndef KINDS_H
#define KINDS_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

#define TABLE_SIZE 3
#define SCALE 2.5

enum side { LEFT, RIGHT = 7 };
typedef int index_type;

double power(double x, int n, bool negate);
void scale(index_type n, double *x, double factor);
void swap(long n, double *x, double *y);
void increment(int *counter, double *total, double by);
void table(double *out, double first);
void moments(long n, const double *x, long count, double *out, double *work);
double weighted(long n, const double *x, const double *weights);
void shifted(long n, const double *x, const double *offset, double *y);
int which(enum side side);
void trace(int n, const double *a, int lda, double *sum);
void transposed(long m, long n, const float *a, float *b);
double complex conjugate(double complex z);
void rotate(long n, double complex *z, const double complex *by);
void flags(long n, const int8_t *x, bool *positive, bool *any);
int halves(long n, const double *x, double *y);
int refuse(int code);
short small(short n, const double *x);
void fill(long n, double *y);
void nothing(double x);
double counted(long n, const double *x);
int has_lock(long n, const double *x);

#endif
