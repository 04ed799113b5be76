/* Guesses of lengths: by name, by place, as tables, as capacity of an output. */
#ifndef LENGTHS_H
#define LENGTHS_H
#include <stddef.h>
#include <stdint.h>

typedef int count_t;
enum order { ASCENDING = 1, DESCENDING = -1 };

/** Arithmetic mean.
 *
 *  The sum may overflow. */
double mean(const double *x, size_t n);

/// Adds "a" times x to y.
void axpy(count_t count, double a, const double *x, double *y);

void convolve(const float *x, int nx, const float *kernel, int kernel_len, float *out, int n_out);
void matvec(int m, int n, const double *a, const double *x, double *y);
void blur(const uint8_t *image, uint8_t *dst, size_t height, size_t width);
int unpack(unsigned char *dest, unsigned long *destLen, const unsigned char *source, unsigned long sourceLen);
void sort(double *values, size_t length, enum order order);
void solve(size_t n, double a[n][n], double b[n]);
double split(double x, double *whole);
void swap(double *a, double *b);
double lambda(double x);
void play(const float *sound, size_t frames);
void record(float *sound, int nframes);

#endif
