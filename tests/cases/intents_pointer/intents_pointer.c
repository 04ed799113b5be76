#include "intents_pointer.h"

int twice(const int *x)
{
    return 2 * *x;
}

void count(int *x)
{
    static int calls = 0;
    *x = ++calls;
}

void bump(int *x)
{
    *x += 1;
}

int bump_both(int x, int *scratch)
{
    if (scratch) *scratch += 1;
    return scratch ? x + *scratch : x;
}
