/* The baseline of borders.py: the code that an expert would write by hand for borders.h.
 *
 * Types are compared by address, an object holds its struct or its pointer, members of an enum
 * are kept in a table, and locks are those of Python. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <pythread.h>
#include <string.h>

#include "borders.h"

#define UNLIKELY(x) __builtin_expect(!!(x), 0)

#define MAX_ARGUMENTS 2

typedef struct {
    const char *function;
    Py_ssize_t count;
    const char *names[MAX_ARGUMENTS];
} Signature;

static const Signature LENGTH = {"length", 1, {"text"}}, ADD = {"add", 2, {"a", "b"}}, NORM = {"norm", 1, {"p"}},
                       TURNED = {"turned", 1, {"c"}}, APPLY = {"apply", 2, {"f", "x"}};

static Py_NO_INLINE PyObject *const *bind_keywords(const Signature *sig, PyObject *const *args, Py_ssize_t positional,
                                                   PyObject *names, PyObject **values)
{
    Py_ssize_t named = names ? PyTuple_GET_SIZE(names) : 0, i, k;
    if (positional + named != sig->count) {
        PyErr_Format(PyExc_TypeError, "%s(): takes %zd arguments, not %zd", sig->function, sig->count,
                     positional + named);
        return NULL;
    }
    for (i = 0; i < sig->count; i++)
        values[i] = i < positional ? args[i] : NULL;
    for (k = 0; k < named; k++) {
        PyObject *key = PyTuple_GET_ITEM(names, k);
        for (i = positional; i < sig->count && PyUnicode_CompareWithASCIIString(key, sig->names[i]) != 0; i++) { }
        if (i == sig->count || values[i]) {
            PyErr_Format(PyExc_TypeError, "%s(): argument '%U' is unknown, or given twice", sig->function, key);
            return NULL;
        }
        values[i] = args[positional + k];
    }
    return values;
}

/* All arguments are positional, as in most calls, and used in place. */
static inline PyObject *const *bind(const Signature *sig, PyObject *const *args, Py_ssize_t positional,
                                    PyObject *names, PyObject **values)
{
    if (!names && positional == sig->count)
        return args;
    return bind_keywords(sig, args, positional, names, values);
}

/* Counter ---------------------------------------------------------------- */

typedef struct {
    PyObject_HEAD
    counter *pointer;
    PyThread_type_lock lock;
} Counter;

static PyThread_type_lock module_lock;

static PyObject *Counter_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    if (PyTuple_GET_SIZE(args) != 0 || keywords)
        return PyErr_Format(PyExc_TypeError, "Counter(): takes no arguments");
    Counter *self = (Counter *)type->tp_alloc(type, 0);
    if (!self)
        return NULL;
    self->pointer = counter_new();
    self->lock = PyThread_allocate_lock();
    if (!self->pointer || !self->lock) {
        Py_DECREF(self);
        return PyErr_NoMemory();
    }
    return (PyObject *)self;
}

static void Counter_dealloc(PyObject *o)
{
    Counter *self = (Counter *)o;
    PyTypeObject *type = Py_TYPE(o);
    if (self->pointer)
        counter_free(self->pointer);
    if (self->lock)
        PyThread_free_lock(self->lock);
    type->tp_free(o);
    Py_DECREF(type);
}

static PyObject *closed(void)
{
    PyErr_SetString(PyExc_ValueError, "this Counter is closed");
    return NULL;
}

static PyObject *Counter_close(PyObject *o, PyObject *unused)
{
    Counter *self = (Counter *)o;
    (void)unused;
    if (self->pointer)
        counter_free(self->pointer);
    self->pointer = NULL;
    Py_RETURN_NONE;
}

static PyObject *Counter_next(PyObject *o, PyObject *unused)
{
    Counter *self = (Counter *)o;
    (void)unused;
    if (UNLIKELY(!self->pointer))
        return closed();
    return PyLong_FromLong(counter_next(self->pointer));
}

static PyObject *next_under(Counter *self, PyThread_type_lock lock)
{
    if (UNLIKELY(!self->pointer))
        return closed();
    if (UNLIKELY(!PyThread_acquire_lock(lock, NOWAIT_LOCK))) {
        Py_BEGIN_ALLOW_THREADS
        PyThread_acquire_lock(lock, WAIT_LOCK);
        Py_END_ALLOW_THREADS
    }
    long value = counter_next(self->pointer);
    PyThread_release_lock(lock);
    return PyLong_FromLong(value);
}

static PyObject *Counter_next_handle_lock(PyObject *o, PyObject *unused)
{
    (void)unused;
    return next_under((Counter *)o, ((Counter *)o)->lock);
}

static PyObject *Counter_next_module_lock(PyObject *o, PyObject *unused)
{
    (void)unused;
    return next_under((Counter *)o, module_lock);
}

