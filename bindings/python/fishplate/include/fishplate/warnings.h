/* Warnings of native code.
 *
 * Purpose: FP_WARN notes a warning on any thread, with or without the GIL; the border to Python
 * makes Python warnings of what was noted.
 * Invariant: a warning that was noted on a thread of Python's is raised at a border of that thread;
 * one of a foreign thread at the next border of any, unless it speaks for a thread (fp_speak_for).
 * Nothing of Python is called, and no GIL waited for, where a warning is noted.
 * Reason: a warning may be made an exception by Python's filters. Only the border can raise it, and
 * it is the only place that surely has a Python caller to blame. A border where nothing was noted
 * costs one load. C99 and C++: all files of a module share one list. */
#ifndef FISHPLATE_WARNINGS_H
#define FISHPLATE_WARNINGS_H

#include "first.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* FP_WARN(PyExc_UserWarning, "%d of %d values are missing", missing, n);
 * The category is borrowed: a class that lives as long as the module. */
#define FP_WARN(category, ...) fp_glue_warn((category), __VA_ARGS__)

/* How many warnings may wait; of those that come after, only their number is known. */
enum { FP_GLUE_MOST_WARNINGS = 1000 };

/* The Python thread that is called from, to be handed to threads that work for it. NULL: none. */
typedef PyThreadState *fp_caller;

typedef struct fp_glue_warning {
    struct fp_glue_warning *next;
    PyObject *category;
    fp_caller caller;
    char text[1]; /* as long as it is */
} fp_glue_warning;

typedef struct {
    pthread_mutex_t lock; /* held for a few assignments, never while Python is called */
    fp_glue_warning *first, **end;
    int count, left_out;
} fp_glue_warning_list;

FP_GLUE_SHARED fp_glue_warning_list fp_glue_warnings = {PTHREAD_MUTEX_INITIALIZER, NULL, NULL, 0, 0};
FP_GLUE_SHARED __thread fp_caller fp_glue_spoken_for = NULL;

static inline fp_caller
fp_this_caller(void)
{
    return fp_glue_spoken_for != NULL ? fp_glue_spoken_for : PyGILState_GetThisThreadState();
}

/* What this thread warns of from now on is raised where `caller` returns to Python, which has to
 * wait for this thread. NULL ends it. Gives the caller that it spoke for before. */
static inline fp_caller
fp_speak_for(fp_caller caller)
{
    fp_caller before = fp_glue_spoken_for;
    fp_glue_spoken_for = caller;
    return before;
}

FP_GLUE_SHARED FP_GLUE_COLD FP_GLUE_FORMAT(2, 3) void
fp_glue_warn(PyObject *category, const char *format, ...)
{
    fp_glue_warning_list *list = &fp_glue_warnings;
    fp_glue_warning *warning = NULL;
    va_list arguments, again;
    int length;
    va_start(arguments, format);
    va_copy(again, arguments);
    length = vsnprintf(NULL, 0, format, arguments);
    if (length >= 0) {
        warning = (fp_glue_warning *)malloc(sizeof(fp_glue_warning) + (size_t)length);
    }
    if (warning != NULL) {
        vsnprintf(warning->text, (size_t)length + 1, format, again);
        warning->next = NULL;
        warning->category = category;
        warning->caller = fp_this_caller();
    }
    va_end(again);
    va_end(arguments);
    pthread_mutex_lock(&list->lock);
    if (warning != NULL && list->count < FP_GLUE_MOST_WARNINGS) {
        if (list->first == NULL) {
            list->end = &list->first;
        }
        /* The border looks at `first` without the lock. */
        __atomic_store_n(list->end, warning, __ATOMIC_RELAXED);
        list->end = &warning->next;
        list->count++;
        warning = NULL;
    }
    else {
        list->left_out++;
    }
    pthread_mutex_unlock(&list->lock);
    free(warning);
}

