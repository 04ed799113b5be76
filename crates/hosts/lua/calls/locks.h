/* The lock of a module that wants its calls to take turns. A Lua state runs on one thread, and several states
 * of one process may run on several. What C calls back may call C again, on the same thread. */

#ifdef FP_LOCKS
#include <pthread.h>

static pthread_mutex_t fp_lock = PTHREAD_MUTEX_INITIALIZER;
static __thread int fp_lock_depth;

static inline void
fp_enter_module(void)
{
    if (fp_lock_depth++ == 0) {
        pthread_mutex_lock(&fp_lock);
    }
}

static inline void
fp_leave_module(void)
{
    if (--fp_lock_depth == 0) {
        pthread_mutex_unlock(&fp_lock);
    }
}

/* In the child of a fork, a lock that another thread has held is free. */
static void
fp_renew_lock(void)
{
    static const pthread_mutex_t renewed = PTHREAD_MUTEX_INITIALIZER;
    if (fp_lock_depth == 0) {
        fp_lock = renewed;
    }
}

/* Once a library: what it registers is gone when that is closed. */
__attribute__((constructor)) static void
fp_watch_forks(void)
{
    (void)pthread_atfork(NULL, NULL, fp_renew_lock);
}
#endif
