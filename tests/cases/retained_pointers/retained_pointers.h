#include <stdlib.h>
#include <string.h>

typedef struct { const double *x; int n; const char *unit; } part;
typedef struct { double low, high; int flag; } span;
typedef struct { double (*f)(double x, void *data); void *data; const span *range; } rule;
typedef struct {
    part one;           /* nested */
    const part *two;    /* pointers to structs with pointers, which have such pointers */
    const rule *check;
    const span *limits; /* pointers to one value each */
    const double *scale;
    span own;
    const char *const *names;
    int k;
    const span *all;
    int m;
    double taps[2];
    int *count;         /* C writes there, also later */
} plan_t;
typedef struct { const plan_t *plan; } user_t;

static inline user_t *rp_new(const plan_t *plan)
{
    user_t *u = (user_t *)malloc(sizeof *u);
    if (u != NULL) u->plan = plan;
    if (plan->count != NULL) ++*plan->count;
    return u;
}
static inline void rp_free(user_t *u) { free(u); }
static inline void rp_set(user_t *u, const plan_t *plan) { u->plan = plan; }
static inline double rp_sum_part(const part *p)
{
    double s = p->unit == NULL ? 0 : (double)strlen(p->unit);
    for (int i = 0; i < p->n; i++) s += p->x[i];
    return s;
}
static inline double rp_at(const user_t *u, int k)
{
    const plan_t *p = u->plan;
    double s = 0;
    switch (k) {
    case 0: return rp_sum_part(&p->one);
    case 1: return rp_sum_part(p->two);
    case 2: return p->limits == NULL ? -1 : p->limits->high - p->limits->low + p->limits->flag;
    case 3: return *p->scale;
    case 4: return p->own.high;
    case 5: for (int i = 0; i < p->k; i++) s += (double)strlen(p->names[i]); return s;
    case 6: for (int i = 0; i < p->m; i++) s += p->all[i].low; return s;
    case 7: return p->taps[0] - p->taps[1];
    case 8: return ++*p->count;
    case 9: return p->check->range->high;
    default: return p->check->f(p->check->range->low, p->check->data);
    }
}
