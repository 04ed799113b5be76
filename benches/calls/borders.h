/* Arguments and results besides numbers and arrays: an object, a string, a struct, an enum, a function. */
#ifndef CALLS_BORDERS_H
#define CALLS_BORDERS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct counter counter;

counter *counter_new(void);
void counter_free(counter *c);
long counter_next(counter *c);

/* How many bytes. */
size_t text_length(const char *text);

typedef struct {
    double x, y;
} point;

point point_add(point a, point b);
double point_norm(point p);

typedef enum { RED, GREEN, BLUE } color;

/* The next one. */
color color_next(color c);

/* f(x), and nothing else. */
double apply(double (*f)(double x, void *data), void *data, double x);

#ifdef __cplusplus
}
#endif

#endif
