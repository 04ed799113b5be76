#include <stdbool.h>
#include <stddef.h>

typedef struct { bool a, b; } pair;
typedef struct { bool on; bool many[3]; pair two[2]; int n; } flags;

/* As bytes, since a `bool` of 2 is undefined. */
static inline long odd(size_t n, const bool *x)
{
    const unsigned char *bytes = (const unsigned char *)x;
    long count = 0;
    for (size_t i = 0; i < n; i++) count += bytes[i] > 1;
    return count;
}

static inline long odd_flags(flags f) { return odd(offsetof(flags, n), &f.on); }
static inline long odd_flags_inplace(flags *f) { f->n++; return odd_flags(*f); }
static inline long odd_many(size_t n, const flags *f)
{
    long count = 0;
    for (size_t i = 0; i < n; i++) count += odd(offsetof(flags, n), (const bool *)&f[i]);
    return count;
}
static inline long odd_many_changed(size_t n, flags *f) { return odd_many(n, f); }
