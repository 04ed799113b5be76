#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct { double x[2]; int calls; } vec;

static inline vec *vec_new(double x, double y)
{
    vec *v = (vec *)malloc(sizeof *v);
    if (v != NULL) *v = (vec){{x, y}, 0};
    return v;
}
static inline void vec_free(vec *v) { free(v); }
static inline vec *vec_add(const vec *a, const vec *b) { return vec_new(a->x[0] + b->x[0], a->x[1] + b->x[1]); }
static inline vec *vec_shift(const vec *a, double by) { return vec_new(a->x[0] + by, a->x[1] + by); }
static inline vec *vec_subtract(const vec *a, const vec *b) { return vec_new(a->x[0] - b->x[0], a->x[1] - b->x[1]); }
static inline vec *vec_negative(const vec *a) { return vec_new(-a->x[0], -a->x[1]); }
static inline vec *vec_scale(const vec *a, double by) { return vec_new(a->x[0] * by, a->x[1] * by); }
static inline vec *vec_scale_from_left(double by, const vec *a) { return vec_new(by * a->x[0], by * a->x[1]); }
static inline double vec_dot(const vec *a, const vec *b) { return a->x[0] * b->x[0] + a->x[1] * b->x[1]; }
static inline vec *vec_power(const vec *a, int n) { return vec_new(pow(a->x[0], n), pow(a->x[1], n)); }
static inline void vec_add_to(vec *a, const vec *b) { a->x[0] += b->x[0]; a->x[1] += b->x[1]; a->calls++; }
static inline void vec_multiply_by(vec *a, int n) { a->x[0] *= n; a->x[1] *= n; a->calls++; }
/* As in many libraries: 2 is a failure, here of NaN. */
static inline char vec_equal(const vec *a, const vec *b)
{
    if (a->x[0] != a->x[0] || b->x[0] != b->x[0]) return 2;
    return a->x[0] == b->x[0] && a->x[1] == b->x[1];
}
static inline int vec_is_less(const vec *a, const vec *b) { return vec_dot(a, a) < vec_dot(b, b); }
static inline int vec_get(const vec *v, size_t k, double *value)
{
    if (k >= 2) return 1;
    *value = v->x[k];
    return 0;
}
static inline int vec_set(vec *v, size_t k, double value)
{
    if (k >= 2) return 1;
    v->x[k] = value;
    return 0;
}
static inline long vec_size(const vec *v) { return v->calls < 0 ? -1 : 2; }
static inline int vec_has(const vec *v, double value) { return v->x[0] == value || v->x[1] == value; }
static inline int vec_is_nonzero(const vec *v) { return v->x[0] != 0 || v->x[1] != 0; }
static inline double vec_norm(const vec *v) { return sqrt(vec_dot(v, v)); }
static inline double vec_at(const vec *v, double t, double from) { return v->x[0] * t + v->x[1] + from; }
static inline char *vec_text(const vec *v)
{
    char *text = (char *)malloc(64);
    if (text != NULL) snprintf(text, 64, "(%g, %g)", v->x[0], v->x[1]);
    return text;
}
static inline long vec_hash(const vec *v) { return (long)v->x[0] - 1; }
static inline double vec_length(const vec *v) { return vec_norm(v); }
static inline int vec_set_length(vec *v, double length)
{
    double old = vec_norm(v);
    if (length < 0) return 1;
    v->x[0] *= length / old;
    v->x[1] *= length / old;
    return 0;
}
static inline int vec_calls(const vec *v) { return v->calls; }

/* An order without equality, and no operands of other types. */
typedef struct { int rank; } card;
static inline card *card_new(int rank) { card *c = (card *)malloc(sizeof *c); if (c != NULL) c->rank = rank; return c; }
static inline void card_free(card *c) { free(c); }
static inline int card_is_lower(const card *a, const card *b) { return a->rank < b->rank; }

/* The halves of a number, as an iterator. */
typedef struct { int n; } halves;
static inline halves *halves_new(int n) { halves *h = (halves *)malloc(sizeof *h); if (h != NULL) h->n = n; return h; }
static inline void halves_free(halves *h) { free(h); }
static inline card *halves_next(halves *h)
{
    int n = h->n;
    h->n /= 2;
    return n == 0 ? NULL : card_new(n);
}
static inline int card_rank(const card *c) { return c->rank; }
static inline halves *card_halves(const card *c) { return halves_new(c->rank); }
