#include "lifetimes.h"
#include <stdlib.h>

int walks, boxes;

walk *walk_new(long at)
{
    walk *w = malloc(sizeof *w);
    if (w != NULL) {
        *w = (walk){1, at, calloc(8, sizeof(double)), 8};
        walks++;
    }
    return w;
}
walk *walk_next(const walk *w) { return walk_new(w->at + 1); }
void walk_free(walk *w)
{
    w->alive = 0;
    free(w->path);
    free(w);
    walks--;
}
static long look(const walk *w) { return w->alive == 1 ? w->at : -999; }
long walk_at(const walk *w) { return look(w); }
long walk_length(const walk *w) { return w->alive == 1 ? (long)w->length : -1; }

double walk_run(walk *w, double step, int n, double (*f)(double x, void *data), void *data)
{
    double x = 0;
    for (int i = 0; i < n; i++) {
        x += step * f(x, data);
        w->at++;
        w->path[i % 8] = x;
    }
    return (double)look(w);
}
long walk_meet(const walk *a, long k, walk *b, void (*f)(void *data), void *data)
{
    f(data);
    return look(a) * k + (b == NULL ? 0 : look(b));
}
double *walk_path(walk *w, int n, double (*f)(double x, void *data), void *data)
{
    walk_run(w, 1, n, f, data);
    return w->path;
}
long walk_after(walk *w, void (*f)(void *data), void *data, size_t room, double *path, size_t *length)
{
    f(data);
    for (size_t i = 0; i < room; i++) path[i] = (double)i;
    *length = w->length / 2;
    return look(w);
}

static box *made(box of)
{
    box *b = malloc(sizeof *b);
    if (b != NULL) {
        *b = of;
        boxes++;
    }
    return b;
}
box *box_bytes(const void *b, size_t n) { return made((box){b, NULL, NULL, n}); }
box *box_numbers(const double *x, size_t n) { return made((box){NULL, x, NULL, n}); }
box *box_writable(double *x, size_t n) { return made((box){NULL, x, x, n}); }
box *box_borrowed(double *x, size_t n)
{
    static box borrowed;
    borrowed = (box){NULL, x, x, n};
    return &borrowed;
}
void box_free(box *b)
{
    free(b);
    boxes--;
}
long box_at(const box *b, size_t i) { return b->bytes[i]; }
double box_number(const box *b, size_t i) { return b->numbers[i]; }
void box_write(box *b, size_t i, double x) { b->writable[i] = x; }
const unsigned char *box_view(const unsigned char *b, size_t n) { return n > 1 ? b + 1 : b; }
void counts(int *w, int *b)
{
    *w = walks;
    *b = boxes;
}
