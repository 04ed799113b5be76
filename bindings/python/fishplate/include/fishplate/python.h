/* fishplate/python.h: for C between native code and Python that is written by hand. C99.
 *
 * Purpose: checks with messages, and warnings, in functions that Python calls.
 * Invariant: FP_CHECK and its kin may be used with or without the GIL; the exception belongs to the
 * thread.
 * Reason: see docs/glue.md. In C++ this is fishplate/python.hpp, where the same checks throw. */
#ifndef FISHPLATE_GLUE_PYTHON_H
#define FISHPLATE_GLUE_PYTHON_H

#include "first.h"

#ifdef __cplusplus
#include "python.hpp"
#else

#include "warnings.h"

/* FP_CHECK_VALUE(n > 0, "n is %d, but has to be positive", n);
 * raises and returns NULL where the condition does not hold. */
#define FP_CHECK(condition, ...) FP_CHECK_OR(return NULL, condition, __VA_ARGS__)
#define FP_CHECK_TYPE(condition, ...) FP_CHECK_TYPE_OR(return NULL, condition, __VA_ARGS__)
#define FP_CHECK_VALUE(condition, ...) FP_CHECK_VALUE_OR(return NULL, condition, __VA_ARGS__)
#define FP_CHECK_INDEX(condition, ...) FP_CHECK_INDEX_OR(return NULL, condition, __VA_ARGS__)

/* FP_CHECK_OR(goto undo, p != NULL, "..."); the same where something else than `return NULL` has to
 * follow: a `goto` to what was acquired, or the return of another value. */
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
            fp_glue_raise(type, __VA_ARGS__);      \
            leave;                                 \
        }                                          \
    } while (0)

FP_GLUE_SHARED FP_GLUE_COLD FP_GLUE_FORMAT(2, 3) void
fp_glue_raise(PyObject *type, const char *format, ...)
{
    PyGILState_STATE gil = PyGILState_Ensure();
    char text[1024]; /* longer messages are cut */
    va_list arguments;
    PyObject *message;
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
    PyGILState_Release(gil);
}

/* return fp_border(result); raises the warnings that were noted. Gives `result`, or NULL if one
 * became an exception. A NULL with an exception comes through. */
static inline PyObject *
fp_border(PyObject *result)
{
    if (!FP_GLUE_LIKELY(!fp_glue_is_warned())) {
        if (result == NULL) {
            fp_glue_raise_warnings_beside_error();
        }
        else if (fp_glue_raise_warnings() < 0) {
            Py_CLEAR(result);
        }
    }
    return result;
}

/* The same for functions that return an int, -1 with an exception (tp_init, setters). */
static inline int
fp_border_status(int status)
{
    if (!FP_GLUE_LIKELY(!fp_glue_is_warned())) {
        if (status < 0) {
            fp_glue_raise_warnings_beside_error();
        }
        else if (fp_glue_raise_warnings() < 0) {
            status = -1;
        }
    }
    return status;
}

#endif
#endif
