/* Warnings of native code as Python's.
 *
 * Purpose: FP_WARN records a warning on any thread, with or without the GIL; when the call returns
 * to Python, warnings are raised.
 * Invariant: a call raises its own warnings, and none of the calls in which it is nested.
 * Reason: a warning may be turned into an exception by Python's filters. Only the language boundary
 * can raise it, and only there is a Python caller whose line is reported. See registry.h for the
 * pending warnings. */
#ifndef FISHPLATE_WARNINGS_H
#define FISHPLATE_WARNINGS_H

#include "attach.h"
#include "warn.h"

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* FP_WARN(PyExc_UserWarning, "%d of %d values are missing", missing, n);
 * The category is borrowed: a class that lives as long as the module. */
#define FP_WARN(category, ...) fp_glue_warn((category), __VA_ARGS__)

FP_GLUE_SHARED FP_GLUE_COLD FP_GLUE_FORMAT(2, 3) void
fp_glue_warn(PyObject *category, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fp_glue_note(category != NULL ? category : PyExc_RuntimeWarning, 0,
                 PyGILState_GetThisThreadState() != NULL, format, arguments);
    va_end(arguments);
}

/* A library that raises warnings is loaded: they are no longer written to stderr. */
__attribute__((constructor)) static void
fp_glue_hear_warnings(void)
{
    __atomic_store_n(&fishplate_registry_1.is_heard, 1, __ATOMIC_RELAXED);
}

/* A message as a Python string, whatever its bytes are. */
static inline PyObject *
fp_glue_string(const char *text)
{
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

static inline PyObject *
fp_glue_category(const fp_glue_warning *warning)
{
    if (warning->category != NULL) {
        return (PyObject *)warning->category;
    }
    switch (warning->kind) {
    case FP_RUNTIME_WARNING: return PyExc_RuntimeWarning;
    case FP_DEPRECATION_WARNING: return PyExc_DeprecationWarning;
    case FP_FUTURE_WARNING: return PyExc_FutureWarning;
    case FP_RESOURCE_WARNING: return PyExc_ResourceWarning;
    default: return PyExc_UserWarning;
    }
}

/* One Python warning; -1 if a filter made it an exception. */
FP_GLUE_SHARED FP_GLUE_COLD int
fp_glue_raise_warning(PyObject *category, const char *text)
{
    /* PyErr_WarnEx takes UTF-8 only. */
    PyObject *string = fp_glue_string(text);
    int raised = string == NULL ? -1 : PyErr_WarnFormat(category, 1, "%U", string);
    Py_XDECREF(string);
    return raised;
}

/* With the GIL, and without an exception set: raises the warnings of a call that ends (NULL: a
 * function without one). -1: one became an exception, and the rest is dropped, as code after an
 * exception is not run. */
FP_GLUE_SHARED FP_GLUE_COLD int
fp_glue_raise_warnings(fp_glue_call *call)
{
    int left_out, raised = 0;
    fp_glue_warning *next, *warning = fp_glue_take(fp_glue_this_thread(), call, &left_out);
    if (!fp_glue_check_interpreter(PyExc_RuntimeError)) {
        raised = -1;
    }
    for (; warning != NULL; warning = next) {
        next = warning->next;
        if (raised == 0) {
            raised = fp_glue_raise_warning(fp_glue_category(warning), warning->text);
        }
        free(warning);
    }
    if (raised == 0 && left_out > 0) {
        char text[64];
        snprintf(text, sizeof(text), "%d further warnings were left out", left_out);
        raised = fp_glue_raise_warning(PyExc_RuntimeWarning, text);
    }
    return raised;
}

/* The same with an exception set, which is kept. A warning that became an exception came first, and
 * is its context. */
FP_GLUE_SHARED FP_GLUE_COLD void
fp_glue_raise_warnings_during_error(fp_glue_call *call)
{
    PyObject *type, *error, *traceback, *other_type, *other, *other_traceback, *context;
    if (!PyErr_Occurred()) { /* NULL without a reason: Python reports that */
        fp_glue_raise_warnings(call);
        return;
    }
    PyErr_Fetch(&type, &error, &traceback);
    if (fp_glue_raise_warnings(call) < 0) {
        PyErr_Fetch(&other_type, &other, &other_traceback);
        PyErr_NormalizeException(&other_type, &other, &other_traceback);
        PyErr_NormalizeException(&type, &error, &traceback);
        context = PyException_GetContext(error);
        if (context == NULL && other != error) {
            PyException_SetContext(error, other); /* steals the reference */
            other = NULL;
        }
        Py_XDECREF(context);
        Py_XDECREF(other_type);
        Py_XDECREF(other);
        Py_XDECREF(other_traceback);
    }
    PyErr_Restore(type, error, traceback);
}

/* Ends a function that returns an object. If Python would report a result with an exception set, it
 * still does, and no warning is blamed for it. */
FP_GLUE_SHARED FP_GLUE_COLD PyObject *
fp_glue_finish_warned(fp_glue_call *call, PyObject *result)
{
    if (result == NULL || PyErr_Occurred()) {
        fp_glue_raise_warnings_during_error(call);
    }
    else if (fp_glue_raise_warnings(call) < 0) {
        Py_CLEAR(result);
    }
    return result;
}

#ifdef __cplusplus
}
#endif

/* In a module that Fishplate generates. */
#ifdef FISHPLATE_PYTHON_H
#include "generated.h"
#endif

#endif
