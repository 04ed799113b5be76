#ifndef RETURNED_POINTERS_H
#define RETURNED_POINTERS_H

#include <stddef.h>

/* The number of allocations that are not freed yet. */
long alive(void);
void release(void *memory);
void release_text(char *text);

const char *name(int which);
char *joined(const char *a, const char *b);
char *lowered(const char *text);
const char *broken(void);
double *range(double start, size_t *n);
int *grid(int m, int n);
const int *primes(void);
double *tail(double *x, long n, long from);
const double *larger(const double *x, long m, const double *y, long n);
unsigned char *random_bytes(long n, long *made);
void *raw(const void *data, size_t size);
char *raw_text(const void *data, size_t size);
const unsigned char *look(const unsigned char *data, long n, long from);
double *rest(const double *x, long n, long from);
unsigned char *rest_of_bytes(const unsigned char *data, long n, long from);
int describe(int code, char **text);
int split(const double *x, long n, double **low, size_t *nlow, double **high, size_t *nhigh);
int message(int code, const char **text);
int bytes_of(int n, unsigned char **data, int *size);
int both(char **a, char **b);
double *wrong_shape(int n);

typedef struct box box;
box *box_new(long n);
void box_free(box *b);
double *box_data(box *b, long *n);
const char *box_name(const box *b);

#endif
