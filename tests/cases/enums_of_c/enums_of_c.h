enum color { COLOR_RED = 1, COLOR_GREEN, COLOR_YELLOW = 7, COLOR_DARK = -1 };
typedef enum { MODE_R = 1, MODE_W = 2 } mode_t_;
typedef unsigned char level;
#define LOW 3
#define HIGH 200

static inline enum color color_next(enum color c)
{
    return c == COLOR_RED ? COLOR_GREEN : c == COLOR_GREEN ? COLOR_YELLOW : COLOR_RED;
}

static inline int color_raw(const enum color *c) { return (int)*c; }
static inline void color_from_raw(int raw, enum color *c) { *c = (enum color)raw; }
static inline void color_turn(int by, enum color *c) { *c = (enum color)((int)*c + by); }
static inline int color_maybe(const enum color *c) { return c == 0 ? -100 : (int)*c; }
static inline mode_t_ mode_merge(mode_t_ a, mode_t_ b) { return (mode_t_)(a | b); }

static inline level level_of(double x, level at_most)
{
    return x > at_most ? at_most : (level)x;
}

static inline int color_name(enum color c) { return 10 * (int)c; }
static inline int mode_name(mode_t_ m) { return 1000 * (int)m; }
static inline int text_name(const char *s) { return s[0]; }
static inline enum color color_of(int raw) { return (enum color)raw; }
static inline double color_shade(enum color c, double x) { return (int)c * x; }
static inline double color_tint(const enum color *c, double x) { return (int)*c * x; }
