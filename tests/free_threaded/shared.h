#include <stdlib.h>

typedef struct { long value, inside; long (*f)(long value, void *data); void *data; } box;

static long box_count;

static inline box *box_new(void)
{
    __atomic_add_fetch(&box_count, 1, __ATOMIC_RELAXED);
    return (box *)calloc(1, sizeof(box));
}

/* A second release of a box, or one during a call, ends the process. */
static inline void box_free(box *b)
{
    if (__atomic_exchange_n(&b->inside, -1, __ATOMIC_ACQ_REL) != 0) {
        abort();
    }
    __atomic_sub_fetch(&box_count, 1, __ATOMIC_RELAXED);
    free(b);
}

static inline long box_next(box *b)
{
    long value, k;
    if (__atomic_exchange_n(&b->inside, 1, __ATOMIC_ACQ_REL) != 0) {
        abort(); /* two threads in one object, or in one that has been released */
    }
    value = ++b->value;
    for (k = 0; k < 1000; k++) {
        __atomic_load_n(&b->inside, __ATOMIC_SEQ_CST); /* another thread has time to enter */
    }
    __atomic_store_n(&b->inside, 0, __ATOMIC_RELEASE);
    return value;
}

static inline box *box_part(box *b)
{
    (void)b;
    return box_new();
}

static inline void box_listen(box *b, long (*f)(long value, void *data), void *data)
{
    b->f = f;
    b->data = data;
}

static inline long box_hear(box *b, long value)
{
    return b->f == NULL ? 0 : b->f(value, b->data);
}

static inline long alive(void)
{
    return __atomic_load_n(&box_count, __ATOMIC_RELAXED);
}

/* A shelf owns its jars, and discards one on request. */
typedef struct { struct shelf *on; long slot, left; } jar;
typedef struct shelf { jar *jars[4]; long inside; } shelf;

static long jar_count;

static inline void shelf_enter(shelf *s)
{
    long k;
    if (__atomic_exchange_n(&s->inside, 1, __ATOMIC_ACQ_REL) != 0) {
        abort(); /* two threads in one shelf, or in one that has been released */
    }
    for (k = 0; k < 1000; k++) {
        __atomic_load_n(&s->inside, __ATOMIC_SEQ_CST);
    }
}

static inline void shelf_leave(shelf *s)
{
    __atomic_store_n(&s->inside, 0, __ATOMIC_RELEASE);
}

static inline shelf *shelf_new(void)
{
    return (shelf *)calloc(1, sizeof(shelf));
}

static inline jar *shelf_add(shelf *s, long slot)
{
    jar *made = (jar *)calloc(1, sizeof *made);
    if (made != NULL) {
        made->on = s;
        made->slot = slot;
        s->jars[slot] = made;
        __atomic_add_fetch(&jar_count, 1, __ATOMIC_RELAXED);
    }
    return made;
}

static inline jar *shelf_jar(shelf *s, long slot)
{
    return s->jars[slot];
}

static inline void shelf_discard(shelf *s, jar *one)
{
    shelf_enter(s);
    s->jars[one->slot] = NULL;
    free(one);
    __atomic_sub_fetch(&jar_count, 1, __ATOMIC_RELAXED);
    shelf_leave(s);
}

static inline void shelf_free(shelf *s)
{
    long slot;
    for (slot = 0; slot < 4; slot++) {
        if (s->jars[slot] != NULL) {
            shelf_discard(s, s->jars[slot]);
        }
    }
    free(s);
}

static inline long jar_take(jar *j)
{
    long left;
    shelf *on = j->on;
    shelf_enter(on);
    left = --j->left;
    shelf_leave(on);
    return left;
}

static inline long jars(void)
{
    return __atomic_load_n(&jar_count, __ATOMIC_RELAXED);
}

static inline double total(long n, const double *x)
{
    double sum = 0;
    long i;
    for (i = 0; i < n; i++) {
        sum += x[i];
    }
    return sum;
}

static inline void ramp(long n, double start, double *y)
{
    long i;
    for (i = 0; i < n; i++) {
        y[i] = start + (double)i;
    }
}

struct ramp_of { long n; double start; double *y; };

static inline void ramp_fill(struct ramp_of *r)
{
    ramp(r->n, r->start, r->y);
}

static inline void row_sums(long m, const long long *p, const double *x, double *y, const long long *j, long n)
{
    long i;
    long long k;
    (void)j;
    (void)n;
    for (i = 0; i < m; i++) {
        y[i] = 0;
        for (k = p[i]; k < p[i + 1]; k++) {
            y[i] += x[k];
        }
    }
}

static inline double twice(double x)
{
    return 2 * x;
}
