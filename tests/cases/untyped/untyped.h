/* Functions and structs whose pointers have no type of elements. */
#ifndef UNTYPED_H
#define UNTYPED_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef const void *samples_in;
typedef void *samples_out;

/* As `const void *`, between pointers that have types. */
static inline double weighted(size_t n, const void *x, const double *w)
{
    const float *values = (const float *)x;
    double sum = 0;
    for (size_t k = 0; k < n; k++) sum += (double)values[k] * w[k];
    return sum;
}

/* By names of the pointers, with a length that C sets; the message of a failure. */
static inline const char *halve(samples_in in, size_t n, samples_out out, size_t room, size_t *done)
{
    const double *from = (const double *)in;
    double *to = (double *)out;
    if (n == 0) return "no samples";
    *done = 0;
    for (size_t k = 0; k + 1 < n && *done < room; k += 2) to[(*done)++] = (from[k] + from[k + 1]) / 2;
    return NULL;
}

/* Matrices: one without a type, one as rows. */
static inline void transpose(size_t m, size_t n, const void *a, double b[])
{
    const double *from = (const double *)a;
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < n; j++) b[j * m + i] = from[i * n + j];
    }
}

#ifdef __cplusplus
#define ROWS(a, n) double *a
#else
#define ROWS(a, n) double a[][n]
#endif
static inline void add_rows(size_t m, size_t n, const void *a, ROWS(b, n))
{
    const double *from = (const double *)a;
    double *to = (double *)b;
    for (size_t k = 0; k < m * n; k++) to[k] += from[k];
}

/* One number, which the caller gives or C sets. */
static inline void shift(void *value, const void *by) { *(int *)value += *(const int *)by; }

/* A struct by its address. */
typedef struct { int x, y; } cell;
static inline int manhattan(const void *a) { return abs(((const cell *)a)->x) + abs(((const cell *)a)->y); }

/* Memory that C has allocated. */
static inline void *count_up(size_t n)
{
    int *made = (int *)malloc((n + 1) * sizeof(int));
    for (size_t k = 0; made != NULL && k < n; k++) made[k] = (int)k;
    return made;
}

/* Structs with such pointers. */
typedef struct {
    const void *in;
    void *out;
    size_t n;
} job;

static inline void negate(job *j)
{
    for (size_t k = 0; k < j->n; k++) ((short *)j->out)[k] = (short)-((const short *)j->in)[k];
}

typedef struct {
    const void *at;
    double scale;
} corner;

/* Of constant size: `at` leads to two numbers. */
static inline double far(const corner *c)
{
    const double *at = (const double *)c->at;
    return c->scale * (at[0] * at[0] + at[1] * at[1]);
}

typedef struct {
    const void *data;
    size_t n;
} row;

static inline double sum_rows(const row *rows, size_t m)
{
    double sum = 0;
    for (size_t i = 0; i < m; i++) {
        for (size_t k = 0; k < rows[i].n; k++) sum += ((const double *)rows[i].data)[k];
    }
    return sum;
}

typedef struct {
    void *data;
    size_t n;
} made;

static inline int make(size_t n, made *m)
{
    m->data = count_up(n);
    m->n = n;
    return m->data == NULL;
}

#endif
