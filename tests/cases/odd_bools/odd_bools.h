#include <stdbool.h>
#include <stddef.h>

typedef void (*maker)(size_t n, bool *x);
typedef void (*changer)(size_t n, bool *x);

/* As bytes, since a `bool` of 2 is undefined. */
static inline long odd(size_t n, const bool *x)
{
    const unsigned char *bytes = (const unsigned char *)x;
    long count = 0;
    for (size_t i = 0; i < n; i++) count += bytes[i] > 1;
    return count;
}

static inline long odd_one(bool x) { return odd(1, &x); }
static inline long odd_rows(size_t m, size_t n, const bool *x) { return odd(m * n, x); }
static inline long odd_inplace(size_t n, bool *x)
{
    long count = odd(n, x);
    if (n > 0) x[0] = !x[0];
    return count;
}
static inline void fill(size_t n, bool *x) { for (size_t i = 0; i < n; i++) x[i] = i % 2; }
static inline long made(maker f)
{
    bool x[4] = {false, false, false, false};
    f(4, x);
    return odd(4, x);
}
static inline long changed(changer f)
{
    bool x[4] = {false, false, false, false};
    f(4, x);
    return odd(4, x);
}
