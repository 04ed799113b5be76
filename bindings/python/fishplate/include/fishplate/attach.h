/* Attaching threads to Python.
 *
 * Invariant: nothing here waits for a GIL that this thread holds, in any interpreter.
 * Reason: PyGILState_Check() always returns 1 once the process has had a sub-interpreter, and
 * PyGILState_Ensure() deadlocks in one: it uses the thread's state in the main interpreter. */
#ifndef FISHPLATE_ATTACH_H
#define FISHPLATE_ATTACH_H

#include "first.h"

#ifdef __cplusplus
extern "C" {
#endif

#if PY_VERSION_HEX < 0x030C0000
/* Before Python 3.12 there is one current state for all threads, and one GIL. */
FP_GLUE_SHARED FP_GLUE_COLD PyThreadState *
fp_glue_other_interpreter(PyThreadState *now)
{
    if (now == NULL || PyInterpreterState_Next(PyInterpreterState_Head()) == NULL) {
        return NULL;
    }
    return now->thread_id == PyThread_get_thread_ident() ? now : NULL;
}
#endif

/* The thread state for calling Python; NULL if this thread may not call it. */
static inline PyThreadState *
fp_glue_current(void)
{
#if PY_VERSION_HEX >= 0x030D0000
    return PyThreadState_GetUnchecked();
#elif PY_VERSION_HEX >= 0x030C0000
    return _PyThreadState_UncheckedGet();
#else
    PyThreadState *now = _PyThreadState_UncheckedGet();
    return FP_GLUE_LIKELY(now != NULL && now == PyGILState_GetThisThreadState())
               ? now
               : fp_glue_other_interpreter(now);
#endif
}

static inline int
fp_glue_is_finalizing(void)
{
#if PY_VERSION_HEX >= 0x030D0000
    return Py_IsFinalizing();
#else
    return _Py_IsFinalizing();
#endif
}

/* How a thread was attached, for fp_glue_detach(). */
typedef struct {
    int is_new; /* it was not attached before */
    PyGILState_STATE before;
} fp_glue_attached;

static inline void
fp_glue_attach(fp_glue_attached *attached)
{
    attached->is_new = fp_glue_current() == NULL;
    attached->before = PyGILState_LOCKED;
    if (attached->is_new) {
        attached->before = PyGILState_Ensure();
    }
}

static inline void
fp_glue_detach(const fp_glue_attached *attached)
{
    /* A thread that outlives Python is ended by it, and has lost the GIL by then. */
    if (attached->is_new && fp_glue_current() != NULL) {
        PyGILState_Release(attached->before);
    }
}

/* For a function that Python called, and that returns now: it has to hold the GIL, also if the code
 * between Py_BEGIN_ALLOW_THREADS and Py_END_ALLOW_THREADS was left before its end. */
FP_GLUE_SHARED FP_GLUE_COLD void
fp_glue_return_to_python(void)
{
    if (fp_glue_current() == NULL) {
        PyThreadState *mine = PyGILState_GetThisThreadState();
        if (mine != NULL) {
            PyEval_RestoreThread(mine);
        }
    }
}

/* With the GIL: 0 in a sub-interpreter, with an exception. Types, registered exceptions and threads
 * belong to the main one. */
FP_GLUE_SHARED FP_GLUE_COLD int
fp_glue_check_interpreter(PyObject *exception)
{
    if (PyThreadState_GetInterpreter(PyThreadState_Get()) == PyInterpreterState_Main()) {
        return 1;
    }
    PyErr_SetString(exception, "this module does not support sub-interpreters (it uses fishplate/python.h)");
    return 0;
}

/* For Py_mod_exec: refuses an import in a sub-interpreter. */
FP_GLUE_SHARED int
fp_glue_exec(PyObject *module)
{
    (void)module;
    return fp_glue_check_interpreter(PyExc_ImportError) ? 0 : -1;
}

/* The first slots of a module: {FP_MAIN_INTERPRETER_SLOTS, {Py_mod_exec, fill}, {0, NULL}}. */
#if PY_VERSION_HEX >= 0x030C0000
#define FP_MAIN_INTERPRETER_SLOTS                                                                    \
    {Py_mod_exec, (void *)fp_glue_exec},                                                   \
    {                                                                                      \
        Py_mod_multiple_interpreters, Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED           \
    }
#else
#define FP_MAIN_INTERPRETER_SLOTS                          \
    {                                            \
        Py_mod_exec, (void *)fp_glue_exec        \
    }
#endif

#ifdef __cplusplus
}
#endif

#endif
