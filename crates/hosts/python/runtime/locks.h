/* Locks: they exclude other threads from C during a call with an object, or with the module.
 *
 * A thread may acquire a lock that it holds already: a callback may call its caller. A waiting
 * thread releases the GIL, so that the owner can return. Several locks are acquired in the order of
 * their addresses, so that no two calls deadlock; calls within callbacks acquire theirs later, so a
 * thread checks before it waits whether that would be a deadlock, which is an exception. Releasing
 * an object cannot raise and never waits: if its lock is held, the owner does the work when it
 * releases the lock.
 *
 * The GIL protects the owner field, or FP_BEGIN_SHARED where there is none, so a free lock is acquired
 * by a few assignments. Other threads wait at a gate, which is shut while there are any. The owner opens
 * it for one of them, which then owns the lock, whenever it gets the GIL.
 *
 * C may call back on a thread of its own, and wait for that thread. Such a callback belongs to a call (`served`), so it
 * does not wait for the locks of this call, but for the lock in them: it excludes the call's callbacks on several threads
 * from each other, and those on the call's own thread.
 *
 * After a fork only one thread is left. A lock of an older process is renewed if it is found to be
 * held: the lock of the module is then free; an object that another thread was using in C is in an
 * unknown state, and is refused. */

/* Work for the thread that releases a lock. */
typedef struct fp_late {
    struct fp_late *next;
    void (*release)(struct fp_late *late);
} fp_late;

/* Modules read one another's locks: see fp_waits. */
typedef struct fp_lock {
    const char *name;        /* for messages: "stats.Rng", "module stats" */
    PyThread_type_lock gate; /* NULL: no thread has waited yet */
    unsigned long thread;    /* the owner, if `depth` is not 0 */
    int depth;
    int level;               /* the number of callbacks that the owner was in; see `served` */
    int waiting;             /* threads at the gate, or on their way from it */
    int is_given;            /* the gate is open: one of them owns the lock, and sees that with the GIL */
    int is_torn;             /* a thread that the fork did not keep was in C: permanent */
    int is_renewed;          /* the lock is the module's, and free after a fork */
    unsigned forks;          /* before it was taken; see fp_forks */
    fp_late *late;
    struct fp_lock *inner;   /* of the callbacks of the owner's call; NULL: none of them has used it on another thread */
} fp_lock;

/* A call: its thread, 0 for none, and the number of callbacks that this was in. */
typedef struct {
    unsigned long thread;
    int level;
} fp_call_id;

/* A call during which C may call back: the first member of fp_running. */
typedef struct fp_active {
    fp_call_id call;
    int is_listed;
    struct fp_active *next, **at; /* the other calls of the module */
} fp_active;

/* The state of a thread, in one variable: in a library, each one that is local to a thread is found by a call. */
typedef struct {
    unsigned long ident;     /* Python's for it; 0: not yet requested */
    struct fp_running *here; /* the C call that it is in; NULL while it runs Python */
    int level;               /* the number of callbacks that it is in */
    fp_call_id served;       /* the call that has called back on it, if it is a thread of C */
    int releasing;           /* objects whose references it drops, one within the release of another */
    struct fp_links *dropped; /* of objects that are released when these have been */
} fp_thread_state;

FP_GLOBAL __thread fp_thread_state fp_this_thread;

/* A thread that waits for a lock. */
typedef struct fp_wait {
    struct fp_wait *next;
    unsigned long thread;
    const fp_lock *lock;
} fp_wait;

/* All waiting threads, in any module of this process; the number is that of the structs' version.
 * */
#define FP_WAITS "fishplate.waits.2"

FP_GLOBAL fp_wait **fp_waits;      /* NULL: no lock was created yet */
/* The calls of all threads during which C may call back, the latest first; only of modules with locks, by which other
 * threads find them. Within FP_BEGIN_SHARED; the GIL protects it, if there is one. */
