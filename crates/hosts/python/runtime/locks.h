/* Locks: what keeps other threads out of C while a call is there with an object, or with the module.
 *
 * A thread may enter again what it is in already: a callback may call what calls it. Whoever waits lets go
 * of the GIL, so whoever is in C can come back. Several locks are taken in the order of their addresses,
 * so that no two calls wait for each other.
 *
 * The GIL guards who is in, so a lock that is free is taken by a few assignments. Others wait at a gate, which
 * is shut as long as somebody does. Who leaves opens it for one of them, who is in from then on, whenever it
 * gets the GIL. */

typedef struct {
    PyThread_type_lock gate;
    unsigned long thread; /* the one that is in C, where `depth` is not 0 */
    int depth;
    int waiting;          /* threads at the gate, or on their way from it */
    int is_given;         /* the gate was opened: one of them is in, and knows it when it has the GIL */
    Py_ssize_t owners;
} fp_lock;

/* A lock with one owner; NULL with an exception. */
static FP_HELPER fp_lock *
fp_lock_new(void)
{
    fp_lock *lock = (fp_lock *)PyMem_Calloc(1, sizeof(fp_lock));
    if (lock != NULL) {
        lock->owners = 1;
        lock->gate = PyThread_allocate_lock();
        if (lock->gate == NULL) {
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
        PyThread_free_lock(lock->gate);
        PyMem_Free(lock);
    }
}

/* Opens the gate for one that waits. */
static FP_HELPER void
fp_open_gate(fp_lock *lock)
{
    lock->depth = 1;
    lock->is_given = 1;
    PyThread_release_lock(lock->gate);
}

static inline void
fp_leave_one(fp_lock *lock)
{
    if (--lock->depth == 0 && FP_UNLIKELY(lock->waiting > 0)) {
        fp_open_gate(lock);
    }
}

/* Waits without the GIL, and may be interrupted. */
static FP_HELPER int
fp_wait_for(fp_lock *lock)
{
    int is_in = 0, goes_on = 1;
    if (lock->waiting++ == 0) {
        PyThread_acquire_lock(lock->gate, NOWAIT_LOCK);
    }
    while (!is_in && goes_on) {
        PyLockStatus status;
        Py_BEGIN_ALLOW_THREADS
        status = PyThread_acquire_lock_timed(lock->gate, -1, 1);
        Py_END_ALLOW_THREADS
        is_in = status == PY_LOCK_ACQUIRED;
        goes_on = is_in || Py_MakePendingCalls() == 0;
    }
    if (is_in) {
        lock->is_given = 0;
    }
    if (--lock->waiting == 0) {
        if (lock->is_given) {
            lock->is_given = lock->depth = 0; /* it is open, for nobody but the one that goes away */
        }
        else {
            PyThread_release_lock(lock->gate);
        }
    }
    return is_in;
}

static inline int
fp_enter_one(fp_lock *lock)
{
    unsigned long thread = PyThread_get_thread_ident();
    if (FP_UNLIKELY(lock->depth > 0)) {
        if (lock->thread == thread && !lock->is_given) {
            lock->depth++;
            return 1;
        }
        if (!fp_wait_for(lock)) {
            return 0;
        }
    }
    lock->thread = thread;
    lock->depth = 1;
    return 1;
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
