/* Structs in memory of C: its own, and such that the caller frees. */
#include <stdlib.h>

typedef struct {
    double x, y;
    int tag;
} sp_point;

static int sp_made, sp_freed;
static inline int sp_alive(void) { return sp_made - sp_freed; }

static inline sp_point *sp_new(double x, double y)
{
    sp_point *p = x < 0 ? NULL : (sp_point *)malloc(sizeof(sp_point));
    if (p != NULL) {
        p->x = x;
        p->y = y;
        p->tag = 1;
        sp_made++;
    }
    return p;
}
static inline void sp_free(sp_point *p)
{
    if (p != NULL) sp_freed++;
    free(p);
}
static inline int sp_split(double x, sp_point **left, sp_point **right)
{
    *left = sp_new(x - 1, 0);
    *right = sp_new(x + 1, 0);
    return x > 99;
}
static sp_point sp_points[2] = {{0, 0, 10}, {1, 1, 11}};
static inline sp_point *sp_known(int k) { return k < 0 || k > 1 ? NULL : &sp_points[k]; }
