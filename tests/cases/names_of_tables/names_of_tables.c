#include "names_of_tables.h"

int plus(int a, int b, int c, int d)
{
    return a + 10 * b + 100 * c + 1000 * d;
}

int plus_none(void)
{
    return 7;
}
