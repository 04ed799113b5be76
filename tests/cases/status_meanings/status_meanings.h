#ifndef STATUS_MEANINGS_H
#define STATUS_MEANINGS_H

enum { LIB_OK = 0, LIB_DOMAIN = 1, LIB_PARSE = 2, LIB_NOT_FOUND = 3, LIB_INEXACT = 30 };
#define LIB_DONE 101

/* Overwrites its string with each call, as many libraries do. NULL for an unknown code. */
const char *lib_strerror(int status);
int lib_parse(int x);
int lib_float(double x);
int lib_half(int x, int *y);
int lib_bump_all(long n, double *x);
long lib_count(long n, const double *x);
int lib_open(int number);
int lib_lock(int number);
unsigned long long lib_wide(unsigned long long x);

#endif
