#ifndef LARGE_ENUMS_H
#define LARGE_ENUMS_H

#include <string.h>

typedef long long large;
typedef unsigned long long vast;

#define LARGE_FEW 3LL
#define LARGE_POWER 9007199254740992LL
#define LARGE_ODD 9007199254740993LL
#define LARGE_EVEN 9007199254740994LL
#define LARGE_BELOW (-9007199254740993LL)
#define LARGE_MOST 9223372036854775807LL
#define LARGE_LEAST (-9223372036854775807LL - 1)

#define VAST_ONE 1ULL
#define VAST_ODD 9007199254740993ULL
#define VAST_HALF 9223372036854775808ULL
#define VAST_MOST 18446744073709551615ULL

static inline large
large_same(large a)
{
    return a;
}

static inline vast
vast_same(vast a)
{
    return a;
}

static inline vast
vast_called(vast a, vast (*f)(vast a, void *data), void *data)
{
    return f(a, data);
}

static inline int
text_length(const char *s)
{
    return (int)strlen(s);
}

#endif