static PyObject *Counter_next_released(PyObject *o, PyObject *unused)
{
    Counter *self = (Counter *)o;
    long value;
    (void)unused;
    if (UNLIKELY(!self->pointer))
        return closed();
    Py_BEGIN_ALLOW_THREADS
    PyThread_acquire_lock(self->lock, WAIT_LOCK);
    value = counter_next(self->pointer);
    PyThread_release_lock(self->lock);
    Py_END_ALLOW_THREADS
    return PyLong_FromLong(value);
}

static PyMethodDef counter_methods[] = {
    {"close", Counter_close, METH_NOARGS, NULL},
    {"next_safe", Counter_next, METH_NOARGS, NULL},
    {"next_gil", Counter_next, METH_NOARGS, NULL},
    {"next_handle_lock", Counter_next_handle_lock, METH_NOARGS, NULL},
    {"next_module_lock", Counter_next_module_lock, METH_NOARGS, NULL},
    {"next_released", Counter_next_released, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot counter_slots[] = {
    {Py_tp_new, (void *)Counter_new},
    {Py_tp_dealloc, (void *)Counter_dealloc},
    {Py_tp_methods, counter_methods},
    {0, NULL},
};

static PyType_Spec counter_spec = {"borders_hand.Counter", sizeof(Counter), 0, Py_TPFLAGS_DEFAULT, counter_slots};

/* Strings ------------------------------------------------------------------ */

static PyObject *py_length(PyObject *module, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    PyObject *values[MAX_ARGUMENTS];
    Py_ssize_t size;
    (void)module;
    if (!(args = bind(&LENGTH, args, count, names, values)))
        return NULL;
    if (UNLIKELY(!PyUnicode_Check(args[0])))
        return PyErr_Format(PyExc_TypeError, "length(): 'text' must be a str, not %.200s", Py_TYPE(args[0])->tp_name);
    const char *text = PyUnicode_AsUTF8AndSize(args[0], &size);
    if (UNLIKELY(!text))
        return NULL;
    if (UNLIKELY(strlen(text) != (size_t)size)) {
        PyErr_SetString(PyExc_ValueError, "length(): 'text' has a NUL inside");
        return NULL;
    }
    return PyLong_FromSize_t(text_length(text));
}

/* Structs ---------------------------------------------------------------- */

typedef struct {
    PyObject_HEAD
    point value;
} Point;

static PyTypeObject *point_type;

static PyObject *give_point(point value)
{
    Point *made = (Point *)point_type->tp_alloc(point_type, 0);
    if (made)
        made->value = value;
    return (PyObject *)made;
}

static PyObject *Point_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"x", "y", NULL};
    point value = {0, 0};
    (void)type;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|dd", names, &value.x, &value.y))
        return NULL;
    return give_point(value);
}

static void Point_dealloc(PyObject *o)
{
    PyTypeObject *type = Py_TYPE(o);
    type->tp_free(o);
    Py_DECREF(type);
}

static PyObject *Point_get(PyObject *o, void *at)
{
    return PyFloat_FromDouble(*(double *)((char *)&((Point *)o)->value + (size_t)at));
}

static int Point_set(PyObject *o, PyObject *value, void *at)
{
    double number;
    if (!value) {
        PyErr_SetString(PyExc_AttributeError, "a field cannot be deleted");
        return -1;
    }
    number = PyFloat_AsDouble(value);
    if (UNLIKELY(number == -1 && PyErr_Occurred()))
        return -1;
    *(double *)((char *)&((Point *)o)->value + (size_t)at) = number;
    return 0;
}

