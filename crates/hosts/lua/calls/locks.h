/* The lock of a module that wants its calls to take turns. A Lua state runs on one thread, and several states
 * of one process may run on several. */

#ifdef FP_LOCKS
#include <pthread.h>

static pthread_mutex_t fp_lock;
static pthread_once_t fp_lock_made = PTHREAD_ONCE_INIT;

static void
fp_make_lock(void)
{
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    /* What C calls back may call C again. */
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&fp_lock, &kind);
    pthread_mutexattr_destroy(&kind);
}

static inline void
fp_enter_module(void)
{
    pthread_once(&fp_lock_made, fp_make_lock);
    pthread_mutex_lock(&fp_lock);
}

static inline void
fp_leave_module(void)
{
    pthread_mutex_unlock(&fp_lock);
}
#endif
