#include "fp0311_unsupported.h"

int first(const char *text)
{
    return *text;
}
