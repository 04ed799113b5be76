#include <stdarg.h>
#include <string.h>

enum { VA_SCALE = 1, VA_LEVEL, VA_NAME, VA_SHAPE };

static double va_scale = 1;
static long va_level;

/* The type of the argument after `option` depends on it. */
static inline int va_set(int option, ...)
{
    va_list rest;
    int known = option == VA_SCALE || option == VA_LEVEL;
    va_start(rest, option);
    if (option == VA_SCALE) va_scale = va_arg(rest, double);
    if (option == VA_LEVEL) va_level = va_arg(rest, long);
    va_end(rest);
    return known ? 0 : 1;
}

static inline int va_get(int option, ...)
{
    va_list rest;
    va_start(rest, option);
    if (option == VA_SCALE) *va_arg(rest, double *) = va_scale;
    if (option == VA_LEVEL) *va_arg(rest, long *) = va_level;
    va_end(rest);
    return 0;
}

static inline double va_sum(int n, ...)
{
    va_list rest;
    double sum = 0;
    int k;
    va_start(rest, n);
    for (k = 0; k < n; k++) sum += va_arg(rest, double);
    va_end(rest);
    return sum;
}

static inline long va_measure(int count, ...)
{
    va_list rest;
    const char *text;
    const double *x;
    long sum = 0;
    int n, k;
    va_start(rest, count);
    text = va_arg(rest, const char *);
    x = va_arg(rest, const double *);
    n = va_arg(rest, int);
    va_end(rest);
    for (k = 0; k < n; k++) sum += (long)x[k];
    return (text == NULL ? -1 : (long)strlen(text)) + sum + count;
}

static inline int va_narrow(int count, ...)
{
    va_list rest;
    int sum;
    va_start(rest, count);
    sum = va_arg(rest, int);
    sum += (int)(va_arg(rest, double) * 10);
    va_end(rest);
    return sum;
}
