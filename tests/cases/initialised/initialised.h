#include <stdlib.h>

static int prepared;

static inline int prepare(long flags)
{
    prepared = (int)flags;
    return getenv("NOT_PREPARED") != NULL ? 3 : 0;
}

static inline void also(void) { prepared += 100; }
static inline const char *why(int status) { return status == 3 ? "the library is not ready" : NULL; }
static inline int state(void) { return prepared; }
