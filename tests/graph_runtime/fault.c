/* See fault.h. Negative: none fails. */
#define _POSIX_C_SOURCE 200112L
#include "fault.h"

#include <errno.h>
#include <stdlib.h>

static int allocations_left = -1;

__attribute__((visibility("default"))) int
fishplate_allocations_left(int left)
{
    int before = allocations_left;
    allocations_left = left;
    return before;
}

int
fishplate_allocate(void **memory, size_t alignment, size_t bytes)
{
    if (allocations_left == 0) {
        return ENOMEM;
    }
    allocations_left -= allocations_left > 0;
    return posix_memalign(memory, alignment, bytes);
}
