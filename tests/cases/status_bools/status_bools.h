#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static const char *sb_last;
static inline const char *sb_why(void) { return sb_last; }

static inline bool sb_half(int n, int *half)
{
    *half = n / 2;
    sb_last = n % 2 == 0 ? NULL : "it is odd";
    return n % 2 == 0;
}
static inline int sb_code(int n)
{
    sb_last = NULL;
    return n;
}
static inline _Bool sb_flag(int n) { return n < 0; }
static inline bool sb_plain(int n) { return n > 0; }
static inline double sb_root(double x, bool *ok)
{
    if (x < 0) {
        sb_last = "it is negative";
        *ok = false;
    }
    return sqrt(x);
}

typedef struct { int limit, total; } counter;
static int sb_open_now;
static inline int sb_counters(void) { return sb_open_now; }
static inline const char *sb_reason(const counter *c) { return c->limit < 0 ? "the limit is negative" : "that is too much"; }
/* Stores the counter in any case, for its reason. */
static inline bool sb_open(int limit, counter **made)
{
    *made = (counter *)malloc(sizeof **made);
    if (*made == NULL) return false;
    (*made)->limit = limit;
    (*made)->total = 0;
    sb_open_now++;
    return limit >= 0;
}
static inline void sb_close(counter *c)
{
    sb_open_now--;
    free(c);
}
static inline bool sb_add(counter *c, int n)
{
    if (c->total + n > c->limit) return false;
    c->total += n;
    return true;
}
static inline int sb_total(const counter *c) { return c->total; }

static inline bool sb_each(int n, bool (*f)(int k, void *data), void *data)
{
    int k;
    sb_last = "a call has failed";
    for (k = 0; k < n; k++) {
        if (!f(k, data)) return false;
    }
    return n != 3;
}