FP_GLOBAL fp_active *fp_all_active;
FP_GLOBAL unsigned fp_forks;       /* forks since the process that loaded the module */
FP_GLOBAL unsigned long fp_forked; /* the thread that the last fork kept */

static inline void
fp_remove_active(fp_active *active)
{
    *active->at = active->next;
    if (active->next != NULL) {
        active->next->at = active->at;
    }
}

/* In the child, where only async-signal-safe functions may be called, and which has the stack of one thread only. */
static FP_HELPER void
fp_after_fork(void)
{
    fp_wait **at = fp_waits;
    fp_active *active;
    fp_forks++;
    fp_forked = PyThread_get_thread_ident();
    for (active = fp_all_active; active != NULL; active = active->next) {
        if (active->call.thread != fp_forked) {
            fp_remove_active(active);
        }
    }
    while (*at != NULL) {
        if ((*at)->thread == fp_forked) {
            at = &(*at)->next;
        }
        else {
            *at = (*at)->next;
        }
    }
}

static FP_HELPER int
fp_find_waits(void)
{
#ifdef Py_GIL_DISABLED
    fp_waits = &fp_shared->waits;
#else
    PyObject *shared = fp_interpreter_dict();
    PyObject *capsule = shared == NULL ? NULL : PyDict_GetItemString(shared, FP_WAITS);
    if (shared != NULL && capsule == NULL) {
        fp_wait **waits = (fp_wait **)PyMem_Calloc(1, sizeof(fp_wait *)); /* never freed */
        capsule = waits == NULL ? PyErr_NoMemory() : PyCapsule_New(waits, FP_WAITS, NULL);
        if (capsule == NULL || PyDict_SetItemString(shared, FP_WAITS, capsule) < 0) {
            Py_XDECREF(capsule);
            PyMem_Free(waits);
            return 0;
        }
        Py_DECREF(capsule); /* the dictionary has a reference */
    }
    fp_waits = capsule == NULL ? NULL : (fp_wait **)PyCapsule_GetPointer(capsule, FP_WAITS);
#endif
#ifdef _WIN32 /* which has no fork */
    (void)fp_after_fork;
#else
    if (fp_waits != NULL && pthread_atfork(NULL, NULL, fp_after_fork) != 0) {
        fp_waits = NULL;
        PyErr_NoMemory();
    }
#endif
    return fp_waits != NULL;
}

/* Prepares the lock of an object, which is all zero. */
static inline int
fp_begin_lock(fp_lock *lock, const char *name)
{
    lock->name = name;
    return FP_LIKELY(fp_waits != NULL) || fp_find_waits();
}

