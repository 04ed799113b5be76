#include "callbacks.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

double
integrate(double (*f)(double x, void *data), void *data, double a, double b, int n)
{
    double sum = 0, step = (b - a) / n;
    int k;
    for (k = 0; k < n; k++) {
        sum += f(a + (k + 0.5) * step, data);
    }
    return sum * step;
}

int
curve_root(const curve *f, double a, double b, double *x)
{
    int k;
    double fa = f->function(a, f->params);
    if (isnan(fa)) {
        return 5;
    }
    for (k = 0; k < 60; k++) {
        double middle = (a + b) / 2, fm = f->function(middle, f->params);
        if (isnan(fm)) {
            return 5;
        }
        if ((fm < 0) == (fa < 0)) {
            a = middle;
        }
        else {
            b = middle;
        }
    }
    *x = (a + b) / 2;
    return 0;
}

double
curve_slope(const curve *f, const curve *g, double x)
{
    double h = 1e-6, one = (f->function(x + h, f->params) - f->function(x - h, f->params)) / (2 * h);
    return g == NULL ? one : one * g->function(x, g->params);
}

int
each_row(int n, row_callback row, void *data)
{
    int k;
    for (k = 0; k < n; k++) {
        char number[] = {(char)('0' + k), 0};
        char *values[] = {number, k % 2 ? NULL : (char *)"even"};
        const char *names[] = {"k", "h\303\266he"};
        int status = row(data, 2, values, names);
        if (status != 0) {
            return status;
        }
    }
    return 0;
}

int
euler(int steps, int n, void (*f)(double t, int n, const double *y, double *dydt, void *ctx), void *ctx, double *y)
{
    double *dydt = malloc(sizeof(double) * (size_t)(n + 1));
    int k, i;
    for (k = 0; k < steps; k++) {
        f(k * 0.1, n, y, dydt, ctx);
        for (i = 0; i < n; i++) {
            y[i] += 0.1 * dydt[i];
        }
    }
    free(dydt);
    return steps;
}

void
scale(int m, int n, void (*f)(int m, int n, double *a, const int *k, void *ctx), void *ctx, double *a)
{
    int k = 3;
    f(m, n, a, &k, ctx);
}

long
divide(long (*f)(long a, long b, long *rest, double *x, void *ctx), void *ctx, long a, long b, double *x)
{
    long rest, quotient;
    *x = 0.5;
    quotient = f(a, b, &rest, x, ctx);
    return quotient * 1000 + rest;
}

static int (*the_order)(double a, double b);

static int
compare(const void *a, const void *b)
{
    return the_order(*(const double *)a, *(const double *)b);
}

void
sort(int n, double *x, int (*order)(double a, double b))
{
    int (*outer)(double, double) = the_order;
    the_order = order;
    qsort(x, (size_t)n, sizeof(double), compare);
    the_order = outer;
}

int
spell(int (*word)(const char *word, const void *raw, int n, void *ctx), void *ctx)
{
    return word == NULL ? -1 : word("gr\303\274n", "a\0b", 3, ctx) + word(NULL, NULL, 0, ctx);
}

double
minimize(double (*f)(double x, void *ctx), double (*gradient)(double x, void *ctx), void *ctx, double x)
{
    int k;
    for (k = 0; k < 100; k++) {
        x -= 0.1 * gradient(x, ctx);
    }
    return f(x, ctx);
}

typedef struct {
    double (*f)(int k, void *ctx);
    void *ctx;
    int k;
    double sum;
} work;

static void *
do_work(void *of)
{
    work *w = of;
    int k;
    for (k = 0; k < 100; k++) {
        w->sum += w->f(w->k, w->ctx);
    }
    return NULL;
}

double
on_threads(int n, double (*f)(int k, void *ctx), void *ctx)
{
    pthread_t threads[16];
    work works[16];
    double sum = 0;
    int k;
    for (k = 0; k < n && k < 16; k++) {
        work w = {f, ctx, k, 0};
        works[k] = w;
        pthread_create(&threads[k], NULL, do_work, &works[k]);
    }
    for (k = 0; k < n && k < 16; k++) {
        pthread_join(threads[k], NULL);
        sum += works[k].sum;
    }
    return sum;
}

double
area(double f(double x), double a, double b)
{
    return (b - a) * (f(a) + f(b)) / 2;
}

int
run(command *first, command_pointer second, int key, command third)
{
    const int sum = first(1, key) + second(2, key);
    return third == NULL ? sum : sum + third(3, key);
}

double
twice(double f)
{
    return 2 * f;
}

struct source {
    void (*heard)(source *from, int what, void *ctx);
    void *ctx;
};

