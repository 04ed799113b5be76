/* In a module that Fishplate generates: its language boundary.
 *
 * Purpose: raise warnings at the end of its calls. Included by warn.h and warnings.h if the
 * module's runtime comes first, which is always so.
 * Invariant: a module whose headers include none of these headers is not changed.
 * Reason: the effect of FP_WARN and FP_CHECK must not depend on who has written the boundary. */
#ifndef FISHPLATE_GENERATED_H
#define FISHPLATE_GENERATED_H

#include "warnings.h"

#ifdef __cplusplus
extern "C" {
#endif

static PyObject *
fp_glue_finish_entry(fp_glue_call *call, PyObject *result)
{
    if (result != NULL && !FP_GLUE_LIKELY(PyErr_Occurred() == NULL)) {
        Py_CLEAR(result); /* by a check in C that returns no status */
    }
    if (!FP_GLUE_LIKELY(!fp_glue_is_warned(call))) {
        result = fp_glue_finish_warned(call, result);
    }
    fp_glue_end_call(call);
    return result;
}

static PyObject *
fp_glue_call_entry(fp_entry entry, PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    fp_glue_call call;
    fp_glue_begin_call(&call);
    return fp_glue_finish_entry(&call, entry(self, args, count, keywords));
}

static inline PyObject *
fp_glue_call_body(fp_body body, PyObject *const *args)
{
    fp_glue_call call;
    fp_glue_begin_call(&call);
    return fp_glue_finish_entry(&call, body(args));
}

static void
fp_glue_destroy(void (*destroy)(void *), void *pointer)
{
    fp_glue_call call;
    fp_glue_begin_call(&call);
    destroy(pointer);
    if (fp_glue_is_warned(&call)) {
        fp_glue_raise_warnings_during_error(&call);
    }
    if (PyErr_Occurred()) {
        PyErr_WriteUnraisable(NULL);
    }
    fp_glue_end_call(&call);
}

static void *
fp_glue_this_caller(void)
{
    return fp_this_caller();
}

static void
fp_glue_warn_for(void *caller)
{
    fp_warn_for((fp_caller)caller);
}

static void
fp_glue_raise_carried(PyObject *exception, const char *text, Py_ssize_t length)
{
    PyObject *noted;
    int from = length > 0 && text[0] == ' ';
    if (length > 0) {
        noted = PyObject_CallMethod(exception, "add_note", "s#", text + from, length - from);
        if (noted == NULL) {
            PyErr_Clear();
        }
        Py_XDECREF(noted);
    }
    Py_INCREF((PyObject *)Py_TYPE(exception));
    PyErr_Restore((PyObject *)Py_TYPE(exception), exception, PyException_GetTraceback(exception));
}

static int
fp_glue_end_target(void)
{
    int done = 1;
    if (!FP_GLUE_LIKELY(!fp_glue_is_warned(NULL))) {
        fp_glue_attached attached;
        fp_glue_attach(&attached);
        done = fp_glue_raise_warnings(NULL) == 0;
        fp_glue_detach(&attached);
    }
    return done;
}

static const fp_glue_hooks fp_glue_all_hooks = {
    fp_glue_destroy, fp_glue_this_caller, fp_glue_warn_for, fp_glue_raise_carried, fp_glue_end_target,
};

#undef FP_GLUE_HOOKS
#define FP_GLUE_HOOKS (&fp_glue_all_hooks)

#undef FP_GUARD
#undef FP_GUARD_BODY
#undef FP_GUARDED
#define FP_GUARD(ENTRY)                                                                        \
    static PyObject *fp_guarded_##ENTRY(FP_ENTRY)                                              \
    {                                                                                          \
        return fp_glue_call_entry(ENTRY, fp_self, fp_args, fp_count, fp_keywords);             \
    }
#define FP_GUARD_BODY(BODY)                                                                    \
    static PyObject *fp_guarded_##BODY(PyObject *const *fp_args)                               \
    {                                                                                          \
        return fp_glue_call_body(BODY, fp_args);                                               \
    }
#define FP_GUARDED(ENTRY) fp_guarded_##ENTRY

#ifdef __cplusplus
}
#endif

#endif
