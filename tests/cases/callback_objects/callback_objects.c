#include "callback_objects.h"
#include <pthread.h>
#include <stdlib.h>

enum { MOST = 2000 };

struct thing { double value; };
struct part { thing *of; };
struct unit { double factor; };

static int live;
static double released;

thing *thing_new(double value)
{
    thing *t = (thing *)malloc(sizeof(thing));
    t->value = value;
    __atomic_add_fetch(&live, 1, __ATOMIC_RELAXED);
    return t;
}

void thing_free(thing *t)
{
    __atomic_sub_fetch(&live, 1, __ATOMIC_RELAXED);
    t->value = -1000000;
    free(t);
}

double thing_value(const thing *t) { return t->value; }
int things_live(void) { return __atomic_load_n(&live, __ATOMIC_RELAXED); }
double things_released(void) { return released; }

part *part_new(thing *of)
{
    part *p = (part *)malloc(sizeof(part));
    p->of = of;
    return p;
}

void part_free(part *p) { free(p); }
double part_value(const part *p) { return p->of->value; }

const unit *unit_kilo(void)
{
    static const unit kilo = {1000};
    return &kilo;
}

void point_at(point *p, double x) { p->x = x; }
double point_x(const point *p) { return p->x; }

static thing *nodes[10];

node_id node_open(double value)
{
    node_id n = 0;
    while (nodes[n] != NULL) n++;
    nodes[n] = thing_new(value);
    return n;
}

void node_close(node_id n)
{
    thing_free(nodes[n]);
    nodes[n] = NULL;
}

double node_value(node_id n) { return nodes[n]->value; }

static double take(thing *t)
{
    double value = t == NULL ? 0 : t->value;
    if (t != NULL) thing_free(t);
    return value;
}

double sum_taken(int n, thing *(*make)(int k, void *data), void *data)
{
    double sum = 0;
    for (int k = 0; k < n; k++) sum += take(make(k, data));
    return sum;
}

double joined(thing *(*next)(int k, const double *x, int *more, void *data), void *data)
{
    double x[2] = {1.5, 2}, sum = 0;
    int more = 1;
    for (int k = 0; more > 0; k++) sum = sum * 10 + take(next(k, x, &more, data));
    return sum;
}

double taken_of(thing *a, thing *(*f)(thing *a, void *data), void *data) { return take(f(a, data)); }
double fallback(thing *(*f)(void *data), void *data) { return take(f(data)); }

double sum_used(int n, thing *(*pick)(int k, void *data), void *data)
{
    thing *all[MOST];
    double sum = 0;
    if (pick == NULL) return -1;
    for (int k = 0; k < n; k++) all[k] = pick(k, data);
    for (int k = 0; k < n; k++) sum += all[k] == NULL ? 0 : all[k]->value;
    return sum;
}

double sum_parts(int n, const part *(*pick)(int k, void *data), void *data)
{
    const part *all[MOST];
    double sum = 0;
    for (int k = 0; k < n; k++) all[k] = pick(k, data);
    for (int k = 0; k < n; k++) sum += all[k] == NULL ? 0 : part_value(all[k]);
    return sum;
}

double sum_of(int n, const picker *of)
{
    double sum = 0;
    for (int k = 0; k < n; k++) {
        const thing *one = of->pick(k, of->params);
        sum += one == NULL ? 0 : one->value;
    }
    return sum;
}

double first_of(thing *(*pick)(void))
{
    thing *one = pick();
    return one == NULL ? -1 : one->value;
}

double choose(thing *a, thing *b, thing *(*f)(thing *a, thing **all, void *data), void *data)
{
    thing *all[2] = {a, b};
    thing *one = f(a, all, data);
    return one == NULL ? -1 : one->value;
}

double factor_of(const unit *(*f)(void *data), void *data)
{
    const unit *one = f(data);
    return one == NULL ? -1 : one->factor;
}

double length_of(int n, const point *(*f)(int k, void *data), void *data)
{
    const point *all[MOST];
    double sum = 0;
    for (int k = 0; k < n; k++) all[k] = f(k, data);
    for (int k = 0; k < n; k++) sum += all[k] == NULL ? 0 : all[k]->x;
    return sum;
}

double sum_nodes(int n, node_id (*make)(int k, void *data), node_id (*pick)(int k, void *data), void *data)
{
    double sum = 0;
    for (int k = 0; k < n; k++) {
        node_id used = pick(k, data), own = make(k, data);
        sum += used < 0 ? 0 : node_value(used);
        if (own >= 0) {
            sum += node_value(own);
            node_close(own);
        }
    }
    return sum;
}

