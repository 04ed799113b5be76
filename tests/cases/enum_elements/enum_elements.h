#include <stddef.h>

enum color { COLOR_RED = 1, COLOR_GREEN, COLOR_YELLOW = 7, COLOR_DARK = -1 };
typedef enum { MODE_R = 1, MODE_W = 2 } mode_type;
typedef unsigned char level;
typedef long long stamp;
#define LOW 3
#define HIGH 200
#define EARLY 0
#define LATE (1LL << 40)

typedef struct {
    double size;
    enum color color;
    level levels[3];
    mode_type mode;
} lamp;

typedef struct {
    lamp lamps[2];
    stamp since;
} street;

static inline long color_sum(size_t n, const enum color *c)
{
    long sum = 0;
    size_t i;
    for (i = 0; i < n; i++) {
        sum += (long)c[i];
    }
    return sum;
}

static inline void color_turn_all(size_t n, enum color *c)
{
    size_t i;
    for (i = 0; i < n; i++) {
        c[i] = c[i] == COLOR_RED ? COLOR_GREEN : c[i] == COLOR_GREEN ? COLOR_YELLOW : COLOR_RED;
    }
}

static inline void color_first(size_t n, enum color *c)
{
    size_t i;
    for (i = 0; i < n && i < 3; i++) {
        c[i] = i == 0 ? COLOR_RED : COLOR_GREEN;
    }
}

static inline long color_grid(size_t m, size_t n, const enum color *c)
{
    return color_sum(m * n, c);
}

static inline long mode_sum(size_t n, const mode_type *m)
{
    long sum = 0;
    size_t i;
    for (i = 0; i < n; i++) {
        sum += (long)m[i];
    }
    return sum;
}

static inline stamp stamp_last(size_t n, const stamp *s) { return n == 0 ? EARLY : s[n - 1]; }

static inline lamp lamp_turned(lamp l)
{
    color_turn_all(1, &l.color);
    return l;
}

static inline void lamp_dim(lamp *l)
{
    l->levels[0] = LOW;
    l->mode = MODE_W;
}

static inline long street_colors(street s)
{
    return (long)s.lamps[0].color + 10 * (long)s.lamps[1].color;
}

typedef int color_seen(enum color one, const enum color *all, size_t n, void *data);

static inline int color_watch(size_t n, const enum color *c, color_seen *seen, void *data)
{
    return seen(c[0], c, n, data);
}

typedef enum color color_chosen(const enum color *all, size_t n, void *data);

static inline enum color color_choose(size_t n, const enum color *c, color_chosen *choose, void *data)
{
    return choose(c, n, data);
}
