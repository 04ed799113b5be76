/* Allocations of the runtime that can be made to fail: after a number of successful ones. */
#include <stddef.h>

int fishplate_allocations_left(int left);
int fishplate_allocate(void **memory, size_t alignment, size_t bytes);

#define FP_ALLOCATE fishplate_allocate