/* The lock of a module, created once. */
static FP_UNUSED int
fp_make_lock(fp_lock **lock, const char *name)
{
    if (*lock == NULL) {
        fp_lock *made = (fp_lock *)PyMem_Calloc(1, sizeof(fp_lock));
        if (made == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        if (!fp_begin_lock(made, name)) {
            PyMem_Free(made);
            return -1;
        }
        made->is_renewed = 1;
        *lock = made;
    }
    return 0;
}

/* Frees what a lock has allocated. */
static inline void
fp_end_lock(fp_lock *lock)
{
    if (FP_UNLIKELY(lock->inner != NULL)) {
        fp_end_lock(lock->inner);
        PyMem_Free(lock->inner);
    }
    if (FP_UNLIKELY(lock->gate != NULL)) {
        PyThread_free_lock(lock->gate);
    }
}

/* ---- Entering --------------------------------------------------------------------------------------- */

/* The results of acquiring. */
enum {
    FP_IN = 1,
    FP_BUSY = 0,    /* another thread holds it */
    FP_TORN = -1,   /* another thread held it when the process was forked */
    FP_RAISED = -2  /* an exception is set */
};

/* The state of a lock after a fork in which it was held. Its gate is abandoned: its state is
 * unknown. */
static FP_HELPER void
fp_renew(fp_lock *lock)
{
    if (FP_LIKELY(lock->forks == fp_forks)) {
        return;
    }
    lock->forks = fp_forks;
    lock->gate = NULL;
    lock->waiting = 0;
    if (lock->is_given || (lock->depth > 0 && lock->thread != fp_forked && lock->is_renewed)) {
        lock->is_given = lock->depth = 0;
    }
    else if (lock->depth > 0 && lock->thread != fp_forked) {
        lock->is_torn = 1;
    }
}

/* The thread is in a callback of the call that holds the lock. */
static inline int
fp_is_in_call(const fp_lock *lock, unsigned long thread)
{
    return lock->depth > 0 && !lock->is_given
           && (lock->thread == thread || (lock->thread == fp_this_thread.served.thread && lock->level <= fp_this_thread.served.level));
}

static FP_HELPER int
fp_enter_taken(fp_lock *lock, unsigned long thread)
{
    fp_renew(lock);
    if (lock->is_torn) {
        return FP_TORN;
    }
    if (lock->inner != NULL && fp_is_in_call(lock, thread)) {
        return fp_enter_taken(lock->inner, thread);
    }
    if (lock->depth > 0) {
        if (lock->thread != thread || lock->is_given) {
            return FP_BUSY;
        }
        lock->depth++;
        return FP_IN;
    }
    lock->thread = thread;
    lock->depth = 1;
    lock->level = fp_this_thread.level;
    return FP_IN;
}

/* The identifier of this thread, which is `here`. */
static inline unsigned long
fp_thread_ident(fp_thread_state *here)
{
    if (FP_UNLIKELY(here->ident == 0)) {
        here->ident = PyThread_get_thread_ident();
    }
    return here->ident;
}

/* Acquires a lock without waiting, on the thread `here`. */
static inline int
fp_try_enter_here(fp_lock *lock, fp_thread_state *here)
{
    unsigned long thread = fp_thread_ident(here);
    int done = FP_IN;
    FP_BEGIN_SHARED
    if (FP_UNLIKELY(lock->depth > 0)) {
        done = fp_enter_taken(lock, thread);
    }
    else {
        lock->thread = thread;
        lock->depth = 1;
        lock->level = here->level;
        lock->forks = fp_forks;
    }
    FP_END_SHARED
    return done;
}

static inline int
fp_try_enter(fp_lock *lock)
{
    return fp_try_enter_here(lock, &fp_this_thread);
}

/* The lock of `thread` for which the owner of `lock` waits, directly or through other owners; NULL:
 * none. Waiting threads never form a cycle, so this ends; `most` limits it in case of an error. */
static FP_HELPER const fp_lock *
fp_find_circle(const fp_lock *lock, unsigned long thread, int most)
{
    const fp_wait *one;
    if (lock->depth == 0 || lock->is_given || most == 0) {
        return NULL;
    }
    if (lock->thread == thread) {
        return lock;
    }
    for (one = *fp_waits; one != NULL; one = one->next) {
        const fp_lock *found = one->thread == lock->thread ? fp_find_circle(one->lock, thread, most - 1) : NULL;
        if (found != NULL) {
            return found;
        }
    }
    return NULL;
}

/* Creates the lock for the callbacks of the call that holds this one, which has the callbacks that its own thread is in. */
static FP_HELPER int
fp_make_inner(fp_lock *lock)
{
    fp_lock *inner = (fp_lock *)PyMem_Calloc(1, sizeof(fp_lock));
    if (inner == NULL) {
        PyErr_NoMemory();
        return 0;
    }
    inner->name = lock->name;
    inner->is_renewed = lock->is_renewed;
    inner->forks = fp_forks;
    inner->thread = lock->thread;
    inner->depth = lock->depth - 1;
    lock->depth = 1;
    lock->inner = inner;
    return 1;
}

/* Waits without the GIL, outside of the section of the caller; signals interrupt it. */
static FP_HELPER int
fp_wait_for(fp_lock *lock, unsigned long thread)
{
    int is_in = 0, goes_on = 1;
    fp_wait wait, **at;
    if (lock->gate == NULL) {
        lock->gate = PyThread_allocate_lock();
        if (lock->gate == NULL) {
            PyErr_NoMemory();
            return FP_RAISED;
        }
    }
    if (lock->waiting++ == 0) {
        PyThread_acquire_lock(lock->gate, NOWAIT_LOCK);
    }
    wait.thread = thread;
    wait.lock = lock;
    wait.next = *fp_waits;
    *fp_waits = &wait;
    while (!is_in && goes_on) {
        PyThread_type_lock gate = lock->gate;
        PyLockStatus status;
        FP_END_SHARED
        Py_BEGIN_ALLOW_THREADS
        status = PyThread_acquire_lock_timed(gate, -1, 1);
        Py_END_ALLOW_THREADS
        is_in = status == PY_LOCK_ACQUIRED;
        goes_on = is_in || Py_MakePendingCalls() == 0;
        FP_BEGIN_SHARED
        goes_on = goes_on && (is_in || lock->forks == fp_forks);
    }
    for (at = fp_waits; *at != &wait; at = &(*at)->next) {
    }
    *at = wait.next;
    if (lock->forks != fp_forks) { /* a signal handler has forked, and this is the child */
        return PyErr_Occurred() ? FP_RAISED : FP_BUSY;
    }
    if (is_in) {
        lock->is_given = 0;
    }
    if (--lock->waiting == 0) {
        if (lock->is_given) {
            lock->is_given = lock->depth = 0; /* it is open, only for the thread that gives up */
        }
        else {
            PyThread_release_lock(lock->gate);
        }
    }
    if (!is_in) {
        return FP_RAISED;
    }
    lock->thread = thread;
    lock->depth = 1;
    lock->level = fp_this_thread.level;
    return FP_IN;
}

/* Acquires a lock; 0 with an exception. */
static FP_HELPER int
fp_enter_slowly(fp_lock *lock, const char *function)
{
    unsigned long thread = PyThread_get_thread_ident();
    int done;
    FP_BEGIN_SHARED
    done = fp_enter_taken(lock, thread);
    while (done == FP_BUSY) {
        int is_in_call = fp_is_in_call(lock, thread);
        fp_lock *waited;
        const fp_lock *ours;
        if (is_in_call && lock->inner == NULL) {
            done = fp_make_inner(lock) ? fp_enter_taken(lock, thread) : FP_RAISED;
            continue;
        }
        waited = is_in_call ? lock->inner : lock;
        ours = fp_find_circle(waited, thread, 64);
        if (ours != NULL) {
            FP_END_SHARED
            PyErr_Format(PyExc_RuntimeError,
                         "%s(): deadlock: the %s is in use by another thread, which waits for the %s "
                         "that this thread uses",
                         function, lock->name, ours->name);
            return 0;
        }
        done = fp_wait_for(waited, thread);
        if (done == FP_BUSY) {
            done = fp_enter_taken(lock, thread);
        }
    }
    FP_END_SHARED
    if (done == FP_TORN) {
        PyErr_Format(PyExc_RuntimeError, "%s(): this %s was in use by another thread when the process was forked",
                     function, lock->name);
    }
    return done == FP_IN;
}

/* Acquires `count` locks. After a failure, and if there are fewer of them, the remaining entries
 * are NULL. */
static FP_UNUSED int
fp_enter(fp_lock **locks, int count, const char *function)
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
        if (FP_UNLIKELY(fp_try_enter(locks[entered]) != FP_IN) && !fp_enter_slowly(locks[entered], function)) {
            locks[entered] = NULL;
            return 0;
        }
    }
    return 1;
}

