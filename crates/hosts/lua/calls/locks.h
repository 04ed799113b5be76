/* The lock of modules whose calls must be serialised. A Lua state runs on one thread, and several
 * states of one process may run on several. A callback may call C again, on the same thread, also
 * in another module.
 *
 * Invariant: there is one lock for all such modules of the process, so that no two threads wait for
 * each other.
 * Reason: modules share nothing but their process, and wait at places where Lua cannot raise. If
 * the dynamic linker has no unique symbols (it is not glibc's), each module has a separate lock. */

#ifdef FP_LOCKS
#include <pthread.h>

typedef struct {
    pthread_mutex_t mutex;
    unsigned long owner; /* by __atomic only: the thread that holds it; 0: none */
    int depth;           /* the number of running calls of that thread */
} fp_turns;

#if defined(__GLIBC__) && defined(__ELF__)
/* One object, for any number of libraries in any namespaces. Zeros are PTHREAD_MUTEX_INITIALIZER.
 * In C only the assembler can express this. */
__asm__(".pushsection .bss.fishplate_turns_1,\"awG\",%nobits,fishplate_turns_1,comdat\n"
        ".globl fishplate_turns_1\n"
        ".type fishplate_turns_1, %gnu_unique_object\n"
        ".balign 16\n"
        "fishplate_turns_1: .zero 128\n"
        ".size fishplate_turns_1, 128\n"
        ".popsection\n");
#ifdef __cplusplus
extern "C" {
#endif
extern fp_turns fishplate_turns_1 __attribute__((visibility("default")));
#ifdef __cplusplus
}
#endif
FP_ASSERT(sizeof(fp_turns) <= 128, "not enough memory for a lock");
#else
static fp_turns fishplate_turns_1 = {PTHREAD_MUTEX_INITIALIZER, 0, 0};
#endif

static inline int
fp_has_turn(void)
{
    return __atomic_load_n(&fishplate_turns_1.owner, __ATOMIC_RELAXED) == (unsigned long)pthread_self();
}

static inline void
fp_enter_module(void)
{
    if (!fp_has_turn()) {
        pthread_mutex_lock(&fishplate_turns_1.mutex);
        __atomic_store_n(&fishplate_turns_1.owner, (unsigned long)pthread_self(), __ATOMIC_RELAXED);
    }
    fishplate_turns_1.depth++;
}

static inline void
fp_leave_module(void)
{
    if (--fishplate_turns_1.depth == 0) {
        __atomic_store_n(&fishplate_turns_1.owner, 0, __ATOMIC_RELAXED);
        pthread_mutex_unlock(&fishplate_turns_1.mutex);
    }
}

/* In the child of a fork, a lock that another thread held is free. Each module that has the lock compiles this:
 * FP_LOCKS is defined for it alone. */
static FP_UNUSED void
fp_renew_lock(void)
{
    static const pthread_mutex_t renewed = PTHREAD_MUTEX_INITIALIZER;
    if (!fp_has_turn()) {
        fishplate_turns_1.mutex = renewed;
        fishplate_turns_1.owner = 0;
        fishplate_turns_1.depth = 0;
    }
}

/* Once per library: the registration ends when it is closed. */
__attribute__((constructor)) static void
fp_watch_forks(void)
{
    (void)pthread_atfork(NULL, NULL, fp_renew_lock);
}
#endif
