/* Ctrl-C in C that checks for it with <fishplate/interrupt.h>, or between the items of a batch.
 *
 * The exception of a signal handler is stored, so that nothing runs with an exception set. It is
 * raised at the end of the call if that fails, or when a batch stops; else by Python as soon as the
 * call has returned, instead of its result, as a pending call. */

/* Windows has no undefined symbols in libraries. */
#ifndef _WIN32
#ifdef __cplusplus
extern "C" {
#endif
extern int (*fishplate_interrupt)(void) __attribute__((weak, visibility("default")));
#ifdef __cplusplus
}
#endif
#endif

#define FP_PATIENCE 50e-3 /* seconds between two checks for signals */

typedef struct {
    int is_set;       /* by __atomic only; `raised` on that thread only */
    unsigned long thread; /* by __atomic only: Python's main thread, where handlers run */
    fp_aside raised;
} fp_stored_interruption;

FP_GLOBAL fp_stored_interruption fp_interruption;

/* Whether this thread should return from C. */
static FP_UNUSED int
fp_is_interrupted(void)
{
    return FP_UNLIKELY(__atomic_load_n(&fp_interruption.is_set, __ATOMIC_ACQUIRE))
           && __atomic_load_n(&fp_interruption.thread, __ATOMIC_RELAXED) == PyThread_get_thread_ident();
}

/* Raises the stored exception, if there is one for this thread; 1 if so. */
static FP_UNUSED int
fp_take_interruption(void)
{
    if (!fp_is_interrupted()) {
        return 0;
    }
    __atomic_store_n(&fp_interruption.is_set, 0, __ATOMIC_RELEASE);
    PyErr_Clear();
#ifdef PYPY_VERSION
    PyThreadState_SetAsyncExc(PyThread_get_thread_ident(), NULL);
#endif
    fp_put_back(&fp_interruption.raised);
    return 1;
}

#ifdef PYPY_VERSION

static PyObject *
fp_forget_interruption(PyObject *self, PyObject *unused)
{
    fp_aside *raised = &fp_interruption.raised;
    (void)self, (void)unused;
    if (fp_is_interrupted()) {
        __atomic_store_n(&fp_interruption.is_set, 0, __ATOMIC_RELEASE);
        Py_CLEAR(raised->type);
        Py_CLEAR(raised->value);
        Py_CLEAR(raised->traceback);
    }
    return Py_NewRef(Py_None);
}

/* PyPy has no pending calls, but creates an asynchronous exception after the call: of a class that is the stored one's to
 * handlers, and whose instance is the stored one. */
static FP_COLD int
fp_raise_later(fp_aside *raised)
{
    static PyMethodDef method = {"forget", fp_forget_interruption, METH_NOARGS, NULL};
    const char *lines = "def new(cls, *words):\n"
                        "    forget()\n"
                        "    return error\n"
                        "stored = type('stored', (type(error),), {'__new__': new})\n";
    PyObject *names = PyDict_New(), *forget = PyCFunction_New(&method, NULL), *done = NULL;
    int is_set;
    PyErr_NormalizeException(&raised->type, &raised->value, &raised->traceback);
    if (raised->traceback != NULL) {
        PyException_SetTraceback(raised->value, raised->traceback);
    }
    if (names != NULL && forget != NULL && PyDict_SetItemString(names, "forget", forget) == 0
        && PyDict_SetItemString(names, "error", raised->value) == 0) {
        done = PyRun_String(lines, Py_file_input, names, names);
    }
    is_set = done != NULL
             && PyThreadState_SetAsyncExc(PyThread_get_thread_ident(), PyDict_GetItemString(names, "stored")) == 1;
    Py_XDECREF(done);
    Py_XDECREF(forget);
    Py_XDECREF(names);
    return is_set ? 0 : -1;
}

#else

static int
fp_raise_interruption(void *unused)
{
    (void)unused;
    return -fp_take_interruption();
}
#define fp_raise_later(raised) Py_AddPendingCall(fp_raise_interruption, NULL)

#endif

/* Runs Python's signal handlers, with the GIL; their exception is stored. */
static FP_HELPER int
fp_run_handlers(void)
{
    fp_aside before, raised;
    int done;
    fp_put_aside(&before);
    done = fp_check_signals() == 0;
    if (!done) {
        fp_put_aside(&raised);
        if (fp_raise_later(&raised) == 0) {
            fp_interruption.raised = raised;
            __atomic_store_n(&fp_interruption.thread, PyThread_get_thread_ident(), __ATOMIC_RELAXED);
            __atomic_store_n(&fp_interruption.is_set, 1, __ATOMIC_RELEASE);
        }
        else { /* the queue is full: the next check tries again */
            fp_put_back(&raised);
            PyErr_Clear();
            fp_interrupt();
            done = 1;
        }
    }
    fp_put_back(&before);
    return done;
}

/* Whether a callback of this thread's call has failed: its exception is raised when C returns. */
static int fp_has_failed_here(void);

/* The implementation of fp_interrupted(), on any thread. Threads unknown to Python never wait for
 * the GIL: its holder may wait for them. */
static int
fp_query_interrupt(void)
{
    static __thread double looked;
    double now;
    PyGILState_STATE gil;
    if (fp_is_interrupted() || fp_has_failed_here()) {
        return 1;
    }
    now = fp_coarse_now();
    if (now - looked < FP_PATIENCE || !fp_thread_is_known()) {
        return 0;
    }
    gil = PyGILState_Ensure();
    fp_run_handlers();
    PyGILState_Release(gil);
    looked = fp_coarse_now();
    return fp_is_interrupted();
}

/* Libraries that include <fishplate/interrupt.h> use this module from now on. */
static void
fp_answer_interrupts(void)
{
#ifdef _WIN32
    (void)fp_query_interrupt;
#else
    if (&fishplate_interrupt != NULL) {
        fishplate_interrupt = fp_query_interrupt;
    }
#endif
}
