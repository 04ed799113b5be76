/* Locks: what keeps other threads out of C while a call is there with an object, or with the module.
 *
 * A thread may enter again what it is in already: a callback may call what calls it. Whoever waits lets go
 * of the GIL, so whoever is in C can come back. Several locks are taken in the order of their addresses,
 * so that no two calls wait for each other. */

typedef struct {
    PyThread_type_lock lock;
    unsigned long thread; /* the one that is in C; the GIL guards this and what follows */
    int depth;
    Py_ssize_t owners;
} fp_lock;

/* A lock with one owner; NULL with an exception. */
static FP_HELPER fp_lock *
fp_lock_new(void)
{
    fp_lock *lock = (fp_lock *)PyMem_Malloc(sizeof(fp_lock));
    if (lock != NULL) {
        lock->lock = PyThread_allocate_lock();
        lock->depth = 0;
        lock->owners = 1;
        if (lock->lock == NULL) {
            PyMem_Free(lock);
            lock = NULL;
        }
    }
    if (lock == NULL) {
        PyErr_NoMemory();
    }
    return lock;
}

/* The lock of a module, made once. */
static FP_UNUSED int
fp_make_lock(fp_lock **lock)
{
    if (*lock == NULL) {
        *lock = fp_lock_new();
    }
    return *lock == NULL ? -1 : 0;
}

static FP_HELPER void
fp_lock_drop(fp_lock *lock)
{
    if (lock != NULL && --lock->owners == 0) {
        PyThread_free_lock(lock->lock);
        PyMem_Free(lock);
    }
}

/* Waits without the GIL, and may be interrupted. */
static FP_HELPER int
fp_wait_for(fp_lock *lock)
{
    for (;;) {
        PyLockStatus status;
        Py_BEGIN_ALLOW_THREADS
        status = PyThread_acquire_lock_timed(lock->lock, -1, 1);
        Py_END_ALLOW_THREADS
        if (status == PY_LOCK_ACQUIRED) {
            return 1;
        }
        if (Py_MakePendingCalls() < 0) {
            return 0;
        }
    }
}

static inline int
fp_enter_one(fp_lock *lock)
{
    unsigned long thread = PyThread_get_thread_ident();
    if (lock->depth == 0 || lock->thread != thread) {
        if (!PyThread_acquire_lock(lock->lock, NOWAIT_LOCK) && !fp_wait_for(lock)) {
            return 0;
        }
        lock->thread = thread;
    }
    lock->depth++;
    return 1;
}

static inline void
fp_leave_one(fp_lock *lock)
{
    if (--lock->depth == 0) {
        PyThread_release_lock(lock->lock);
    }
}

/* Enters the module's lock where something is given back, which nothing may hinder. An exception that is set
 * stays. */
static FP_UNUSED void
fp_enter_module(fp_lock *lock)
{
    fp_aside aside;
    fp_put_aside(&aside);
    while (!fp_enter_one(lock)) {
        PyErr_Clear();
    }
    fp_put_back(&aside);
}

/* Enters `count` locks. Where that fails, or there are fewer of them, those behind the last are NULL. */
static FP_UNUSED int
fp_enter(fp_lock **locks, int count)
{
    int k, j, entered;
    for (k = 1; k < count; k++) { /* a call has few */
        fp_lock *lock = locks[k];
        for (j = k; j > 0 && (locks[j - 1] == NULL || (lock != NULL && locks[j - 1] > lock)); j--) {
            locks[j] = locks[j - 1];
        }
        locks[j] = lock;
    }
    for (entered = 0; entered < count && locks[entered] != NULL; entered++) {
        if (!fp_enter_one(locks[entered])) {
            locks[entered] = NULL;
            return 0;
        }
    }
    return 1;
}

static FP_UNUSED void
fp_leave(fp_lock **locks, int count)
{
    int k;
    for (k = 0; k < count && locks[k] != NULL; k++) {
        fp_leave_one(locks[k]);
    }
}
