/* The uses of the header for C that tests/glue/test_glue.py calls. */
#include <fishplate/python.h>

#include "agnostic.h"

static PyObject *
checks(PyObject *self, PyObject *arg)
{
    long n;
    (void)self;
    FP_CHECK_TYPE(PyLong_Check(arg), "wanted an int, got %s", Py_TYPE(arg)->tp_name);
    n = PyLong_AsLong(arg);
    FP_CHECK(n != -1 || !PyErr_Occurred(), "%s", "too large");
    FP_CHECK_VALUE(n >= 0, "%ld is negative", n);
    FP_CHECK_INDEX(n < 10, "%ld is past the end", n);
    return PyLong_FromLong(n);
}

/* 1 with all resources freed, on every path. */
static PyObject *
cleans_up(PyObject *self, PyObject *arg)
{
    static int acquired = 0;
    PyObject *result = NULL;
    (void)self;
    acquired++;
    FP_CHECK_VALUE_OR(goto undo, arg != Py_None, "None is no value");
    result = PyLong_FromLong(acquired);
undo:
    acquired--;
    return fp_finish_call(result);
}

/* The exception is created while the GIL is not held. */
static PyObject *
without_gil(PyObject *self, PyObject *arg)
{
    PyObject *result = NULL;
    int failed = 0;
    (void)self;
    (void)arg;
    Py_BEGIN_ALLOW_THREADS
    FP_CHECK_INDEX_OR(failed = 1, failed, "%d", 7);
    Py_END_ALLOW_THREADS
    FP_CHECK_OR(goto undo, failed, "cannot be");
undo:
    return result;
}

static PyObject *
warns(PyObject *self, PyObject *arg)
{
    (void)self;
    FP_WARN(PyExc_RuntimeWarning, "%s", "from C");
    FP_CHECK_TYPE_OR(return fp_finish_call(NULL), arg != Py_None, "None");
    Py_INCREF(arg);
    return fp_finish_call(arg);
}

/* Returns from between the macros. */
static PyObject *
check_without_gil(PyObject *self, PyObject *arg)
{
    (void)self;
    (void)arg;
    Py_BEGIN_ALLOW_THREADS
    FP_CHECK_VALUE(0, "%s", "without the GIL, in C");
    Py_END_ALLOW_THREADS
    Py_RETURN_NONE;
}

static PyObject *
warns_and_calls(PyObject *self, PyObject *function)
{
    PyObject *result;
    FP_HANDLE_ERRORS;
    (void)self;
    FP_WARN(PyExc_UserWarning, "outer, before");
    result = PyObject_CallNoArgs(function);
    FP_CHECK_OR(return fp_finish_call(NULL), result != NULL, "the callback failed");
    FP_WARN(PyExc_UserWarning, "outer, after");
    return fp_finish_call(result);
}

static PyObject *
begins(PyObject *self, PyObject *arg)
{
    FP_HANDLE_ERRORS;
    (void)self;
    (void)arg;
    Py_INCREF(Py_None);
    return fp_finish_call(Py_None);
}

static PyObject *
library(PyObject *self, PyObject *arg)
{
    FP_HANDLE_ERRORS;
    (void)self;
    (void)arg;
    agnostic_work(1);
    Py_INCREF(Py_None);
    return fp_finish_call(Py_None);
}

static int
set_item(PyObject *self, PyObject *key, PyObject *value)
{
    (void)self;
    if (PyUnicode_Check(key)) {
        int failed = 0;
        Py_BEGIN_ALLOW_THREADS
        FP_CHECK_TYPE_OR(return fp_finish_status(-1), failed, "status without the GIL");
        Py_END_ALLOW_THREADS
    }
    FP_WARN(PyExc_RuntimeWarning, "not kept");
    FP_CHECK_TYPE_OR(return fp_finish_status(-1), value != NULL, "cannot be deleted");
    return fp_finish_status(0);
}

static PyMethodDef methods[] = {
    {"checks", checks, METH_O, NULL},
    {"cleans_up", cleans_up, METH_O, NULL},
    {"without_gil", without_gil, METH_NOARGS, NULL},
    {"check_without_gil", check_without_gil, METH_NOARGS, NULL},
    {"warns", warns, METH_O, NULL},
    {"warns_and_calls", warns_and_calls, METH_O, NULL},
    {"begins", begins, METH_NOARGS, NULL},
    {"library", library, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot sink_slots[] = {{Py_mp_ass_subscript, (void *)set_item}, {0, NULL}};
static PyType_Spec sink_spec = {"plain.Sink", sizeof(PyObject), 0, Py_TPFLAGS_DEFAULT, sink_slots};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "plain", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC
PyInit_plain(void)
{
    PyObject *made = PyModule_Create(&module), *type = made ? PyType_FromSpec(&sink_spec) : NULL;
    if (type == NULL || PyModule_AddObjectRef(made, "Sink", type) < 0) {
        Py_CLEAR(made);
    }
    Py_XDECREF(type);
    return made;
}