/* Acquires one of a call's locks, on the thread `here`. An absent object has none. */
static inline int
fp_enter_here(fp_lock **lock, const char *function, fp_thread_state *here)
{
    if (*lock != NULL && FP_UNLIKELY(fp_try_enter_here(*lock, here) != FP_IN) && !fp_enter_slowly(*lock, function)) {
        *lock = NULL;
        return 0;
    }
    return 1;
}

/* As fp_enter. */
static inline int
fp_enter_1(fp_lock **locks, const char *function, fp_lock *first)
{
    locks[0] = first;
    return fp_enter_here(locks, function, &fp_this_thread);
}

static inline int
fp_enter_2(fp_lock **locks, const char *function, fp_lock *first, fp_lock *second)
{
    int swaps = first == NULL || (second != NULL && second < first);
    fp_thread_state *here = &fp_this_thread;
    fp_lock *last = swaps ? first : second;
    locks[0] = swaps ? second : first;
    locks[1] = NULL;
    if (!fp_enter_here(&locks[0], function, here)) {
        return 0;
    }
    locks[1] = last;
    return fp_enter_here(&locks[1], function, here);
}

/* ---- Leaving ---------------------------------------------------------------------------------------- */

/* Lets one waiting thread in, ends the section of the caller, and does the deferred work. */
static FP_HELPER void
fp_leave_slowly(fp_lock *lock)
{
    fp_late *late = lock->late;
    fp_renew(lock);
    lock->late = NULL;
    if (lock->waiting > 0) {
        lock->depth = 1;
        lock->is_given = 1;
        PyThread_release_lock(lock->gate);
    }
    FP_END_SHARED
    while (late != NULL) {
        fp_late *next = late->next;
        late->release(late); /* the last one may free the lock, with its object */
        late = next;
    }
}

