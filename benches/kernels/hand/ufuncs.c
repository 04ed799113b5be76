/* The functions of kernels.h as handwritten generalized ufuncs: NumPy finds the items, and these
   loops process a row of them. Contiguous items have a loop of their own. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <numpy/arrayobject.h>
#include <numpy/ufuncobject.h>

#include "kernels.h"

#define LOOP char **args, const npy_intp *dimensions, const npy_intp *steps, void *data

#define DEFINE_UNARY(NAME)                                                                         \
    static void NAME##_loop(LOOP)                                                                  \
    {                                                                                              \
        (void)data;                                                                                \
        npy_intp n = dimensions[0];                                                                \
        char *x = args[0], *y = args[1];                                                           \
        if (steps[0] == sizeof(double) && steps[1] == sizeof(double))                              \
            for (npy_intp i = 0; i < n; i++)                                                       \
                ((double *)y)[i] = NAME(((const double *)x)[i]);                                   \
        else                                                                                       \
            for (npy_intp i = 0; i < n; i++, x += steps[0], y += steps[1])                         \
                *(double *)y = NAME(*(const double *)x);                                           \
    }
DEFINE_UNARY(poly)
DEFINE_UNARY(cos)
DEFINE_UNARY(costly)

static void blend_loop(LOOP)
{
    (void)data;
    npy_intp n = dimensions[0];
    char *x = args[0], *y = args[1], *z = args[2];
    if (steps[0] == 0 && steps[1] == sizeof(double) && steps[2] == sizeof(double)) {
        double same = *(const double *)x;
        for (npy_intp i = 0; i < n; i++)
            ((double *)z)[i] = blend(same, ((const double *)y)[i]);
    } else {
        for (npy_intp i = 0; i < n; i++, x += steps[0], y += steps[1], z += steps[2])
            *(double *)z = blend(*(const double *)x, *(const double *)y);
    }
}

/* The core's strides follow those of the items. */
static void dot_strided_loop(LOOP)
{
    (void)data;
    npy_intp items = dimensions[0];
    size_t n = (size_t)dimensions[1];
    ptrdiff_t incx = steps[3] / 8, incy = steps[4] / 8;
    char *x = args[0], *y = args[1], *z = args[2];
    for (npy_intp i = 0; i < items; i++, x += steps[0], y += steps[1], z += steps[2])
        *(double *)z = dot_strided(n, (const double *)x, incx, (const double *)y, incy);
}

/* Copies a core that has another layout than C expects into `room`. */
static const double *gather(double *room, const char *from, npy_intp rows, npy_intp columns,
                            npy_intp row_stride, npy_intp stride)
{
    if (stride == sizeof(double) && (rows == 1 || row_stride == columns * (npy_intp)sizeof(double)))
        return (const double *)from;
    for (npy_intp i = 0; i < rows; i++)
        for (npy_intp j = 0; j < columns; j++)
            room[i * columns + j] = *(const double *)(from + i * row_stride + j * stride);
    return room;
}

static void dot_loop(LOOP)
{
    (void)data;
    npy_intp items = dimensions[0], n = dimensions[1];
    char *x = args[0], *y = args[1], *z = args[2];
    double *room = (double *)malloc((size_t)(2 * n + 1) * sizeof(double));
    for (npy_intp i = 0; room && i < items; i++, x += steps[0], y += steps[1], z += steps[2])
        *(double *)z = dot((size_t)n, gather(room, x, 1, n, 0, steps[3]),
                           gather(room + n, y, 1, n, 0, steps[4]));
    free(room);
}

/* C writes its result to `room` first if it cannot write it in place. */
static void matvec_loop(LOOP)
{
    (void)data;
    npy_intp items = dimensions[0], m = dimensions[1], n = dimensions[2];
    char *a = args[0], *x = args[1], *y = args[2];
    double *room = (double *)malloc((size_t)(m * n + n + m + 1) * sizeof(double));
    for (npy_intp i = 0; room && i < items; i++, a += steps[0], x += steps[1], y += steps[2]) {
        double *to = steps[6] == sizeof(double) ? (double *)y : room + m * n + n;
        matvec((size_t)m, (size_t)n, gather(room, a, m, n, steps[3], steps[4]),
               gather(room + m * n, x, 1, n, 0, steps[5]), to);
        for (npy_intp j = 0; to != (double *)y && j < m; j++)
            *(double *)(y + j * steps[6]) = to[j];
    }
    free(room);
}

typedef struct {
    const char *name;
    PyUFuncGenericFunction loops[1];
    int inputs;
    const char *signature;
} Ufunc;

static Ufunc UFUNCS[] = {
    {"poly", {poly_loop}, 1, NULL},
    {"cos", {cos_loop}, 1, NULL},
    {"costly", {costly_loop}, 1, NULL},
    {"blend", {blend_loop}, 2, NULL},
    {"dot", {dot_loop}, 2, "(n),(n)->()"},
    {"dot_strided", {dot_strided_loop}, 2, "(n),(n)->()"},
    {"matvec", {matvec_loop}, 2, "(m,n),(n)->(m)"},
};

static struct PyModuleDef MODULE = {
    PyModuleDef_HEAD_INIT, "kernels_ufunc", NULL, -1, NULL, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit_kernels_ufunc(void)
{
    static const char types[3] = {NPY_DOUBLE, NPY_DOUBLE, NPY_DOUBLE};
    static void *const data[1] = {NULL};
    import_array();
    import_umath();
    PyObject *module = PyModule_Create(&MODULE);
    for (size_t i = 0; module && i < sizeof UFUNCS / sizeof *UFUNCS; i++) {
        PyObject *ufunc = PyUFunc_FromFuncAndDataAndSignature(
            UFUNCS[i].loops, (void **)data, (char *)types, 1, UFUNCS[i].inputs, 1, PyUFunc_None,
            UFUNCS[i].name, NULL, 0, UFUNCS[i].signature);
        if (!ufunc || PyModule_AddObjectRef(module, UFUNCS[i].name, ufunc) < 0)
            Py_CLEAR(module);
        Py_XDECREF(ufunc);
    }
    return module;
}
