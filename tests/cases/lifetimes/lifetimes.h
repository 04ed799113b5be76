#ifndef LIFETIMES_H
#define LIFETIMES_H
#include <stddef.h>

/* A walk reports its values; one that was freed reports that, as far as freed memory can. */
typedef struct walk { long alive, at; double *path; size_t length; } walk;

/* Refers to bytes or numbers of another owner. */
typedef struct box { const unsigned char *bytes; const double *numbers; double *writable; size_t n; } box;

extern int walks, boxes;

walk *walk_new(long at);
walk *walk_next(const walk *w);
void walk_free(walk *w);
long walk_at(const walk *w);
long walk_length(const walk *w);
double walk_run(walk *w, double step, int n, double (*f)(double x, void *data), void *data);
long walk_meet(const walk *a, long k, walk *b, void (*f)(void *data), void *data);
double *walk_path(walk *w, int n, double (*f)(double x, void *data), void *data);
long walk_after(walk *w, void (*f)(void *data), void *data, size_t room, double *path, size_t *length);

box *box_bytes(const void *b, size_t n);
box *box_numbers(const double *x, size_t n);
box *box_writable(double *x, size_t n);
void box_free(box *b);
long box_at(const box *b, size_t i);
double box_number(const box *b, size_t i);
void box_write(box *b, size_t i, double x);
const unsigned char *box_view(const unsigned char *b, size_t n);
box *box_borrowed(double *x, size_t n);
void counts(int *w, int *b);
#endif