/* Takes what `caller` and foreign threads have noted out of the list, in its order. */
FP_GLUE_SHARED FP_GLUE_COLD fp_glue_warning *
fp_glue_take_warnings(fp_caller caller, int *left_out)
{
    fp_glue_warning_list *list = &fp_glue_warnings;
    fp_glue_warning *taken = NULL, **taken_end = &taken, **link, *warning;
    pthread_mutex_lock(&list->lock);
    link = &list->first;
    while ((warning = *link) != NULL) {
        if (warning->caller == NULL || warning->caller == caller) {
            __atomic_store_n(link, warning->next, __ATOMIC_RELAXED);
            warning->next = NULL;
            *taken_end = warning;
            taken_end = &warning->next;
            list->count--;
        }
        else {
            link = &warning->next;
        }
    }
    list->end = link;
    *left_out = list->left_out;
    list->left_out = 0;
    pthread_mutex_unlock(&list->lock);
    return taken;
}

/* A thread state ends that was made for a foreign thread: what was noted has no border of its own. */
FP_GLUE_SHARED FP_GLUE_COLD void
fp_glue_disown_warnings(fp_caller caller)
{
    fp_glue_warning *warning;
    pthread_mutex_lock(&fp_glue_warnings.lock);
    for (warning = fp_glue_warnings.first; warning != NULL; warning = warning->next) {
        if (warning->caller == caller) {
            warning->caller = NULL;
        }
    }
    pthread_mutex_unlock(&fp_glue_warnings.lock);
}

static inline int
fp_glue_is_warned(void)
{
    return __atomic_load_n(&fp_glue_warnings.first, __ATOMIC_RELAXED) != NULL;
}

/* Makes a text of ours a Python string, whatever its bytes are. */
static inline PyObject *
fp_glue_string(const char *text)
{
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

/* One Python warning; -1 where a filter made it an exception. */
FP_GLUE_SHARED FP_GLUE_COLD int
fp_glue_raise_warning(PyObject *category, const char *text)
{
    /* PyErr_WarnEx takes UTF-8 only. */
    PyObject *string = fp_glue_string(text);
    int raised = string == NULL ? -1 : PyErr_WarnFormat(category, 1, "%U", string);
    Py_XDECREF(string);
    return raised;
}

/* With the GIL, and without an exception set: raises what was noted. -1: one became an exception,
 * and the rest is dropped, as code behind an exception is not run. */
FP_GLUE_SHARED FP_GLUE_COLD int
fp_glue_raise_warnings(void)
{
    int left_out, raised = 0;
    fp_glue_warning *next, *warning = fp_glue_take_warnings(PyGILState_GetThisThreadState(), &left_out);
    for (; warning != NULL; warning = next) {
        next = warning->next;
        if (raised == 0) {
            raised = fp_glue_raise_warning(warning->category, warning->text);
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

/* The same where an exception is set, which stays set. A warning that became an exception came
 * before it, and is shown so: as its context. */
FP_GLUE_SHARED FP_GLUE_COLD void
fp_glue_raise_warnings_beside_error(void)
{
    PyObject *type, *error, *traceback, *other_type, *other, *other_traceback, *context;
    if (!PyErr_Occurred()) { /* NULL without a reason: Python will complain */
        fp_glue_raise_warnings();
        return;
    }
    PyErr_Fetch(&type, &error, &traceback);
    if (fp_glue_raise_warnings() < 0) {
        PyErr_Fetch(&other_type, &other, &other_traceback);
        PyErr_NormalizeException(&other_type, &other, &other_traceback);
        PyErr_NormalizeException(&type, &error, &traceback);
        context = PyException_GetContext(error);
        if (context == NULL && other != error) {
            PyException_SetContext(error, other); /* takes the reference */
            other = NULL;
        }
        Py_XDECREF(context);
        Py_XDECREF(other_type);
        Py_XDECREF(other);
        Py_XDECREF(other_traceback);
    }
    PyErr_Restore(type, error, traceback);
}

#ifdef __cplusplus
}
#endif

#endif
