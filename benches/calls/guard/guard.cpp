// The same functions bare and between FP_HANDLE_ERRORS and FP_END_HANDLE_ERRORS. Each bare one
// exists twice: a cost below the difference of two builds of one source is not significant.
#include <fishplate/python.hpp>

namespace {

// Cache lines of their own, so that none is favoured by its address.
#define ALIGNED __attribute__((aligned(64), noinline))

#define NOTHING Py_RETURN_NONE;
#define ADD                                                     \
    const double a = PyFloat_AsDouble(arguments[0]);            \
    const double b = PyFloat_AsDouble(arguments[1]);            \
    if ((a == -1 || b == -1) && PyErr_Occurred()) return NULL;  \
    return PyFloat_FromDouble(a + b);

// For a tuple.
#define TOTAL                                                                   \
    double total = 0;                                                           \
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(arguments[0]); i++) {           \
        const double x = PyFloat_AsDouble(PyTuple_GET_ITEM(arguments[0], i));   \
        if (x == -1 && PyErr_Occurred()) return NULL;                           \
        total += x;                                                             \
    }                                                                           \
    return PyFloat_FromDouble(total);

// The same, as a wrapper of a library calls it: the loop is in a function of its own.
ALIGNED double sum(PyObject *tuple)
{
    double total = 0;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); i++) {
        const double x = PyFloat_AsDouble(PyTuple_GET_ITEM(tuple, i));
        if (x == -1 && PyErr_Occurred()) return -1;
        total += x;
    }
    return total;
}

#define WRAP                                             \
    const double total = sum(arguments[0]);              \
    if (total == -1 && PyErr_Occurred()) return NULL;    \
    return PyFloat_FromDouble(total);

#define DEFINE(name, before, body, after)                                            \
    ALIGNED PyObject *name(PyObject *, PyObject *const *arguments, Py_ssize_t count) \
    {                                                                                \
        static_cast<void>(arguments);                                                \
        static_cast<void>(count);                                                    \
        before body after                                                            \
    }

DEFINE(nothing_bare, , NOTHING, )
DEFINE(nothing_guarded, FP_HANDLE_ERRORS, NOTHING, FP_END_HANDLE_ERRORS)
DEFINE(nothing_again, , NOTHING, )
DEFINE(add_bare, , ADD, )
DEFINE(add_guarded, FP_HANDLE_ERRORS, ADD, FP_END_HANDLE_ERRORS)
DEFINE(add_again, , ADD, )
DEFINE(total_bare, , TOTAL, )
DEFINE(total_guarded, FP_HANDLE_ERRORS, TOTAL, FP_END_HANDLE_ERRORS)
DEFINE(total_again, , TOTAL, )
DEFINE(wrap_bare, , WRAP, )
DEFINE(wrap_guarded, FP_HANDLE_ERRORS, WRAP, FP_END_HANDLE_ERRORS)
DEFINE(wrap_again, , WRAP, )

#define METHOD(name) {#name, reinterpret_cast<PyCFunction>(reinterpret_cast<void *>(name)), METH_FASTCALL, nullptr}
PyMethodDef methods[] = {
    METHOD(nothing_bare), METHOD(nothing_guarded), METHOD(nothing_again),
    METHOD(add_bare),     METHOD(add_guarded),     METHOD(add_again),
    METHOD(total_bare),   METHOD(total_guarded),   METHOD(total_again),
    METHOD(wrap_bare),    METHOD(wrap_guarded),    METHOD(wrap_again),
    {nullptr, nullptr, 0, nullptr},
};
PyModuleDef module = {PyModuleDef_HEAD_INIT, "guard", nullptr, 0, methods, nullptr, nullptr, nullptr, nullptr};

} // namespace

PyMODINIT_FUNC PyInit_guard()
{
    return PyModuleDef_Init(&module);
}
