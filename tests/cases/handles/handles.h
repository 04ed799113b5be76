#ifndef HANDLES_H
#define HANDLES_H
#include <stdlib.h>

/* A counter, and marks on it that refer to it. */
typedef struct { long value, step; } counter;
typedef struct { counter *of; long at; } mark;
typedef struct { const char *name; long step; } style;
typedef mark *mark_t;

extern int counters, marks;
extern const style *const BY_ONE;

counter *counter_new(long start, const style *how);
int counter_open(long start, counter **made);
void counter_free(counter *c);
long counter_next(counter *c);
long step_by(long steps, counter *c);
long counter_sum(const counter *a, const counter *b);
counter *counter_copy(const counter *c);
counter *counter_twin(counter *c);
mark_t mark_new(counter *c);
int mark_free(mark_t m);
long mark_distance(const mark_t m);
counter *mark_counter(mark_t m);
void counter_values(const counter *c, long n, long *x);
long style_step(const style *s);
const style *style_named(int k);
static inline int counter_count(void) { return counters; }
static inline int mark_count(void) { return marks; }
#endif
