#include <stdlib.h>
#include <string.h>

typedef struct { const double *x; int n; const char *unit; } part;
typedef struct { double low, high; int flag; } span;
typedef struct { double (*f)(double x, void *data); void *data; const span *range; } rule;
typedef struct {
    part one;           /* nested */
    const part *two;    /* pointers to structs with pointers, which have such pointers */
    const rule *check;
    const span *limits; /* a pointer to one value */
} plan_t;
typedef struct {
    const double *scale;
    span own;
    const char *const *names;
    int k;
    const span *all;
    int m;
    double taps[2];
    int *count;         /* C writes there, also later */
} data_t;
typedef struct { const plan_t *plan; const data_t *data; } user_t;

static inline user_t *rp_new(const plan_t *plan)
{
    user_t *u = (user_t *)calloc(1, sizeof *u);
    if (u != NULL) u->plan = plan;
    return u;
}
static inline void rp_free(user_t *u) { free(u); }
static inline void rp_set(user_t *u, const plan_t *plan) { u->plan = plan; }
static inline void rp_set_data(user_t *u, const data_t *data)
{
    u->data = data;
    ++*data->count;
}
static inline double rp_sum_part(const part *p)
{
    double s = p->unit == NULL ? 0 : (double)strlen(p->unit);
    for (int i = 0; i < p->n; i++) s += p->x[i];
    return s;
}
static inline double rp_at(const user_t *u, int k)
{
    const plan_t *p = u->plan;
    const data_t *d = u->data;
    double s = 0;
    switch (k) {
    case 0: return rp_sum_part(&p->one);
    case 1: return rp_sum_part(p->two);
    case 2: return p->limits == NULL ? -1 : p->limits->high - p->limits->low + p->limits->flag;
    case 3: return *d->scale;
    case 4: return d->own.high;
    case 5: for (int i = 0; i < d->k; i++) s += (double)strlen(d->names[i]); return s;
    case 6: for (int i = 0; i < d->m; i++) s += d->all[i].low; return s;
    case 7: return d->taps[0] - d->taps[1];
    case 8: return ++*d->count;
    case 9: return p->check->range->high;
    default: return p->check->f(p->check->range->low, p->check->data);
    }
}
