/* Copyright: a header of a small project, as people write them. */
#ifndef ANALYSIS_H
#define ANALYSIS_H
#include <stddef.h>

typedef struct series series;
typedef struct {
    double x, y;
} point;
typedef const char *name_t;
typedef double *vector_t;

/* Counts how much of the data falls into each bin. */
void histogram(const double *data, size_t n, double lo, double hi, unsigned int *counts,
               size_t nbins);

/* Blurs an image.
 * Returns 0, or -1 if there is no memory. */
int box_blur(const float *in, float *out, int width, int height);

// Moves all points by the same.
void shift(int n, const point *from, point *to, double by);

/** Numbers from a to b. */ double *linspace(double a, double b, int n);
/// All divisors of a number. The caller must free them.
long *divisors(long number, int *count);
int *first_of(const int *values, int n);

/** @brief Adds one.
 *
 *  @param[in] x the number
 *  @param r where \p x plus one goes
 *  @return nothing of use
 *  @author somebody */
int d_add_one(double x, double *r);
int s_add_one(float x, float *r);
int i_add_one(int x, int *r);

double norm(const double *x, size_t n);
float normf(const float *x, size_t n);

int is_named(name_t name);
void scale(vector_t values, int count, double by);

series *series_new(int kind);
void series_free(series *s);
/** A series of both.
 *  @return a newly allocated series; the caller is responsible for freeing it */
series *series_join(const series *a, const series *b);
series *series_meet(const series *a, const series *b);
/** Puts s into a collection, to which its ownership passes. */
series *series_collect(series *s);
series *series_of_all(series **members, unsigned int nmembers);

#endif
