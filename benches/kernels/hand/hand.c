/* The functions of kernels.h over arrays, as an extension written by hand for speed: the loops are those
   that a C programmer would write for these shapes and no others. Arguments are float64 arrays. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <numpy/arrayobject.h>

#include "kernels.h"

#define PARAMETERS PyObject *self, PyObject *const *args, Py_ssize_t count

static int refuse(const char *function)
{
    PyErr_Format(PyExc_TypeError, "%s(): wanted other arguments", function);
    return 0;
}

/* True if `object` is an aligned array of doubles in native byte order, of this rank. */
static int is_array(PyObject *object, int rank)
{
    PyArrayObject *array = (PyArrayObject *)object;
    return PyArray_CheckExact(object) && PyArray_TYPE(array) == NPY_DOUBLE &&
           PyArray_NDIM(array) == rank && PyArray_ISALIGNED(array) && PyArray_ISNOTSWAPPED(array);
}

static PyArrayObject *new_array(int rank, const npy_intp *shape)
{
    return (PyArrayObject *)PyArray_SimpleNew(rank, (npy_intp *)shape, NPY_DOUBLE);
}

/* Loops are functions of their own: inside of others, compilers do not align them. */
#define LOOP static __attribute__((noinline)) void

/* A function of one number, over a vector of any stride. */
#define DEFINE_MAP(NAME)                                                                           \
    LOOP NAME##_close(npy_intp n, const double *x, double *restrict y)                             \
    {                                                                                              \
        for (npy_intp i = 0; i < n; i++)                                                           \
            y[i] = NAME(x[i]);                                                                     \
    }                                                                                              \
    LOOP NAME##_apart(npy_intp n, const char *x, npy_intp stride, double *restrict y)              \
    {                                                                                              \
        for (npy_intp i = 0; i < n; i++, x += stride)                                              \
            y[i] = NAME(*(const double *)x);                                                       \
    }                                                                                              \
    static PyObject *py_##NAME(PARAMETERS)                                                         \
    {                                                                                              \
        (void)self;                                                                                \
        if (count != 1 || !is_array(args[0], 1))                                                   \
            return refuse(#NAME), NULL;                                                            \
        PyArrayObject *x = (PyArrayObject *)args[0];                                               \
        npy_intp n = PyArray_DIM(x, 0), stride = PyArray_STRIDE(x, 0);                             \
        PyArrayObject *y = new_array(1, &n);                                                       \
        if (!y)                                                                                    \
            return NULL;                                                                           \
        Py_BEGIN_ALLOW_THREADS;                                                                    \
        if (stride == sizeof(double))                                                              \
            NAME##_close(n, (const double *)PyArray_DATA(x), (double *)PyArray_DATA(y));           \
        else                                                                                       \
            NAME##_apart(n, PyArray_BYTES(x), stride, (double *)PyArray_DATA(y));                  \
        Py_END_ALLOW_THREADS;                                                                      \
        return (PyObject *)y;                                                                      \
    }                                                                                              \
    static PyObject *py_##NAME##_one(PARAMETERS)                                                   \
    {                                                                                              \
        (void)self;                                                                                \
        if (count != 1 || !PyFloat_CheckExact(args[0]))                                            \
            return refuse(#NAME), NULL;                                                            \
        return PyFloat_FromDouble(NAME(PyFloat_AS_DOUBLE(args[0])));                               \
    }
DEFINE_MAP(poly)
DEFINE_MAP(cos)
DEFINE_MAP(costly)

LOOP blend_row(npy_intp n, double same, const double *y, double *restrict z)
{
    for (npy_intp j = 0; j < n; j++)
        z[j] = blend(same, y[j]);
}

/* For a column and a vector. */
static PyObject *py_blend(PARAMETERS)
{
    (void)self;
    if (count != 2 || !is_array(args[0], 2) || !is_array(args[1], 1) ||
        PyArray_DIM((PyArrayObject *)args[0], 1) != 1 ||
        !PyArray_IS_C_CONTIGUOUS((PyArrayObject *)args[0]) ||
        !PyArray_IS_C_CONTIGUOUS((PyArrayObject *)args[1]))
        return refuse("blend"), NULL;
    const double *x = (const double *)PyArray_DATA((PyArrayObject *)args[0]);
    const double *y = (const double *)PyArray_DATA((PyArrayObject *)args[1]);
    npy_intp shape[2] = {PyArray_DIM((PyArrayObject *)args[0], 0),
                         PyArray_DIM((PyArrayObject *)args[1], 0)};
    PyArrayObject *z = new_array(2, shape);
    if (!z)
        return NULL;
    Py_BEGIN_ALLOW_THREADS;
    for (npy_intp i = 0; i < shape[0]; i++)
        blend_row(shape[1], x[i], y, (double *)PyArray_DATA(z) + i * shape[1]);
    Py_END_ALLOW_THREADS;
    return (PyObject *)z;
}

static PyObject *py_blend_one(PARAMETERS)
{
    (void)self;
    if (count != 2 || !PyFloat_CheckExact(args[0]) || !PyFloat_CheckExact(args[1]))
        return refuse("blend"), NULL;
    return PyFloat_FromDouble(blend(PyFloat_AS_DOUBLE(args[0]), PyFloat_AS_DOUBLE(args[1])));
}

/* Two matrices, whose rows are the items. */
static int take_rows(const char *function, PyObject *const *args, Py_ssize_t count)
{
    if (count != 2 || !is_array(args[0], 2) || !is_array(args[1], 2) ||
        !PyArray_SAMESHAPE((PyArrayObject *)args[0], (PyArrayObject *)args[1]))
        return refuse(function);
    return 1;
}

/* For a C function that takes strides. */
static PyObject *py_dot_strided(PARAMETERS)
{
    (void)self;
    if (!take_rows("dot_strided", args, count))
        return NULL;
    PyArrayObject *x = (PyArrayObject *)args[0], *y = (PyArrayObject *)args[1];
    npy_intp rows = PyArray_DIM(x, 0), n = PyArray_DIM(x, 1);
    PyArrayObject *z = new_array(1, &rows);
    if (!z)
        return NULL;
    double *to = (double *)PyArray_DATA(z);
    const char *px = PyArray_BYTES(x), *py = PyArray_BYTES(y);
    npy_intp sx = PyArray_STRIDE(x, 0), sy = PyArray_STRIDE(y, 0);
    npy_intp incx = PyArray_STRIDE(x, 1) / 8, incy = PyArray_STRIDE(y, 1) / 8;
    Py_BEGIN_ALLOW_THREADS;
    for (npy_intp i = 0; i < rows; i++, px += sx, py += sy)
        to[i] = dot_strided((size_t)n, (const double *)px, incx, (const double *)py, incy);
    Py_END_ALLOW_THREADS;
    return (PyObject *)z;
}

static PyObject *dot_rows(PyArrayObject *x, PyArrayObject *y)
{
    npy_intp rows = PyArray_DIM(x, 0), n = PyArray_DIM(x, 1);
    PyArrayObject *z = new_array(1, &rows);
    if (!z)
        return NULL;
    double *to = (double *)PyArray_DATA(z);
    const double *px = (const double *)PyArray_DATA(x), *py = (const double *)PyArray_DATA(y);
    Py_BEGIN_ALLOW_THREADS;
    for (npy_intp i = 0; i < rows; i++, px += n, py += n)
        to[i] = dot((size_t)n, px, py);
    Py_END_ALLOW_THREADS;
    return (PyObject *)z;
}

/* For a C function without strides: NumPy copies non-contiguous arrays. */
static PyObject *py_dot(PARAMETERS)
{
    (void)self;
    if (!take_rows("dot", args, count))
        return NULL;
    PyArrayObject *x = PyArray_GETCONTIGUOUS((PyArrayObject *)args[0]);
    PyArrayObject *y = x ? PyArray_GETCONTIGUOUS((PyArrayObject *)args[1]) : NULL;
    PyObject *z = y ? dot_rows(x, y) : NULL;
    Py_XDECREF(x);
    Py_XDECREF(y);
    return z;
}

static PyObject *py_dot_one(PARAMETERS)
{
    (void)self;
    if (count != 2 || !is_array(args[0], 1) || !is_array(args[1], 1) ||
        !PyArray_SAMESHAPE((PyArrayObject *)args[0], (PyArrayObject *)args[1]))
        return refuse("dot"), NULL;
    PyArrayObject *x = PyArray_GETCONTIGUOUS((PyArrayObject *)args[0]);
    PyArrayObject *y = x ? PyArray_GETCONTIGUOUS((PyArrayObject *)args[1]) : NULL;
    PyObject *z = NULL;
    if (y)
        z = PyFloat_FromDouble(dot((size_t)PyArray_DIM(x, 0), (const double *)PyArray_DATA(x),
                                   (const double *)PyArray_DATA(y)));
    Py_XDECREF(x);
    Py_XDECREF(y);
    return z;
}

/* Matrices times one vector each, or one for all: (items, m, n) with (items, n). */
static PyObject *py_matvec(PARAMETERS)
{
    (void)self;
    if (count != 2 || !is_array(args[0], 3) || !is_array(args[1], 2) ||
        !PyArray_IS_C_CONTIGUOUS((PyArrayObject *)args[0]) ||
        !PyArray_IS_C_CONTIGUOUS((PyArrayObject *)args[1]))
        return refuse("matvec"), NULL;
    PyArrayObject *a = (PyArrayObject *)args[0], *x = (PyArrayObject *)args[1];
    npy_intp items = PyArray_DIM(a, 0), m = PyArray_DIM(a, 1), n = PyArray_DIM(a, 2);
    if (PyArray_DIM(x, 0) != items || PyArray_DIM(x, 1) != n)
        return refuse("matvec"), NULL;
    npy_intp shape[2] = {items, m};
    PyArrayObject *y = new_array(2, shape);
    if (!y)
        return NULL;
    const double *pa = (const double *)PyArray_DATA(a), *px = (const double *)PyArray_DATA(x);
    double *to = (double *)PyArray_DATA(y);
    Py_BEGIN_ALLOW_THREADS;
    for (npy_intp i = 0; i < items; i++, pa += m * n, px += n, to += m)
        matvec((size_t)m, (size_t)n, pa, px, to);
    Py_END_ALLOW_THREADS;
    return (PyObject *)y;
}

static PyObject *py_matvec_one(PARAMETERS)
{
    (void)self;
    if (count != 2 || !is_array(args[0], 2) || !is_array(args[1], 1) ||
        !PyArray_IS_C_CONTIGUOUS((PyArrayObject *)args[0]) ||
        !PyArray_IS_C_CONTIGUOUS((PyArrayObject *)args[1]))
        return refuse("matvec"), NULL;
    PyArrayObject *a = (PyArrayObject *)args[0], *x = (PyArrayObject *)args[1];
    npy_intp m = PyArray_DIM(a, 0), n = PyArray_DIM(a, 1);
    if (PyArray_DIM(x, 0) != n)
        return refuse("matvec"), NULL;
    PyArrayObject *y = new_array(1, &m);
    if (y)
        matvec((size_t)m, (size_t)n, (const double *)PyArray_DATA(a),
               (const double *)PyArray_DATA(x), (double *)PyArray_DATA(y));
    return (PyObject *)y;
}

#define FUNCTION(name) {#name, (PyCFunction)(void (*)(void))py_##name, METH_FASTCALL, NULL}

static PyMethodDef FUNCTIONS[] = {
    FUNCTION(poly),         FUNCTION(poly_one), FUNCTION(cos),    FUNCTION(cos_one),
    FUNCTION(costly),       FUNCTION(costly_one), FUNCTION(blend),  FUNCTION(blend_one),
    FUNCTION(dot),          FUNCTION(dot_one),  FUNCTION(matvec), FUNCTION(matvec_one),
    FUNCTION(dot_strided), {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {
    PyModuleDef_HEAD_INIT, "kernels_hand", NULL, -1, FUNCTIONS, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit_kernels_hand(void)
{
    import_array();
    return PyModule_Create(&MODULE);
}