/* ---- Threads ------------------------------------------------------------------------------------------ */

typedef struct {
    thing *(*call)(int k, void *data);
    thing *(*source)(void *data);
    void *data;
    int k;
    thing *got;
} job;

static void *run(void *argument)
{
    job *one = (job *)argument;
    one->got = one->source != NULL ? one->source(one->data) : one->call(one->k, one->data);
    return NULL;
}

static void run_all(job *jobs, int n)
{
    pthread_t threads[16];
    for (int k = 0; k < n; k++) pthread_create(&threads[k], NULL, run, &jobs[k]);
    for (int k = 0; k < n; k++) pthread_join(threads[k], NULL);
}

double on_threads(int n, thing *(*pick)(int k, void *data), void *data)
{
    job jobs[16];
    double sum = 0;
    for (int k = 0; k < n; k++) jobs[k] = (job){pick, NULL, data, k, NULL};
    run_all(jobs, n);
    for (int k = 0; k < n; k++) sum += jobs[k].got == NULL ? 0 : jobs[k].got->value;
    return sum;
}

double taken_on_threads(int n, thing *(*make)(int k, void *data), void *data)
{
    job jobs[16];
    double sum = 0;
    for (int k = 0; k < n; k++) jobs[k] = (job){make, NULL, data, k, NULL};
    run_all(jobs, n);
    for (int k = 0; k < n; k++) sum += take(jobs[k].got);
    return sum;
}

/* ---- Retained callbacks --------------------------------------------------------------------------------- */

struct box {
    thing *(*source)(void *data);
    void *data;
    int count;
    const thing *used[MOST];
};

static void use(box *b, const thing *one)
{
    if (one != NULL) b->used[b->count++] = one;
}

box *box_new(thing *(*source)(void *data), void *data, int calls, bool fails)
{
    box *b = (box *)malloc(sizeof(box));
    b->source = source;
    b->data = data;
    b->count = 0;
    for (int k = 0; source != NULL && k < calls; k++) use(b, source(data));
    if (fails) {
        free(b);
        return NULL;
    }
    return b;
}

void box_free(box *b)
{
    released += box_value(b);
    free(b);
}

void box_set(box *b, thing *(*source)(void *data), void *data)
{
    b->source = source;
    b->data = data;
    b->count = 0;
}

void box_add(box *b, thing *(*make)(void *data), void *data)
{
    (void)b;
    take(make(data));
}

double box_next(box *b)
{
    const thing *one = b->source == NULL ? NULL : b->source(b->data);
    use(b, one);
    return one == NULL ? -1 : one->value;
}

double box_value(const box *b)
{
    double sum = 0;
    for (int k = 0; k < b->count; k++) sum += b->used[k]->value;
    return sum;
}

void box_reset(box *b) { b->count = 0; }

double box_on_threads(box *b, int n)
{
    job jobs[16];
    for (int k = 0; k < n; k++) jobs[k] = (job){NULL, b->source, b->data, k, NULL};
    run_all(jobs, n);
    for (int k = 0; k < n; k++) use(b, jobs[k].got);
    return box_value(b);
}

struct list {
    thing *all[10];
    int n;
    thing *(*pick)(void *data);
    void *data;
};

list *list_new(int n)
{
    list *l = (list *)malloc(sizeof(list));
    l->n = n;
    for (int k = 0; k < n; k++) l->all[k] = thing_new(k);
    l->pick = NULL;
    return l;
}

void list_free(list *l)
{
    for (int k = 0; k < l->n; k++) thing_free(l->all[k]);
    free(l);
}

thing *list_at(list *l, int k) { return l->all[k]; }

void list_pick(list *l, thing *(*pick)(void *data), void *data)
{
    l->pick = pick;
    l->data = data;
}

double list_picked(list *l)
{
    thing *one = l->pick(l->data);
    return one == NULL ? -1 : one->value;
}

static thing *(*watched)(void *data);
static void *watched_data;
static const thing *seen[MOST];
static int count;

void watch(thing *(*source)(void *data), void *data)
{
    watched = source;
    watched_data = data;
    count = 0;
}

double poke(void)
{
    double sum = 0;
    const thing *one = watched == NULL ? NULL : watched(watched_data);
    if (one != NULL) seen[count++] = one;
    for (int k = 0; k < count; k++) sum += seen[k]->value;
    return sum;
}

void unwatch(void)
{
    watched = NULL;
    count = 0;
}
