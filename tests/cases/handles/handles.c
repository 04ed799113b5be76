#include "handles.h"

int counters = 0, marks = 0;
static const style one = {"one", 1}, ten = {"ten", 10};
const style *const BY_ONE = &one;

counter *counter_new(long start, const style *how)
{
    counter *c;
    if (start < 0) return NULL;
    c = malloc(sizeof *c);
    if (c == NULL) return NULL;
    c->value = start;
    c->step = how == NULL ? 1 : how->step;
    counters++;
    return c;
}

/* On failure there is an object all the same, as in some libraries. */
int counter_open(long start, counter **made)
{
    *made = start == -99 ? NULL : counter_new(labs(start), NULL);
    return start < 0 && start != -99;
}

void counter_free(counter *c)
{
    c->value = -1;
    counters--;
    free(c);
}

long counter_next(counter *c) { return c->value += c->step; }
long counter_sum(const counter *a, const counter *b) { return a->value + (b == NULL ? 0 : b->value); }
long step_by(long steps, counter *c) { return c->value += steps * c->step; }
counter *counter_copy(const counter *c) { return counter_new(c->value, NULL); }
counter *counter_twin(counter *c) { return c->value == 0 ? NULL : c; }

mark_t mark_new(counter *c)
{
    mark_t m = malloc(sizeof *m);
    if (m == NULL) return NULL;
    m->of = c;
    m->at = c->value;
    marks++;
    return m;
}

/* It accesses the counter to which it refers, which must therefore still exist. */
int mark_free(mark_t m)
{
    marks--;
    m->of->value++;
    free(m);
    return 0;
}

long mark_distance(const mark_t m) { return m->of->value - m->at; }
counter *mark_counter(mark_t m) { return m->of; }
void counter_values(const counter *c, long n, long *x)
{
    for (long k = 0; k < n; k++) x[k] = c->value + k * c->step;
}
long style_step(const style *s) { return s->step; }
const style *style_named(int k) { return k == 1 ? &one : k == 10 ? &ten : NULL; }
