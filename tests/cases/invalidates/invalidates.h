#ifndef INVALIDATES_H
#define INVALIDATES_H
#include <stdlib.h>

enum { MOST = 8 };

typedef struct node {
    double value, values[MOST];
    int count;
    struct node *children[MOST];
} node;
typedef struct { node *of; } cursor;

static int nodes;

static inline node *node_new(double value)
{
    node *n = (node *)calloc(1, sizeof *n);
    if (n != NULL) {
        n->value = value;
        nodes++;
    }
    return n;
}
static inline void node_free(node *n)
{
    for (int k = 0; k < n->count; k++) node_free(n->children[k]);
    n->value = -1;
    free(n);
    nodes--;
}
static inline int node_count(const node *n) { return n->count; }
static inline double node_value(const node *n) { return n->value; }
static inline node *node_child(node *parent, int k)
{
    return k >= 0 && k < parent->count ? parent->children[k] : NULL;
}
static inline node *node_add(node *parent, double value)
{
    if (parent->count == MOST) return NULL;
    parent->values[parent->count] = value;
    return parent->children[parent->count++] = node_new(value);
}
static inline double *node_values(node *n) { return n->values; }
static inline node *node_detach(node *parent, int k)
{
    node *found = node_child(parent, k);
    if (found != NULL) {
        parent->count--;
        for (; k < parent->count; k++) {
            parent->children[k] = parent->children[k + 1];
            parent->values[k] = parent->values[k + 1];
        }
    }
    return found;
}
static inline node *node_detach_item(node *parent, node *item)
{
    for (int k = 0; k < parent->count; k++) {
        if (parent->children[k] == item) return node_detach(parent, k);
    }
    return NULL;
}
static inline int node_remove(node *parent, int k)
{
    node *found = node_detach(parent, k);
    if (found == NULL) return 1;
    node_free(found);
    return 0;
}
static inline void node_each(node *n, void (*f)(double value, void *data), void *data)
{
    for (int k = 0; k < n->count; k++) f(n->children[k]->value, data);
}
static inline int node_remove_calling(node *parent, int k, void (*f)(void *data), void *data)
{
    f(data);
    return node_remove(parent, k);
}
static inline void node_clear(node *parent)
{
    while (parent != NULL && parent->count > 0) node_remove(parent, 0);
}
static inline cursor *cursor_new(node *n)
{
    cursor *c = (cursor *)malloc(sizeof *c);
    if (c != NULL) c->of = n;
    return c;
}
static inline void cursor_free(cursor *c)
{
    if (c->of->value < 0) abort();
    free(c);
}
static inline double cursor_value(const cursor *c) { return c->of->value; }
static inline int node_number(void) { return nodes; }
#endif
