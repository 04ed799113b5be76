#include <stdlib.h>

typedef struct {
    int value;
} counter;

static inline counter *
counter_new(int value)
{
    counter *c = (counter *)malloc(sizeof(counter));
    if (c != NULL) {
        c->value = value;
    }
    return c;
}

static inline void
counter_free(counter *c)
{
    free(c);
}

static inline int
counter_value(const counter *c)
{
    return c->value;
}
