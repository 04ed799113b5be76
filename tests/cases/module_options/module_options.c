#include "part.h"

int macros(int x)
{
    return x + 10 * FROM_TABLE + 100 * FROM_TEXT + 1000 * FROM_FLAGS;
}
