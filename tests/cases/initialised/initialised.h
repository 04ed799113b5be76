#include <stdio.h>
#include <stdlib.h>

static int prepared, finished, open_sessions;

static inline int prepare(long flags)
{
    prepared = (int)flags;
    return getenv("NOT_PREPARED") != NULL ? 3 : 0;
}

static inline void also(void) { prepared += 100; }
static inline const char *why(int status) { return status == 3 ? "the library is not ready" : NULL; }
static inline int state(void) { return prepared; }

typedef struct { int unused; } session;

static inline session *session_new(void)
{
    open_sessions++;
    return (session *)malloc(sizeof(session));
}

/* No session may be released once the library has ended. */
static inline void session_free(session *s)
{
    if (finished) {
        printf("released too late\n");
        fflush(stdout);
        _Exit(9);
    }
    open_sessions--;
    free(s);
}

static inline int finish(void)
{
    finished = 1;
    return getenv("NOT_FINISHED") != NULL ? 3 : 0;
}

static inline void report(void)
{
    if (getenv("REPORT") != NULL) {
        printf("finished: %d, sessions: %d\n", finished, open_sessions);
        fflush(stdout);
    }
}
