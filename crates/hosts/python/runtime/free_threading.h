/* Free-threaded Python: the protection of the runtime's own state if there is no GIL.
 *
 * One lock for all modules of the process protects objects, locks and retained callbacks. It is held
 * for a few assignments, within which neither Python nor C of the user runs, and nothing is released:
 * so it needs no order with other locks. With the GIL, all of this is empty. */

#ifdef Py_GIL_DISABLED

#define FP_SHARED "fishplate.shared.1" /* the number is that of the structs' version */

typedef struct {
    PyMutex mutex;
    struct fp_wait *waits; /* the list of the part about locks */
} fp_process_state;

FP_GLOBAL fp_process_state *fp_shared; /* set when the module is loaded */

#define FP_BEGIN_SHARED PyMutex_Lock(&fp_shared->mutex);
#define FP_END_SHARED PyMutex_Unlock(&fp_shared->mutex);
/* While a container is read, its elements exist: the lock of its object, which every use of it takes. */
#define FP_BEGIN_OBJECT(O) Py_BEGIN_CRITICAL_SECTION(O);
#define FP_END_OBJECT Py_END_CRITICAL_SECTION();
/* For state that only its own thread uses, which finds it by the GIL otherwise. */
#define FP_PER_THREAD __thread
#ifndef _WIN32 /* which has no fork */
/* A fork finds the lock free, so that it is free in the child. */
static void
fp_before_fork(void)
{
    FP_BEGIN_SHARED
}

static void
fp_after_fork_in_parent(void)
{
    FP_END_SHARED
}

static void
fp_free_shared(void)
{
    memset(&fp_shared->mutex, 0, sizeof(fp_shared->mutex)); /* threads that wait for it are not in the child */
}
#endif

/* Finds the lock, which the first module creates; never freed. */
static FP_HELPER int
fp_find_process_lock(void)
{
    PyObject *all = fp_interpreter_dict(), *capsule = NULL;
    PyObject *made, *name = PyUnicode_FromString(FP_SHARED);
    void *memory = PyMem_Calloc(1, sizeof(*fp_shared)), *shared = NULL;
    int found = -1;
    made = all == NULL || name == NULL || memory == NULL ? NULL : PyCapsule_New(memory, FP_SHARED, NULL);
    if (made != NULL) {
        found = PyDict_SetDefaultRef(all, name, made, &capsule);
        shared = found < 0 ? NULL : PyCapsule_GetPointer(capsule, FP_SHARED);
    }
    if (shared != memory) {
        PyMem_Free(memory);
    }
    memcpy(&fp_shared, &shared, sizeof(shared));
    Py_XDECREF(capsule);
    Py_XDECREF(made);
    Py_XDECREF(name);
#ifndef _WIN32
    if (found == 0 && pthread_atfork(fp_before_fork, fp_after_fork_in_parent, fp_free_shared) != 0) {
        shared = NULL;
    }
#endif
    if (shared == NULL && !PyErr_Occurred()) {
        PyErr_NoMemory();
    }
    return shared != NULL;
}

/* Fills the module, on one thread at a time: a loader that is called directly holds no import lock. */
static FP_HELPER int
fp_fill_module(PyObject *module, int (*fill)(PyObject *module))
{
    static PyMutex loading;
    int done;
    PyMutex_Lock(&loading);
    done = fp_shared != NULL || fp_find_process_lock() ? fill(module) : -1;
    PyMutex_Unlock(&loading);
    return done;
}

#else

#define FP_BEGIN_SHARED
#define FP_END_SHARED
#define FP_BEGIN_OBJECT(O) {
#define FP_END_OBJECT }
#define FP_PER_THREAD

static FP_HELPER int
fp_fill_module(PyObject *module, int (*fill)(PyObject *module))
{
    return fill(module);
}

#endif

/* An element of a list or tuple, as a new reference; NULL if it has fewer. */
static FP_HELPER PyObject *
fp_item_at(PyObject *sequence, Py_ssize_t index)
{
    PyObject *item;
    FP_BEGIN_OBJECT(sequence)
    item = index < fp_count(sequence) ? Py_NewRef(fp_item(sequence, index)) : NULL;
    FP_END_OBJECT
    return item;
}
