/* A small library with one of each value that can be passed; it counts its objects in use. */
#ifndef BORDERS_H
#define BORDERS_H
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long borders_alive;

static inline void *made(size_t size)
{
    borders_alive++;
    return calloc(1, size);
}

static inline void release(void *memory)
{
    borders_alive -= memory != NULL;
    free(memory);
}

static inline long alive(void) { return borders_alive; }

/* ---- Handles ---- */

typedef struct counter {
    long value;
    double values[4];
    void (*heard)(long value, void *data);
    void *data;
} counter;

/* A negative start is not a valid counter, by errno. */
static inline counter *counter_new(long start)
{
    counter *c;
    if (start < 0) {
        errno = ENOENT;
        return NULL;
    }
    c = (counter *)made(sizeof(counter));
    c->value = start;
    return c;
}

static inline void counter_free(counter *c) { release(c); }
static inline long counter_next(counter *c) { return ++c->value; }
static inline counter *counter_part(counter *c) { return c; }
static inline double *counter_values(counter *c) { return c->values; }
static inline const char *counter_name(const counter *c) { return c->value > 0 ? "gr\303\274n" : NULL; }

static inline void counter_listen(counter *c, void (*heard)(long value, void *data), void *data)
{
    c->heard = heard;
    c->data = data;
}

static inline void counter_tell(counter *c)
{
    if (c->heard != NULL) {
        c->heard(c->value, c->data);
    }
}

/* ---- Strings, and C-allocated memory ---- */

static inline size_t text_length(const char *text) { return strlen(text); }

static inline char *text_twice(const char *text)
{
    size_t length = strlen(text);
    char *twice = (char *)made(2 * length + 1);
    memcpy(twice, text, length);
    memcpy(twice + length, text, length);
    return twice;
}

static inline void text_greet(char *buffer, int size, const char *name) { snprintf(buffer, (size_t)size, "hello %s", name); }

static inline void bytes_reversed(const unsigned char *data, size_t n, unsigned char *out)
{
    size_t k;
    for (k = 0; k < n; k++) {
        out[k] = data[n - 1 - k];
    }
}

static inline double *range_new(long n)
{
    double *x = (double *)made((size_t)n * sizeof(double) + 1);
    long k;
    for (k = 0; k < n; k++) {
        x[k] = (double)k;
    }
    return x;
}

static inline int describe(int code, char **text)
{
    *text = text_twice("why");
    return code;
}

static inline double total(long n, const double *x)
{
    double sum = 0;
    long k;
    for (k = 0; k < n; k++) {
        sum += x[k];
    }
    return sum;
}

/* ---- Values ---- */

typedef struct point {
    double x, y;
    int tag;
} point;

typedef enum color { RED = 1, GREEN = 2, BLUE = 4 } color;

static inline point point_add(point a, point b)
{
    point sum = {a.x + b.x, a.y + b.y, a.tag};
    return sum;
}

static inline void point_move(point *p, double dx) { p->x += dx; }
static inline color color_next(color c) { return c == BLUE ? RED : (color)(c * 2); }

/* ---- Return codes and callbacks ---- */

/* 0 is a success, 1 a warning, others are failures. */
static inline int check(int status) { return status; }
static inline const char *check_text(int status) { return status == 2 ? "two" : NULL; }
static inline double apply(double (*f)(double x, void *data), void *data, double x) { return f(f(x, data), data); }

static inline long visit(int n, const double *x, int (*f)(int n, const double *x))
{
    return f(n, x) + f(n, x);
}

#endif
