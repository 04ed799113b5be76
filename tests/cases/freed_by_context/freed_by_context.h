#include <stdlib.h>

/* Each part is allocated in a pool, and freed with that pool. */
typedef struct { int parts, strict; long last; } pool;
typedef struct { pool as_pool; long size; } arena;
typedef struct part { long value; const pool *of; struct part *inner; } part;
typedef struct { long value; } label;

static int fc_wrong;  /* frees with another pool */
static int fc_pools;

static inline pool *fc_pool_new(void)
{
    pool *p = (pool *)calloc(1, sizeof *p);
    if (p != NULL) fc_pools++;
    return p;
}
static inline void fc_pool_free(pool *p) { if (p->parts != 0) fc_wrong++; fc_pools--; free(p); }
static inline arena *fc_arena_new(void)
{
    arena *a = (arena *)calloc(1, sizeof *a);
    if (a != NULL) fc_pools++;
    return a;
}
static inline void fc_arena_free(arena *a) { fc_pool_free(&a->as_pool); }
static inline void fc_release(pool *p, part *x)
{
    if (x->of != p) fc_wrong++;
    if (x->inner != NULL) fc_release(p, x->inner);
    p->parts--;
    p->last = x->value;
    free(x);
}
static inline part *fc_part(pool *p, long value)
{
    part *x;
    if (value < 0) return NULL;
    x = (part *)calloc(1, sizeof *x);
    if (x != NULL) { x->value = value; x->of = p; p->parts++; }
    return x;
}
/* Stores a part, and fails for odd numbers. */
static inline int fc_make(long value, part **made, pool *p) { *made = fc_part(p, value); return (int)(value % 2); }
static inline part *fc_copy(const part *x, pool *p) { return fc_part(p, x->value); }
static inline part *fc_around(pool *p, part *inner)
{
    part *x = fc_part(p, inner->value + 1);
    if (x != NULL) x->inner = inner;
    return x;
}
static inline long fc_value(const part *x) { return x->value; }
static inline const part *fc_inner(const part *x) { return x->inner; }
static inline int fc_count(const pool *p) { return p->parts; }
static inline long fc_last(const pool *p) { return p->last; }
static inline int fc_errors(void) { return fc_wrong; }
static inline int fc_open(void) { return fc_pools; }

/* A destructor with a return code and flags. */
static inline label *fc_label(long value)
{
    label *x = (label *)malloc(sizeof *x);
    if (x != NULL) x->value = value;
    return x;
}
static inline long fc_label_value(const label *x) { return x->value; }
static int fc_labels_freed;
static inline int fc_label_free(label *x, unsigned flags, int *status)
{
    if (flags != 0 || *status != 0) return *status;
    fc_labels_freed++;
    *status = x->value < 0 ? 7 : 0;
    free(x);
    return *status;
}
static inline int fc_freed(void) { return fc_labels_freed; }
