#include "pkg_member.h"

int one(void)
{
    return 1;
}
