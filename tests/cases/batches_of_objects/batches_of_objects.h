#pragma once
#include <stdlib.h>
#include <string.h>

typedef struct scale {
    double factor;
    int uses;
} scale;

typedef struct {
    double low, high;
} range;

enum rounding { DOWN, UP };

static inline scale *scale_new(double factor)
{
    scale *made = (scale *)malloc(sizeof(scale));
    if (made != NULL) {
        made->factor = factor;
        made->uses = 0;
    }
    return made;
}

static inline void scale_free(scale *s) { free(s); }
static inline int scale_uses(const scale *s) { return s->uses; }

static inline double scale_apply(scale *s, double x)
{
    s->uses++;
    return s->factor * x;
}

static inline double scale_sum(scale *s, const scale *other, const double *x, long n)
{
    double sum = 0;
    long i;
    for (i = 0; i < n; i++) {
        sum += scale_apply(s, x[i]);
    }
    return sum + (other == NULL ? 0 : other->factor);
}

static inline double clip(range r, double x) { return x < r.low ? r.low : x > r.high ? r.high : x; }

static inline double power(const char *name, double x)
{
    return strcmp(name, "square") == 0 ? x * x : strcmp(name, "cube") == 0 ? x * x * x : x;
}

static inline double rounded(enum rounding to, double x)
{
    double down = (double)(long long)x;
    return to == UP && down < x ? down + 1 : down;
}
