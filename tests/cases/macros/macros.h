#include <stddef.h>

#define square(x) ((x) * (x))
#define add_all(n, x, y)                                                                        \
    for (size_t fp_k = 0; fp_k < (n); fp_k++)                                                   \
        (y)[fp_k] += (x)[fp_k]
#define checked(code) ((code) > 2 ? (code) : 0)

static inline double half(double x)
{
    return x / 4;
}
#define half(x) (2 * half(x))

static inline double plain(double x)
{
    return x + 1;
}

static inline double other(double x)
{
    return x + 2;
}
#define renamed other
