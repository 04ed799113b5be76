/* Types that are pointers, under names of their own. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef char const *pt_error;
typedef const double *pt_values;
typedef char *pt_string;
typedef struct pt_node { int value; } pt_node;
typedef pt_node *pt_ptr;

static inline pt_error pt_root(double x, double *y)
{
    *y = x < 0 ? 0 : x * x;
    return x < 0 ? "negative" : NULL;
}
static inline size_t pt_length(const pt_error text) { return text == NULL ? 0 : strlen(text); }
static inline pt_error pt_name(void) { return "name"; }
static inline int pt_put(int value, pt_error *error)
{
    *error = value < 0 ? "below zero" : NULL;
    return value + 1;
}
static inline double pt_sum(pt_values x, int n)
{
    double sum = 0;
    while (n-- > 0) {
        sum += x[n];
    }
    return sum;
}
static inline pt_string pt_copy(pt_error text)
{
    pt_string made = (pt_string)malloc(strlen(text) + 1);
    return made == NULL ? NULL : strcpy(made, text);
}
static inline pt_ptr pt_new(int value)
{
    pt_ptr made = (pt_ptr)malloc(sizeof(pt_node));
    if (made != NULL) {
        made->value = value;
    }
    return made;
}
static inline void pt_free(pt_ptr node) { free(node); }
static inline int pt_value(const pt_node *node) { return node->value; }
static inline int pt_longest(pt_error const *names, int n)
{
    int k, longest = 0;
    for (k = 1; k < n; k++) {
        longest = strlen(names[k]) > strlen(names[longest]) ? k : longest;
    }
    return longest;
}
static inline void pt_each(pt_error text, void (*visit)(pt_error word, void *data), void *data)
{
    (void)text;
    visit("one", data);
    visit(text, data);
}

typedef struct { pt_error title; pt_values x; int n; } pt_job;
static inline double pt_run(const pt_job *job) { return pt_sum(job->x, job->n) + (double)pt_length(job->title); }
