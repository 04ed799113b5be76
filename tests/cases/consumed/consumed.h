#include <stdlib.h>

typedef struct node {
    double value;
    int count;
    struct node *children[64];
} node;

typedef struct { node *first; } pair;
typedef struct { node *n; } mark;

static int cs_nodes;

static inline int cs_alive(void) { return cs_nodes; }

static inline node *cs_node(double value)
{
    node *n = (node *)calloc(1, sizeof *n);
    if (n != NULL) {
        n->value = value;
        cs_nodes++;
    }
    return n;
}

static inline void cs_free(node *n)
{
    while (n->count > 0) cs_free(n->children[--n->count]);
    free(n);
    cs_nodes--;
}

static inline void cs_dispose(node *n) { cs_free(n); }
static inline node *cs_child(node *parent, int k) { return k < parent->count ? parent->children[k] : NULL; }
static inline double *cs_values(node *n) { return &n->value; }

static inline double cs_sum(const node *parent)
{
    double sum = parent->value;
    int k;
    for (k = 0; k < parent->count; k++) sum += cs_sum(parent->children[k]);
    return sum;
}

static inline int cs_add(node *parent, node *child, int fail)
{
    if (fail) {
        cs_free(child);
        return 1;
    }
    parent->children[parent->count++] = child;
    return 0;
}

static inline int cs_try_add(node *parent, node *child, int fail) { return fail ? fail : cs_add(parent, child, 0); }

static inline int cs_try_add_all(node *parent, node **children, int n, int fail)
{
    int k;
    for (k = 0; k < n && !fail; k++) cs_add(parent, children[k], 0);
    return fail;
}

static inline node *cs_wrap(node *child, int fail)
{
    node *n = fail ? NULL : cs_node(0);
    if (n != NULL) cs_add(n, child, 0);
    return n;
}

static inline int cs_is_added(node *parent, node *child, int fail) { return cs_try_add(parent, child, fail) == 0; }

static inline int cs_add_optional(node *parent, node *child) { return child == NULL ? 0 : cs_add(parent, child, 0); }

static inline int cs_add_calling(node *parent, node *child, void (*f)(void *data), void *data)
{
    f(data);
    return cs_add(parent, child, 0);
}

static inline pair *cs_pair(node *first, node *const *rest, int n, int fail)
{
    pair *p = fail ? NULL : (pair *)malloc(sizeof *p);
    int k;
    for (k = 0; k < n; k++) cs_add(first, rest[k], 0);
    if (p == NULL) {
        cs_free(first);
        return NULL;
    }
    p->first = first;
    return p;
}

static inline double cs_pair_sum(const pair *p) { return cs_sum(p->first); }

static inline void cs_free_pair(pair *p)
{
    cs_free(p->first);
    free(p);
}

static inline mark *cs_mark(node *n)
{
    mark *m = (mark *)malloc(sizeof *m);
    if (m != NULL) m->n = n;
    return m;
}

static inline void cs_free_mark(mark *m) { free(m); }