static inline void
fp_leave_one(fp_lock *lock)
{
    FP_BEGIN_SHARED
    if (FP_UNLIKELY(lock->inner != NULL) && lock->inner->depth > 0 && !lock->inner->is_given
        && lock->inner->thread == PyThread_get_thread_ident()) {
        lock = lock->inner; /* entered later */
    }
    if (--lock->depth == 0 && FP_UNLIKELY(lock->waiting > 0 || lock->late != NULL)) {
        fp_leave_slowly(lock);
        return;
    }
    FP_END_SHARED
}

static FP_UNUSED void
fp_leave(fp_lock **locks, int count)
{
    int k;
    for (k = 0; k < count && locks[k] != NULL; k++) {
        fp_leave_one(locks[k]);
    }
}

/* ---- Releasing -------------------------------------------------------------------------------------- */

/* The thread that holds the lock releases it; 0 if no thread holds the lock any more. */
static FP_HELPER int
fp_release_late(fp_lock *lock, fp_late *late)
{
    int is_held;
    FP_BEGIN_SHARED
    is_held = lock->depth > 0;
    if (is_held) {
        late->next = lock->late;
        lock->late = late;
    }
    FP_END_SHARED
    return is_held;
}

/* C-allocated memory, to be freed under the lock of its module. */
typedef struct {
    fp_late late;
    fp_lock *lock;
    void (*free)(void *memory);
    void *memory;
} fp_late_memory;

static FP_UNUSED void
fp_free_under(fp_lock *lock, void (*free_memory)(void *memory), void *memory);

static FP_HELPER void
fp_free_late(fp_late *late)
{
    fp_late_memory memory = *(fp_late_memory *)late;
    PyMem_Free(late);
    fp_free_under(memory.lock, memory.free, memory.memory);
}

/* Frees memory under the lock, now or as soon as another thread releases it. An exception that is
 * set is preserved. */
static FP_UNUSED void
fp_free_under(fp_lock *lock, void (*free_memory)(void *memory), void *memory)
{
    fp_late_memory *late;
    fp_aside aside;
    while (fp_try_enter(lock) != FP_IN) {
        late = (fp_late_memory *)PyMem_Malloc(sizeof(fp_late_memory));
        if (late == NULL) {
            return; /* it leaks */
        }
        late->late.release = fp_free_late;
        late->lock = lock;
        late->free = free_memory;
        late->memory = memory;
        if (fp_release_late(lock, &late->late)) {
            return;
        }
        PyMem_Free(late);
    }
    fp_put_aside(&aside);
    free_memory(memory);
    fp_leave_one(lock);
    fp_put_back(&aside);
}
