#include "fp0501_status.h"

int f(int x)
{
    return x;
}
