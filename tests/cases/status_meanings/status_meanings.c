#include "status_meanings.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>

const char *lib_strerror(int status)
{
    static __thread char text[64];
    if (status < 0 || status > 40) {
        return NULL;
    }
    snprintf(text, sizeof(text), "error number %d, na\xc3\xafve", status);
    return text;
}

int lib_parse(int x) { return x; }
int lib_float(double x) { return x < 0 ? LIB_DOMAIN : LIB_DONE; }

int lib_half(int x, int *y)
{
    *y = x / 2;
    return x < 0 ? LIB_DOMAIN : x % 2 ? LIB_INEXACT : LIB_OK;
}

int lib_bump_all(long n, double *x)
{
    for (long i = 0; i < n; i++) {
        x[i] += 1;
    }
    return n > 2 ? LIB_PARSE : n > 1 ? LIB_INEXACT : LIB_OK;
}

/* The number of positive values; -2 for NaN, -1 for an empty array. */
long lib_count(long n, const double *x)
{
    long count = 0;
    for (long i = 0; i < n; i++) {
        if (x[i] != x[i]) {
            return -2;
        }
        count += x[i] > 0;
    }
    return n == 0 ? -1 : count;
}

int lib_open(int number)
{
    if (number > 0) {
        errno = number;
        return -1;
    }
    return number;
}

int lib_lock(int number) { return number; }
unsigned long long lib_wide(unsigned long long x) { return x; }
