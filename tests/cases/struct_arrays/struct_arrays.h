#include <stddef.h>

typedef struct {
    char hidden;
    double x;
    int tag;
    float m[2];
} point;

typedef struct {
    point of[2];
} pair;

static const point START = {'h', 1, 2, {3, 4}};

static inline double total(size_t n, const point x[])
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += x[i].x * x[i].tag + x[i].m[1];
    }
    return sum;
}

static inline void line(size_t n, double step, point y[])
{
    for (size_t i = 0; i < n; i++) {
        y[i].x = step * (double)i;
    }
}

static inline void move(size_t n, point x[], double by)
{
    for (size_t i = 0; i < n; i++) {
        x[i].x += by;
    }
}

static inline double corner(size_t m, size_t n, const point *a) { return a[m * n - 1].x + 10 * a[1].x; }

static inline void swap(pair *p)
{
    point first = p->of[0];
    p->of[0] = p->of[1];
    p->of[1] = first;
}

static inline double plain(size_t n, const double x[]) { return n > 0 ? x[0] : 0; }

/* The same of several arrays, to whose rows C receives pointers. */
static inline double total_rows(const point *const *rows, size_t m, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < m; i++) {
        sum += total(n, rows[i]);
    }
    return sum;
}

static inline void move_all(point **rows, const int *lengths, int m, double by)
{
    for (int i = 0; i < m; i++) {
        move((size_t)lengths[i], rows[i], by);
    }
}

enum color { RED = 1, GREEN = 2 };

typedef struct {
    enum color color;
    double size;
} lamp;

static inline int reds(size_t n, const lamp x[])
{
    int count = 0;
    for (size_t i = 0; i < n; i++) {
        count += x[i].color == RED;
    }
    return count;
}

static inline void paint(size_t n, lamp x[])
{
    for (size_t i = 0; i < n; i++) {
        x[i].color = GREEN;
    }
}
