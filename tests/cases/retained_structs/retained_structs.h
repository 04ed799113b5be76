#include <stdlib.h>
#include <string.h>

/* The problem of a solver, which stores the address of this struct. */
typedef struct {
    int (*function)(double t, const double *y, double *dydt, void *params);
    int (*jacobian)(double t, const double *y, double *dfdy, void *params);
    size_t dimension;
    const double *rates; /* one for each dimension */
    const char *name;
    int code; /* after an error of the function */
    void *params;
} ks_system;

typedef struct {
    void (*begin)(int step, void *data);
    double (*end)(int step, double value, void *data);
    void *data;
} ks_events;

typedef struct {
    const double *weights;
    int n;
    const char *label;
    double factor;
} ks_option;

typedef struct ks_solver {
    const ks_system *system;
    const ks_events *events;
    const ks_option *options[4];
    int option_count, steps, last;
    const char *note;
    const struct ks_solver *next;
} ks_solver;

static int ks_solvers;
static double ks_freed; /* what the last solver that was freed has read of its memory */

static inline int ks_alive(void) { return ks_solvers; }
static inline double ks_last_freed(void) { return ks_freed; }

static inline double ks_memory(const ks_solver *s)
{
    double sum = s->note == NULL ? 0 : (double)strlen(s->note);
    size_t k;
    int i, j;
    for (k = 0; s->system != NULL && k < s->system->dimension; k++) sum += s->system->rates[k];
    if (s->system != NULL && s->system->name != NULL) sum += (double)strlen(s->system->name);
    for (i = 0; i < s->option_count; i++) {
        for (j = 0; j < s->options[i]->n; j++) sum += s->options[i]->factor * s->options[i]->weights[j];
        sum += (double)strlen(s->options[i]->label);
    }
    return s->next == NULL ? sum : sum + ks_memory(s->next);
}

/* All that it was given must still exist. */
static inline void ks_free(ks_solver *s)
{
    ks_freed = ks_memory(s);
    ks_solvers--;
    free(s);
}

static inline int ks_step(ks_solver *s, double t, double h, double *y)
{
    const ks_system *of = s->system;
    double dydt[8];
    size_t k;
    if (of == NULL || of->dimension > 8) return 2;
    if (s->events != NULL && s->events->begin != NULL) s->events->begin(s->steps, s->events->data);
    s->last = of->function(t, y, dydt, of->params);
    for (k = 0; k < of->dimension && s->last == 0; k++) y[k] += h * of->rates[k] * dydt[k];
    if (s->events != NULL && s->events->end != NULL) y[0] = s->events->end(s->steps, y[0], s->events->data);
    s->steps++;
    return s->last;
}

/* The trace of the matrix, which the second function computes. */
static inline int ks_trace(ks_solver *s, double t, const double *y, double *trace)
{
    double m[64];
    size_t k, n = s->system->dimension;
    if (s->system->jacobian == NULL) return 3;
    s->last = s->system->jacobian(t, y, m, s->system->params);
    for (k = 0, *trace = 0; k < n; k++) *trace += m[k * n + k];
    return s->last;
}

/* NULL, if `fails`; the function is called before, `steps` times. */
static inline ks_solver *ks_new(const ks_system *system, int steps, int fails)
{
    ks_solver *s = (ks_solver *)calloc(1, sizeof *s);
    double y[8] = {0};
    if (s == NULL) return NULL;
    s->system = system;
    for (ks_solvers++; steps > 0; steps--) ks_step(s, 0, 1, y);
    if (fails) {
        ks_free(s);
        return NULL;
    }
    return s;
}

static inline int ks_open(ks_solver **made, const ks_system *system, int fails)
{
    *made = ks_new(system, 0, 0);
    return fails;
}

/* Less than 0: it fails, and stores nothing. */
static inline int ks_set_system(ks_solver *s, const ks_system *system, int fails)
{
    if (fails >= 0) s->system = system;
    return fails;
}

static inline void ks_set_events(ks_solver *s, const ks_events *events) { s->events = events; }

static inline int ks_add_option(ks_solver *s, const ks_option *option)
{
    if (s->option_count == 4) return 1;
    s->options[s->option_count++] = option;
    return 0;
}

static inline int ks_last(const ks_solver *s) { return s->last; }

/* Retained without a struct. */
static inline ks_solver *ks_named(const char *note, const double *weights, int n, const ks_solver *next)
{
    ks_solver *s = ks_new(NULL, 0, weights == NULL || n > 3);
    if (s == NULL) return NULL;
    s->note = note;
    s->next = next;
    return s;
}

/* A hook of the whole library. */
typedef struct {
    double (*function)(double x, void *data);
    void *data;
    const double *table;
    size_t n;
} ks_hook;

static const ks_hook *ks_hooked;

static inline void ks_hook_in(const ks_hook *hook) { ks_hooked = hook; }
static inline void ks_unhook(void) { ks_hooked = NULL; }

static inline double ks_run_hook(double x)
{
    return ks_hooked == NULL ? -1 : ks_hooked->function(x + ks_hooked->table[ks_hooked->n - 1], ks_hooked->data);
}
