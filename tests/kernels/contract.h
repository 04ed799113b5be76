/* C functions that report the order of their arguments' elements, and change them in the same order. */
#include <stdint.h>

/* A scalar by value: changes by C are not visible. */
static inline void see(int64_t s) { (void)s; }
static inline int64_t plus_twenty(int64_t s) { return s + 20; }

/* A pointer to a scalar. */
static inline void bump(int64_t *s) { *s += 10; }
static inline int64_t bump_and_tell(int64_t *s)
{
    *s += 10;
    return *s + 20;
}

/* Elements in the order of memory: a weighted sum, and the i-th grows by 10*i + 1. */
static inline int64_t touch(int64_t n, int64_t *a)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < n; i++) {
        sum += (i + 1) * a[i];
        a[i] += 10 * i + 1;
    }
    return sum;
}

/* The same of a matrix, in whichever layout it is. */
static inline int64_t touch_matrix(int64_t m, int64_t n, int64_t *a) { return touch(m * n, a); }

/* Of two. */
static inline int64_t touch_two(int64_t m, int64_t n, int64_t *a, int64_t *b)
{
    return touch(m * n, a) + 1000000 * touch(m * n, b);
}

/* Only reads. */
static inline int64_t weigh(int64_t n, const int64_t *a)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < n; i++) sum += (i + 1) * a[i];
    return sum;
}
static inline int64_t weigh_matrix(int64_t m, int64_t n, const int64_t *a) { return weigh(m * n, a); }
static inline int64_t weigh_two(int64_t m, int64_t n, const int64_t *a, const int64_t *b)
{
    return weigh(m * n, a) + 1000000 * weigh(m * n, b);
}

/* The number of the function shows which kind was chosen. */
static inline int64_t of_c(int64_t m, int64_t n, const int64_t *a) { return 1000 + 0 * weigh_matrix(m, n, a); }
static inline int64_t of_fortran(int64_t m, int64_t n, const int64_t *a) { return 2000 + 0 * weigh_matrix(m, n, a); }
static inline int64_t of_any(int64_t m, int64_t n, const int64_t *a) { return 3000 + 0 * weigh_matrix(m, n, a); }

/* Every size from which a default may be computed. */
static inline int64_t sizes(int64_t m, int64_t n, const int64_t *a, int64_t length, int64_t ndim, int64_t last)
{
    (void)a;
    return m + 10 * n + 100 * length + 1000 * ndim + 10000 * last;
}
