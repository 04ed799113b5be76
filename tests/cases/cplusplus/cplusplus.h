#ifndef CPLUSPLUS_H
#define CPLUSPLUS_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

void sort_doubles(size_t n, double *x);
/* The values in order, each once; the rest of y is 0. */
void unique_ints(size_t n, const int *x, int *y, size_t *count);
int helped(int x);
int helper(int x);

#ifdef __cplusplus
}
#endif
#endif
