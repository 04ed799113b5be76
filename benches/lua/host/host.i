// The functions of the benchmark by SWIG: arrays are pointers of its own, whose lengths the caller passes.
%module swig
%{
#include "host.h"
%}
%include "stdint.i"
%include "carrays.i"
%array_functions(double, doubles)
%array_functions(int64_t, integers_of)

%rename(pick) one;
%rename(pick) two;
%rename(pick) three;
%rename(pick) vector;
%rename(pick) scaled;
%rename(pick) floats;
%rename(pick) integers;
%rename(pick) matrix;

double add(double a, double b);
double total(size_t n, const double *x);
void ramp(long n, double *y);
double six(double a = 1, double b = 2, double c = 3, double d = 4, double e = 5, double f = 6);
double one(double a);
double two(double a, double b);
double three(double a, double b, double c);
double vector(long n, const double *x);
double scaled(long n, const double *x, double by);
double floats(long n, const float *x);
double integers(long n, const int64_t *x);
double matrix(long m, long n, const double *x);
