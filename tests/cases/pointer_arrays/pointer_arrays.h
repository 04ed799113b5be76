#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct { double weight; } part;
typedef struct { double weight; size_t length; } total;

static int pa_parts;

static inline int pa_alive(void) { return pa_parts; }

static inline part *pa_part(double weight, const char *name)
{
    part *p = (part *)malloc(sizeof *p);
    (void)name;
    if (p != NULL) {
        p->weight = weight;
        pa_parts++;
    }
    return p;
}

static inline void pa_free(part *p)
{
    free(p);
    pa_parts--;
}

static inline char *pa_join(const char *const *names, size_t n, const char *between)
{
    size_t size = 1, k;
    char *text;
    for (k = 0; k < n; k++) size += strlen(names[k]) + strlen(between);
    text = (char *)malloc(size);
    if (text == NULL) return NULL;
    *text = 0;
    for (k = 0; k < n; k++) {
        if (k > 0) strcat(text, between);
        strcat(text, names[k]);
    }
    return text;
}

static inline char *pa_join_in(char **names, int n) { return pa_join((const char *const *)names, (size_t)n, "+"); }

static inline int pa_count(const char *const *names)
{
    int n = 0;
    while (names[n] != NULL) n++;
    return n;
}

static inline int pa_optional(const char **names, int n) { return names == NULL ? -1 : n; }
static inline int pa_small(const char *const *names, signed char n) { return names[n] == NULL ? n : -1; }
static inline int pa_one(const char *name) { return 100 + (int)strlen(name); }

static inline double pa_sum(const double *x, int n)
{
    double sum = 0;
    int k;
    for (k = 0; k < n; k++) sum += x[k];
    return sum + 1000;
}

static inline double pa_weigh(const part *const *parts, int n)
{
    double sum = 0;
    int k;
    for (k = 0; k < n; k++) sum += parts[k]->weight;
    return sum;
}

static inline void pa_double(part **parts, int n, void (*before)(void *data), void *data)
{
    int k;
    before(data);
    for (k = 0; k < n; k++) parts[k]->weight *= 2;
}

static inline double pa_weight(const part *p) { return p->weight; }

/* How many are lighter: in one array, and in another that may be NULL. Both end with NULL. */
static inline int pa_heavier(const part *p, const part *const *parts, const part *const *others)
{
    int n = 0;
    for (; *parts != NULL; parts++) n += (*parts)->weight < p->weight;
    for (; others != NULL && *others != NULL; others++) n += (*others)->weight < p->weight;
    return n;
}

static inline total *pa_total(const part *const *parts, int n, const char *const *names, int m)
{
    total *t = (total *)malloc(sizeof *t);
    int k;
    if (t == NULL) return NULL;
    t->weight = pa_weigh(parts, n);
    t->length = 0;
    for (k = 0; k < m; k++) t->length += strlen(names[k]);
    return t;
}

static inline void pa_free_total(total *t) { free(t); }

static inline void pa_values(const total *t, double *weight, size_t *length)
{
    *weight = t->weight;
    *length = t->length;
}

static inline int pa_callback(const char *const *names, int n,
                              int (*f)(const char *const *names, int n, part *const *parts, void *data), void *data,
                              part *p)
{
    part *both[2];
    both[0] = p;
    both[1] = NULL;
    return f(names, n, both, data);
}
