#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Functions that store objects in an array of their caller. */
typedef struct fl_node {
    double value;
    int owned;
} fl_node;

typedef struct {
    int count;
    fl_node children[4];
} fl_tree;

static long fl_nodes_alive;

static inline long fl_alive(void) { return fl_nodes_alive; }

static inline fl_node *fl_new(double value)
{
    fl_node *node = (fl_node *)calloc(1, sizeof *node);
    if (node == NULL) return NULL;
    fl_nodes_alive++;
    node->value = value;
    node->owned = 1;
    return node;
}

static inline void fl_free(fl_node *node)
{
    fl_nodes_alive--;
    free(node);
}

static inline double fl_value(const fl_node *node) { return node->value; }

/* A failure after half of them; 9: NULL for the second. */
static inline int fl_make(fl_node **nodes, int n, int code)
{
    int k;
    for (k = 0; k < n; k++) {
        if (code != 0 && code != 9 && k == n / 2) return code;
        nodes[k] = code == 9 && k == 1 ? NULL : fl_new(k);
    }
    return 0;
}

static inline fl_tree *fl_tree_new(int count)
{
    fl_tree *tree = (fl_tree *)calloc(1, sizeof *tree);
    int k;
    if (tree == NULL) return NULL;
    tree->count = count;
    for (k = 0; k < count && k < 4; k++) tree->children[k].value = 10 * k;
    return tree;
}

static inline void fl_tree_free(fl_tree *tree) { free(tree); }

/* The number of children, of which `room` are stored at most. */
static inline int fl_children(fl_tree *tree, fl_node **nodes, int room)
{
    int k, count = tree->count < room ? tree->count : room;
    for (k = 0; k < count; k++) nodes[k] = &tree->children[k];
    return count;
}

static inline void fl_pair(fl_node *nodes[2])
{
    nodes[0] = fl_new(1);
    nodes[1] = fl_new(2);
}

/* Objects that are integers, of which -1 is none. */
typedef int fl_id;

static int fl_ids[8];

static inline int fl_open_ids(void)
{
    int k, count = 0;
    for (k = 0; k < 8; k++) count += fl_ids[k];
    return count;
}

static inline fl_id fl_open(void)
{
    int k;
    for (k = 0; k < 8; k++) {
        if (!fl_ids[k]) {
            fl_ids[k] = 1;
            return k;
        }
    }
    return -1;
}

static inline void fl_close(fl_id id) { fl_ids[id] = 0; }

static inline int fl_open_all(int n, fl_id *ids, int *opened)
{
    int k;
    for (k = 0; k < n && k < 3; k++) ids[k] = fl_open();
    *opened = k;
    return n > 5;
}

static inline int fl_sum(const fl_id *ids, int n)
{
    int k, sum = 0;
    for (k = 0; ids != NULL && k < n; k++) sum += ids[k];
    return ids == NULL ? -n - 1 : sum;
}

static inline void fl_close_all(fl_id *ids, size_t n)
{
    size_t k;
    for (k = 0; k < n; k++) fl_close(ids[k]);
}
