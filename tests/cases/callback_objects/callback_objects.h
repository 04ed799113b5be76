#include <stdbool.h>

typedef struct thing thing;
typedef struct part part;
typedef struct unit unit;
typedef struct { double x; } point;
typedef int node_id;
typedef struct box box;
typedef struct list list;
typedef struct { const thing *(*pick)(int k, void *params); void *params; } picker;

thing *thing_new(double value);
void thing_free(thing *t);
double thing_value(const thing *t);
int things_live(void);
double things_released(void);

part *part_new(thing *of);
void part_free(part *p);
double part_value(const part *p);

const unit *unit_kilo(void);

void point_at(point *p, double x);
double point_x(const point *p);

/* -1 is not a node. */
node_id node_open(double value);
void node_close(node_id n);
double node_value(node_id n);

/* The results of `make`, `next` and `f` are freed. */
double sum_taken(int n, thing *(*make)(int k, void *data), void *data);
double joined(thing *(*next)(int k, const double *x, int *more, void *data), void *data);
double taken_of(thing *a, thing *(*f)(thing *a, void *data), void *data);
double taken_on_threads(int n, thing *(*make)(int k, void *data), void *data);
double fallback(thing *(*f)(void *data), void *data);

/* The results are used after all calls. */
double sum_used(int n, thing *(*pick)(int k, void *data), void *data);
double sum_parts(int n, const part *(*pick)(int k, void *data), void *data);
double sum_of(int n, const picker *of);
double first_of(thing *(*pick)(void));
double choose(thing *a, thing *b, thing *(*f)(thing *a, thing **all, void *data), void *data);
double factor_of(const unit *(*f)(void *data), void *data);
double length_of(int n, const point *(*f)(int k, void *data), void *data);
double sum_nodes(int n, node_id (*make)(int k, void *data), node_id (*pick)(int k, void *data), void *data);
double on_threads(int n, thing *(*pick)(int k, void *data), void *data);

/* A box calls `source` as often at first, and uses all results until it is freed, or reset. */
box *box_new(thing *(*source)(void *data), void *data, int calls, bool fails);
void box_free(box *b);
void box_set(box *b, thing *(*source)(void *data), void *data);
void box_add(box *b, thing *(*make)(void *data), void *data);
double box_next(box *b);
double box_value(const box *b);
void box_reset(box *b);
double box_on_threads(box *b, int n);

list *list_new(int n);
void list_free(list *l);
thing *list_at(list *l, int k);
void list_pick(list *l, thing *(*pick)(void *data), void *data);
double list_picked(list *l);

void watch(thing *(*source)(void *data), void *data);
double poke(void);
void unwatch(void);
