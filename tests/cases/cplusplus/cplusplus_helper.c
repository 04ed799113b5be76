#include "cplusplus.h"

int helper(int x)
{
    return 2 * x;
}