source *
source_new(void)
{
    return calloc(1, sizeof(source));
}

void
source_free(source *source)
{
    source_tell(source, 0);
    free(source);
}

int
source_listen(source *source, void (*heard)(struct source *from, int what, void *ctx), void *ctx)
{
    source->heard = heard;
    source->ctx = ctx;
    return 0;
}

int
source_tell(source *source, int what)
{
    if (source->heard != NULL) {
        source->heard(source, what, source->ctx);
    }
    return source->heard != NULL;
}

static int (*watcher)(int what, void *ctx);
static void *watched;

void
watch(int (*seen)(int what, void *ctx), void *ctx)
{
    watcher = seen;
    watched = ctx;
}

void
unwatch(void)
{
    watcher = NULL;
}

int
show(int what)
{
    return watcher == NULL ? -1 : watcher(what, watched);
}

struct context {
    void *app;
    const char *failed;
    double answer;
};

typedef struct entry {
    char name[16];
    int number;
    handler handler;
    void *app;
    struct entry *next;
} entry;

struct bus {
    entry *first;
};

bus *
bus_new(void)
{
    return calloc(1, sizeof(bus));
}

void
bus_free(bus *bus)
{
    while (bus->first != NULL) {
        entry *first = bus->first;
        bus->first = first->next;
        free(first);
    }
    free(bus);
}

static entry **
bus_find(bus *bus, const char *name, int number)
{
    entry **at = &bus->first;
    while (*at != NULL && (strcmp((*at)->name, name) != 0 || (*at)->number != number)) {
        at = &(*at)->next;
    }
    return at;
}

int
bus_on(bus *bus, const char *name, int number, handler handler, void *app, void (*destroy)(void *app))
{
    entry **at;
    if (strlen(name) >= sizeof((*at)->name) || number < 0 || destroy != NULL) {
        return 1;
    }
    at = bus_find(bus, name, number);
    if (*at == NULL) {
        *at = calloc(1, sizeof(entry));
        if (*at == NULL) {
            return 2;
        }
        strcpy((*at)->name, name);
        (*at)->number = number;
    }
    (*at)->handler = handler;
    (*at)->app = handler == NULL ? NULL : app;
    return 0;
}

int
ask(handler handler, void *app, double x, double *answer)
{
    token one = {x}, two = {2 * x}, *both[] = {&one, &two};
    context ctx = {app, NULL, 0};
    handler(&ctx, 2, both);
    *answer = ctx.answer;
    return ctx.failed == NULL ? 0 : (int)strlen(ctx.failed);
}

int
bus_emit(bus *bus, const char *name, int number, double x, double *answer)
{
    entry *found = *bus_find(bus, name, number);
    return found == NULL || found->handler == NULL ? 3 : ask(found->handler, found->app, x, answer);
}

int
bus_begin(bus *bus, const char *name, handler handler, void *app, double x, double *answer)
{
    int status = bus_on(bus, name, 0, handler, app, NULL);
    return status == 0 ? bus_emit(bus, name, 0, x, answer) : status;
}

bus *
bus_with(const char *name, handler handler, void *app)
{
    bus *made = bus_new();
    if (made != NULL && bus_on(made, name, 0, handler, app, NULL) != 0) {
        bus_free(made);
        made = NULL;
    }
    return made;
}

int
bus_open(const char *name, handler handler, void *app, bus **made)
{
    double answer;
    *made = bus_with(name, handler, app);
    return *made == NULL ? 1 : bus_emit(*made, name, 0, 1, &answer);
}

void *
context_data(context *ctx)
{
    return ctx->app;
}

void
context_fail(context *ctx, const char *why)
{
    ctx->failed = why;
}

void
context_answer(context *ctx, double x)
{
    ctx->answer = x;
}

double
token_value(token *t)
{
    return t->value;
}

static struct {
    int (*seen)(int what, void *ctx);
    void *ctx;
} kinds[8];

void
on_kind(int (*seen)(int what, void *ctx), void *ctx, enum kind kind)
{
    kinds[kind].seen = seen;
    kinds[kind].ctx = ctx;
}

int
emit_kind(enum kind kind, int what)
{
    return kinds[kind].seen == NULL ? -1 : kinds[kind].seen(what, kinds[kind].ctx);
}

void
off_kinds(void)
{
    memset(kinds, 0, sizeof(kinds));
}

int count_texts(const char **strings)
{
    int n = 0;
    while (strings[n] != NULL) n++;
    return n;
}

void attributes(void (*f)(void *data, const char **strings, const double *x), void *data)
{
    const char *strings[] = {"href", "#", NULL};
    const double x[] = {3, 4, 5};
    f(data, strings, x);
    f(data, strings + 2, x);
}
