#include "optimizers.h"
#include <pthread.h>
#include <stdlib.h>

typedef struct {
    opt_function f;
    void *data;
    double tolerance;
} function;

struct opt {
    unsigned n;
    double last;
    function objective, constraints[8];
    int count, stop, gradients;
};

opt *opt_new(unsigned n)
{
    opt *o = (opt *)calloc(1, sizeof(opt));
    o->n = n;
    return o;
}

void opt_free(opt *o) { free(o); }

int opt_force_stop(opt *o)
{
    o->stop = 1;
    return 1;
}

int opt_set_objective(opt *o, opt_function f, void *data)
{
    o->objective.f = f;
    o->objective.data = data;
    return 0;
}

int opt_add_constraint(opt *o, opt_function f, void *data, double tolerance)
{
    if (f == NULL) {
        o->count = 0;
        return 0;
    }
    if (o->count == 8) {
        return -2;
    }
    o->constraints[o->count].f = f;
    o->constraints[o->count].data = data;
    o->constraints[o->count++].tolerance = tolerance;
    return 0;
}

void opt_use_gradients(opt *o, int use) { o->gradients = use; }

opt *opt_with(unsigned n, opt_function f, void *data)
{
    opt *o = opt_new(n);
    double x[8] = {0};
    opt_set_objective(o, f, data);
    if (isnan(f(n, x, NULL, data))) {
        opt_free(o);
        return NULL;
    }
    return o;
}

static int stopped, noted;

int stop_after(const int *places, int number)
{
    stopped = places[1];
    return number;
}

int rounds(int (*f)(int number, void *data), void *data, const char *name, const int *places, int n, double scale)
{
    int number = 0, last = 0;
    (void)name, (void)places, (void)n, (void)scale;
    stopped = 1000000;
    while (number < stopped) {
        last = f(++number, data);
    }
    return last;
}

void note(const char *name) { noted += name[0]; }

int notes(void)
{
    int count = noted;
    noted = 0;
    return count;
}

typedef struct {
    opt *o;
    double (*f)(int number, void *data);
    void *data;
    double last;
} work;

static void *run(void *data)
{
    work *w = (work *)data;
    int k;
    w->o->stop = 0;
    for (k = 0; !w->o->stop; k++) {
        w->last = w->f(k, w->data);
    }
    return NULL;
}

double rounds_of(opt *o, double (*f)(int number, void *data), void *data, const char *name, double worst, float scale)
{
    work w = {o, f, data, 0};
    pthread_t thread;
    (void)name, (void)worst, (void)scale;
    if (pthread_create(&thread, NULL, run, &w) == 0) {
        pthread_join(thread, NULL);
    }
    o->last = w.last;
    return w.last;
}

double opt_last(opt *o) { return o->last; }

static struct {
    void (*f)(int step, void *data);
    void *data;
} steps[4];
static int step_count;

void on_step(void (*f)(int step, void *data), void *data)
{
    if (step_count < 4) {
        steps[step_count].f = f;
        steps[step_count++].data = data;
    }
}

void off_steps(void) { step_count = 0; }

/* A NaN is evaluated again, as in COBYLA. */
static double ask(opt *o, const function *f, const double *x)
{
    double value = NAN, gradient[8];
    while (!o->stop && isnan(value)) {
        value = f->f(o->n, x, o->gradients ? gradient : NULL, f->data);
        o->last = o->gradients ? gradient[0] : 0;
    }
    return value;
}

static double total(opt *o, const double *x)
{
    double sum = ask(o, &o->objective, x);
    int k;
    for (k = 0; k < o->count && !o->stop; k++) {
        double over = ask(o, &o->constraints[k], x) - o->constraints[k].tolerance;
        sum += over > 0 ? 1e6 * over : 0;
    }
    return sum;
}

int opt_minimize(opt *o, unsigned n, double *x, double *value)
{
    double size = 1;
    int step = 0;
    o->stop = 0;
    if (o->objective.f == NULL || n != o->n) {
        return -2;
    }
    *value = total(o, x);
    while (size > 1e-9 && !o->stop) {
        unsigned i;
        int k, better = 0;
        for (k = 0; k < step_count; k++) {
            steps[k].f(step, steps[k].data);
        }
        step++;
        for (i = 0; i < 2 * n && !o->stop; i++) {
            double old = x[i / 2], next;
            x[i / 2] += i % 2 ? -size : size;
            next = total(o, x);
            if (next < *value) {
                *value = next;
                better = 1;
            }
            else {
                x[i / 2] = old;
            }
        }
        size = better ? size : size / 2;
    }
    return o->stop ? -5 : 0;
}