static PyGetSetDef point_fields[] = {
    {"x", Point_get, Point_set, NULL, (void *)offsetof(point, x)},
    {"y", Point_get, Point_set, NULL, (void *)offsetof(point, y)},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot point_slots[] = {
    {Py_tp_new, (void *)Point_new},
    {Py_tp_dealloc, (void *)Point_dealloc},
    {Py_tp_getset, point_fields},
    {0, NULL},
};

static PyType_Spec point_spec = {"borders_hand.Point", sizeof(Point), 0, Py_TPFLAGS_DEFAULT, point_slots};

static int is_point(PyObject *o, const char *function)
{
    if (UNLIKELY(Py_TYPE(o) != point_type)) {
        PyErr_Format(PyExc_TypeError, "%s(): wanted a Point, not %.200s", function, Py_TYPE(o)->tp_name);
        return 0;
    }
    return 1;
}

static PyObject *py_add(PyObject *module, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    PyObject *values[MAX_ARGUMENTS];
    (void)module;
    if (!(args = bind(&ADD, args, count, names, values)) || !is_point(args[0], "add") || !is_point(args[1], "add"))
        return NULL;
    return give_point(point_add(((Point *)args[0])->value, ((Point *)args[1])->value));
}

static PyObject *py_norm(PyObject *module, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    PyObject *values[MAX_ARGUMENTS];
    (void)module;
    if (!(args = bind(&NORM, args, count, names, values)) || !is_point(args[0], "norm"))
        return NULL;
    return PyFloat_FromDouble(point_norm(((Point *)args[0])->value));
}

/* Enums ------------------------------------------------------------------ */

static PyObject *color_type;
static PyObject *members[3];

static PyObject *py_turned(PyObject *module, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    PyObject *values[MAX_ARGUMENTS];
    (void)module;
    if (!(args = bind(&TURNED, args, count, names, values)))
        return NULL;
    if (UNLIKELY(!PyLong_Check(args[0])))
        return PyErr_Format(PyExc_TypeError, "turned(): wanted a Color, not %.200s", Py_TYPE(args[0])->tp_name);
    long value = PyLong_AsLong(args[0]);
    if (UNLIKELY(value < 0 || value > 2)) {
        if (!PyErr_Occurred())
            PyErr_Format(PyExc_ValueError, "turned(): %ld is no Color", value);
        return NULL;
    }
    color next = color_next((color)value);
    if (UNLIKELY(next < 0 || next > 2))
        return PyLong_FromLong(next);
    Py_INCREF(members[next]);
    return members[next];
}

/* Callbacks -------------------------------------------------------------- */

typedef struct {
    PyObject *function;
    int failed;
} Callback;

static double call_back(double x, void *data)
{
    Callback *callback = data;
    double y = -1;
    if (UNLIKELY(callback->failed))
        return y;
    PyObject *given = PyFloat_FromDouble(x);
    PyObject *returned = given ? PyObject_CallOneArg(callback->function, given) : NULL;
    if (returned)
        y = PyFloat_AsDouble(returned);
    if (UNLIKELY(y == -1 && PyErr_Occurred()))
        callback->failed = 1;
    Py_XDECREF(given);
    Py_XDECREF(returned);
    return y;
}

static double call_back_released(double x, void *data)
{
    PyGILState_STATE state = PyGILState_Ensure();
    double y = call_back(x, data);
    PyGILState_Release(state);
    return y;
}

static int take_callback(Callback *callback, double *x, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    PyObject *values[MAX_ARGUMENTS];
    if (!(args = bind(&APPLY, args, count, names, values)))
        return -1;
    if (UNLIKELY(!PyCallable_Check(args[0]))) {
        PyErr_SetString(PyExc_TypeError, "apply(): 'f' must be a function");
        return -1;
    }
    callback->function = args[0];
    callback->failed = 0;
    *x = PyFloat_AsDouble(args[1]);
    return UNLIKELY(*x == -1 && PyErr_Occurred()) ? -1 : 0;
}

static PyObject *py_apply_held(PyObject *module, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    Callback callback;
    double x, y;
    (void)module;
    if (take_callback(&callback, &x, args, count, names) < 0)
        return NULL;
    y = apply(call_back, &callback, x);
    return UNLIKELY(callback.failed) ? NULL : PyFloat_FromDouble(y);
}

static PyObject *py_apply(PyObject *module, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    Callback callback;
    double x, y;
    (void)module;
    if (take_callback(&callback, &x, args, count, names) < 0)
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    y = apply(call_back_released, &callback, x);
    Py_END_ALLOW_THREADS
    return UNLIKELY(callback.failed) ? NULL : PyFloat_FromDouble(y);
}

/* The module ------------------------------------------------------------- */

#define FAST(function) (PyCFunction)(void (*)(void)) function

static PyMethodDef functions[] = {
    {"length", FAST(py_length), METH_FASTCALL | METH_KEYWORDS, NULL},
    {"add", FAST(py_add), METH_FASTCALL | METH_KEYWORDS, NULL},
    {"norm", FAST(py_norm), METH_FASTCALL | METH_KEYWORDS, NULL},
    {"turned", FAST(py_turned), METH_FASTCALL | METH_KEYWORDS, NULL},
    {"apply", FAST(py_apply), METH_FASTCALL | METH_KEYWORDS, NULL},
    {"apply_held", FAST(py_apply_held), METH_FASTCALL | METH_KEYWORDS, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "borders_hand", NULL, -1, functions, NULL, NULL, NULL, NULL};

static int add_enum(PyObject *module)
{
    static const char *const names[] = {"RED", "GREEN", "BLUE"};
    PyObject *enums = PyImport_ImportModule("enum");
    if (!enums)
        return -1;
    color_type = PyObject_CallMethod(enums, "IntEnum", "s[(si)(si)(si)]", "Color", names[0], 0, names[1], 1, names[2], 2);
    Py_DECREF(enums);
    for (int k = 0; color_type && k < 3; k++)
        members[k] = PyObject_GetAttrString(color_type, names[k]);
    return color_type && members[2] ? PyModule_AddObjectRef(module, "Color", color_type) : -1;
}

PyMODINIT_FUNC PyInit_borders_hand(void)
{
    PyObject *module = PyModule_Create(&definition);
    PyObject *counter_type = PyType_FromSpec(&counter_spec);
    point_type = (PyTypeObject *)PyType_FromSpec(&point_spec);
    module_lock = PyThread_allocate_lock();
    if (!module || !counter_type || !point_type || !module_lock ||
        PyModule_AddObjectRef(module, "Counter", counter_type) < 0 ||
        PyModule_AddObjectRef(module, "Point", (PyObject *)point_type) < 0 || add_enum(module) < 0)
        return NULL;
    return module;
}
