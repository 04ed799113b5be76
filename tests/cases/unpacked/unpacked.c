#include "unpacked.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long blocks;
long resamplings;

double
dot(struct vec a, const struct vec *b)
{
    double sum = 0;
    size_t k;
    for (k = 0; k < a.n && k < b->n; k++) {
        sum += a.data[k] * b->data[k];
    }
    return sum;
}

double
total(const struct vec *v)
{
    double sum = 0;
    size_t k;
    for (k = 0; k < v->n; k++) {
        sum += v->data[k];
    }
    return sum;
}

/* Repeats each frame `ratio` times. */
int
resample(resampling *data, int channels)
{
    long frame, channel, times = (long)data->ratio;
    resamplings++;
    if (times < 1) {
        return 2;
    }
    for (frame = 0; frame < data->in_count && (frame + 1) * times <= data->out_count; frame++) {
        for (channel = 0; channel < channels * times; channel++) {
            data->out[frame * channels * times + channel] = data->in[frame * channels + channel % channels];
        }
    }
    data->used = frame;
    data->written = frame * times;
    return 0;
}

int
filter_run(filter *f, double factor)
{
    int k;
    for (k = 0; k < 3; k++) {
        f->taps[k] *= factor;
        f->level += (float)f->taps[k];
    }
    snprintf(f->label, sizeof(f->label), "by %g", factor);
    for (k = 0; k < 4; k++) {
        f->counts[k / 2][k % 2] = k;
    }
    f->done = factor > 0;
    return 0;
}

double
filter_gain(filter f)
{
    return f.taps[0] + 10 * f.taps[1] + 100 * f.taps[2];
}

void
greet(struct greeting *g)
{
    size_t size = strlen(g->who) + 32;
    if (strlen(g->who) == 0) {
        g->error = 7;
        return;
    }
    g->text = malloc(size);
    blocks++;
    snprintf(g->text, size, "%s, %s", g->how == NULL ? "Hello" : g->how, g->who);
    g->language = "en";
}

void
release(void *memory)
{
    blocks -= memory != NULL;
    free(memory);
}

long
alive(void)
{
    return blocks;
}

struct view {
    const double *data;
    size_t n;
};

view *
view_new(const struct vec *v)
{
    view *made = malloc(sizeof(view));
    made->data = v->data;
    made->n = v->n;
    blocks++;
    return made;
}

void
view_free(view *v)
{
    release(v);
}

double
view_at(const view *v, size_t index)
{
    return index < v->n ? v->data[index] : NAN;
}

struct counter {
    int value;
};

counter *
counter_new(int start)
{
    counter *c = malloc(sizeof(counter));
    c->value = start;
    blocks++;
    return c;
}

void
counter_free(counter *c)
{
    release(c);
}

int
counter_value(const counter *c)
{
    return c->value;
}

int
add(struct sum *s)
{
    int sum = s->left->value + (s->right == NULL ? 0 : s->right->value);
    if (sum < s->limits.low || sum > s->limits.high || (s->more != NULL && sum > s->more->high)) {
        return 1;
    }
    s->made = counter_new(sum);
    return 0;
}

static double
weighted(const struct vec *x, const struct weights *w)
{
    double sum = 0;
    size_t k;
    for (k = 0; k < x->n; k++) {
        sum += w->scale * w->values[k % w->n] * x->data[k];
    }
    return sum;
}

double
solve(const struct problem *p, double shift)
{
    return weighted(&p->x, &p->w) + 1000 * weighted(&p->x, p->prior) + p->shift + 0.5 * shift;
}

int
integrate(struct quadrature *q)
{
    int k;
    double h = (q->b - q->a) / q->steps;
    q->result = 0;
    for (k = 0; k < q->steps; k++) {
        double y = q->f(q->a + (k + 0.5) * h, q->data);
        if (isnan(y)) {
            return 1;
        }
        q->result += h * y;
    }
    return 0;
}

double
measure(const struct value *v)
{
    switch (v->type) {
    case VALUE_NUMBER: return v->as.number;
    case VALUE_STRING: return -(double)strlen(v->as.string);
    default: return 100 * (double)v->as.array.n + total(&v->as.array);
    }
}

struct points
spaced(double first, double last, size_t n)
{
    struct points made = {NULL, 0, 0};
    size_t k;
    if (n < 2) {
        made.error = 5;
        return made;
    }
    made.data = malloc(n * sizeof(double));
    made.n = n;
    blocks++;
    for (k = 0; k < n; k++) {
        made.data[k] = first + (double)k * (last - first) / (double)(n - 1);
    }
    return made;
}

struct summary
summarize(struct vec v)
{
    struct summary made = {total(&v) / (double)v.n, {v.data[0], v.data[0]}, "", "m"};
    size_t k;
    for (k = 0; k < v.n; k++) {
        made.extremes[0] = fmin(made.extremes[0], v.data[k]);
        made.extremes[1] = fmax(made.extremes[1], v.data[k]);
    }
    snprintf(made.label, sizeof(made.label), "of %d", (int)v.n);
    return made;
}

double
labelled(const struct labels *l)
{
    double sum = 0;
    int k;
    for (k = 0; k < l->n; k++) {
        sum += (double)strlen(l->names[k]) * l->counters[k]->value;
    }
    return sum;
}

void
scale(struct scaling *s)
{
    int k;
    *s->norm = 0;
    for (k = 0; k < s->n; k++) {
        s->data[k] = s->data[k] * s->factor + *s->offset;
        *s->norm += creal(s->data[k]) * creal(s->data[k]) + cimag(s->data[k]) * cimag(s->data[k]);
    }
}
