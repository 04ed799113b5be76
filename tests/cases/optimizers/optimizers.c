#include "optimizers.h"
#include <math.h>
#include <stdlib.h>

typedef struct {
    opt_function f;
    void *data;
    double tolerance;
} function;

struct opt {
    unsigned n;
    function objective, constraints[8];
    int count, stop;
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

/* What is not a number is asked for again, as COBYLA does. */
static double ask(opt *o, const function *f, const double *x)
{
    double value = NAN;
    while (!o->stop && isnan(value)) {
        value = f->f(o->n, x, NULL, f->data);
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
