/* fishplate/python.h: for handwritten C between native code and Python. C99.
 *
 * Purpose: checks with messages, and warnings, in functions that Python calls.
 * Invariant: FP_CHECK and similar macros may be used with or without the GIL; the exception belongs
 * to the thread.
 * Reason: see docs/glue.md. In C++ this is fishplate/python.hpp, where the same checks throw. */
#ifndef FISHPLATE_GLUE_PYTHON_H
#define FISHPLATE_GLUE_PYTHON_H

#include "first.h"

#ifdef __cplusplus
#include "python.hpp"
#else

#include "warnings.h"

/* FP_CHECK_VALUE(n > 0, "n is %d, but has to be positive", n);
 * raises and returns NULL where the condition does not hold, also between Py_BEGIN_ALLOW_THREADS and
 * Py_END_ALLOW_THREADS: then it takes the GIL again. */
#define FP_CHECK(condition, ...) FP_CHECK_OR(FP_GLUE_RETURN_NULL, condition, __VA_ARGS__)
#define FP_CHECK_TYPE(condition, ...) FP_CHECK_TYPE_OR(FP_GLUE_RETURN_NULL, condition, __VA_ARGS__)
#define FP_CHECK_VALUE(condition, ...) FP_CHECK_VALUE_OR(FP_GLUE_RETURN_NULL, condition, __VA_ARGS__)
#define FP_CHECK_INDEX(condition, ...) FP_CHECK_INDEX_OR(FP_GLUE_RETURN_NULL, condition, __VA_ARGS__)

/* FP_CHECK_OR(goto cleanup, p != NULL, "..."); the same where something else than `return NULL` has
 * to follow: a `goto` to the cleanup, or the return of another value. */
#define FP_CHECK_OR(leave, condition, ...) \
    FP_GLUE_CHECK(PyExc_RuntimeError, leave, condition, __VA_ARGS__)
#define FP_CHECK_TYPE_OR(leave, condition, ...) \
    FP_GLUE_CHECK(PyExc_TypeError, leave, condition, __VA_ARGS__)
#define FP_CHECK_VALUE_OR(leave, condition, ...) \
    FP_GLUE_CHECK(PyExc_ValueError, leave, condition, __VA_ARGS__)
#define FP_CHECK_INDEX_OR(leave, condition, ...) \
    FP_GLUE_CHECK(PyExc_IndexError, leave, condition, __VA_ARGS__)

#define FP_GLUE_CHECK(type, leave, condition, ...) \
    do {                                           \
        if (!FP_GLUE_LIKELY(condition)) {          \
            fp_glue_raise(FP_GLUE_SAVED, type, __VA_ARGS__); \
            leave;                                 \
        }                                          \
    } while (0)

/* Py_BEGIN_ALLOW_THREADS declares a variable `_save`; outside of it, the name denotes this
 * undefined function. The compiler thus determines whether the GIL must be acquired again, and with
 * which state: in a sub-interpreter, the state of this thread in the main interpreter is the wrong
 * one. */
void _save(void);
#define FP_GLUE_SAVED                                                                              \
    __builtin_choose_expr(__builtin_types_compatible_p(__typeof__(_save), PyThreadState *), _save, \
                          (PyThreadState *)NULL)
#define FP_GLUE_RETURN_NULL              \
    do {                                 \
        fp_glue_restore(FP_GLUE_SAVED);  \
        return NULL;                     \
    } while (0)

/* FP_HANDLE_ERRORS; as the first line of a function that Python calls separates its warnings from
 * those of functions that it calls through Python. It returns through fp_finish_call() or
 * fp_finish_status(). */
#define FP_HANDLE_ERRORS                                                            \
    __attribute__((cleanup(fp_glue_end_call))) fp_glue_call fp_glue_this_call;      \
    fp_glue_begin_call(&fp_glue_this_call)
/* Outside of such functions the name denotes this undefined function. */
void fp_glue_this_call(void);
#define FP_GLUE_THIS_CALL                                                                      \
    __builtin_choose_expr(__builtin_types_compatible_p(__typeof__(fp_glue_this_call), fp_glue_call), \
                          &fp_glue_this_call, (fp_glue_call *)NULL)

/* Acquires the GIL again if it was released with this state. Returns whether it was. */
FP_GLUE_SHARED FP_GLUE_COLD int
fp_glue_restore(PyThreadState *saved)
{
    if (saved == NULL || fp_glue_current() != NULL) {
        return 0;
    }
    PyEval_RestoreThread(saved);
    return 1;
}

FP_GLUE_SHARED FP_GLUE_COLD FP_GLUE_FORMAT(3, 4) void
fp_glue_raise(PyThreadState *saved, PyObject *type, const char *format, ...)
{
    const int is_restored = fp_glue_restore(saved);
    fp_glue_attached attached;
    char text[1024]; /* longer messages are truncated */
    va_list arguments;
    PyObject *message;
    fp_glue_attach(&attached);
    va_start(arguments, format);
    if (vsnprintf(text, sizeof(text), format, arguments) < 0) {
        text[0] = 0;
    }
    va_end(arguments);
    message = fp_glue_string(text);
    if (message != NULL) {
        PyErr_SetObject(type, message);
        Py_DECREF(message);
    }
    fp_glue_detach(&attached);
    if (is_restored) {
        (void)PyEval_SaveThread();
    }
}

/* return fp_finish_call(result); raises the recorded warnings. Returns `result`, or NULL if one
 * became an exception. NULL with an exception is unchanged. */
#define fp_finish_call(result) fp_glue_finish_call(FP_GLUE_THIS_CALL, (result))

/* The same for functions that return an int, -1 with an exception (tp_init, setters). */
#define fp_finish_status(status) fp_glue_finish_status(FP_GLUE_THIS_CALL, (status))

static inline PyObject *
fp_glue_finish_call(fp_glue_call *call, PyObject *result)
{
    if (!FP_GLUE_LIKELY(result != NULL)) {
        fp_glue_return_to_python();
    }
    return FP_GLUE_LIKELY(!fp_glue_is_warned(call)) ? result : fp_glue_finish_warned(call, result);
}

static inline int
fp_glue_finish_status(fp_glue_call *call, int status)
{
    if (!FP_GLUE_LIKELY(status >= 0)) {
        fp_glue_return_to_python();
    }
    if (!FP_GLUE_LIKELY(!fp_glue_is_warned(call))) {
        if (status < 0 || PyErr_Occurred()) {
            fp_glue_raise_warnings_during_error(call);
        }
        else if (fp_glue_raise_warnings(call) < 0) {
            status = -1;
        }
    }
    return status;
}

#endif
#endif
