#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* `hidden` is not visible, and moves the following fields. */
typedef struct {
    char hidden;
    double x;
    int tag;
    double y;
    double m[3];
} point;

struct box {
    point low, high;
    unsigned char flags;
    float complex z;
    short grid[2][3];
    bool full;
};

enum { POINT_SIZE = (int)sizeof(point), BOX_SIZE = (int)sizeof(struct box) };

static const point ORIGIN = {0, 0, 7, 0, {0, 0, 0}};

static inline point point_add(point a, point b)
{
    point sum = a;
    sum.x += b.x;
    sum.y += b.y;
    sum.tag += b.tag;
    sum.m[2] = b.m[2] + 1;
    return sum;
}

static inline double point_norm(const point *p) { return sqrt(p->x * p->x + p->y * p->y); }
static inline void point_move(point *p, double dx) { p->x += dx; }

static inline void point_polar(double r, double phi, point *p)
{
    p->x = r * cos(phi);
    p->y = r * sin(phi);
}

static inline double point_maybe(const point *p) { return p == NULL ? -1 : p->x; }

static inline struct box box_of(point low, point high)
{
    struct box b = {low, high, 255, 1.0f + 2.0f * I, {{1, 2, 3}, {4, 5, 6}}, true};
    return b;
}

static inline double box_area(struct box b) { return (b.high.x - b.low.x) * (b.high.y - b.low.y); }
static inline double point_shift(point p, double x) { return p.x + x; }
