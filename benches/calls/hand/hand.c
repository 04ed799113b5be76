/* The baseline: the extension that an expert would write by hand for kernels.h.
 *
 * No argument tuple is built, keyword names are interned and compared by address
 * first, and an array that already fits is read field by field. Everything else
 * takes the slow path, where NumPy converts it or an error names the argument.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define NPY_TARGET_VERSION NPY_2_0_API_VERSION
#include <numpy/arrayobject.h>

#include "kernels.h"

#define MAX_ARGUMENTS 2
#define MAX_RANK 2
#define LIKELY(x) __builtin_expect(!!(x), 1)

typedef struct {
    const char *function;
    Py_ssize_t count;
    const char *names[MAX_ARGUMENTS];
    PyObject *interned[MAX_ARGUMENTS];
} Signature;

static Signature ADD = {"add", 2, {"a", "b"}, {NULL}};
static Signature TOTAL = {"total", 1, {"x"}, {NULL}};
static Signature SCALE = {"scale", 2, {"x", "k"}, {NULL}};
static Signature DOUBLE_IT = {"double_it", 1, {"x"}, {NULL}};
static Signature TRACE2 = {"trace2", 1, {"a"}, {NULL}};
static Signature MATVEC = {"matvec", 2, {"a", "x"}, {NULL}};

/* Arguments -------------------------------------------------------------- */

/* The position of the keyword `key`; -1, with an exception set, if it is unknown. */
static Py_ssize_t find_keyword(const Signature *sig, PyObject *key)
{
    for (Py_ssize_t i = 0; i < sig->count; i++)
        if (sig->interned[i] == key)
            return i;
    for (Py_ssize_t i = 0; i < sig->count; i++) {
        int order = PyUnicode_Compare(sig->interned[i], key);
        if (order == 0)
            return i;
        if (order == -1 && PyErr_Occurred())
            return -1;
    }
    PyErr_Format(PyExc_TypeError, "%s(): unknown keyword argument '%U'", sig->function, key);
    return -1;
}

static Py_NO_INLINE int bind_keywords(const Signature *sig, PyObject *const *args,
                                      Py_ssize_t positional, PyObject *names, PyObject **values)
{
    Py_ssize_t named = names ? PyTuple_GET_SIZE(names) : 0;
    if (positional + named > sig->count) {
        PyErr_Format(PyExc_TypeError, "%s(): takes %zd arguments, not %zd", sig->function,
                     sig->count, positional + named);
        return -1;
    }
    for (Py_ssize_t i = 0; i < sig->count; i++)
        values[i] = i < positional ? args[i] : NULL;
    for (Py_ssize_t i = 0; i < named; i++) {
        Py_ssize_t at = find_keyword(sig, PyTuple_GET_ITEM(names, i));
        if (at < 0)
            return -1;
        if (values[at]) {
            PyErr_Format(PyExc_TypeError, "%s(): argument '%s' given twice", sig->function,
                         sig->names[at]);
            return -1;
        }
        values[at] = args[positional + i];
    }
    for (Py_ssize_t i = 0; i < sig->count; i++)
        if (!values[i]) {
            PyErr_Format(PyExc_TypeError, "%s(): argument '%s' is missing", sig->function,
                         sig->names[i]);
            return -1;
        }
    return 0;
}

/* All arguments are positional, as in most calls, and used in place. */
static inline PyObject *const *bind(const Signature *sig, PyObject *const *args,
                                    Py_ssize_t positional, PyObject *names, PyObject **values)
{
    if (LIKELY(!names && positional == sig->count))
        return args;
    return bind_keywords(sig, args, positional, names, values) < 0 ? NULL : values;
}

static int refuse_number(const Signature *sig, int at, PyObject *object)
{
    PyErr_Format(PyExc_TypeError, "%s(): argument '%s' must be a number, not %.200s",
                 sig->function, sig->names[at], Py_TYPE(object)->tp_name);
    return -1;
}

static Py_NO_INLINE int read_double_slow(const Signature *sig, int at, PyObject *object,
                                         double *value)
{
    if (!PyNumber_Check(object))
        return refuse_number(sig, at, object);
    *value = PyLong_CheckExact(object) ? PyLong_AsDouble(object) : PyFloat_AsDouble(object);
    if (LIKELY(*value != -1.0) || !PyErr_Occurred())
        return 0;
    return PyErr_ExceptionMatches(PyExc_TypeError) ? refuse_number(sig, at, object) : -1;
}

static inline int read_double(const Signature *sig, int at, PyObject *object, double *value)
{
    if (LIKELY(PyFloat_CheckExact(object))) {
        *value = PyFloat_AS_DOUBLE(object);
        return 0;
    }
    return read_double_slow(sig, at, object, value);
}

/* Arrays ----------------------------------------------------------------- */

/* An array argument as the kernel needs it. Where the caller's own array is used,
   which the caller keeps alive, `owned` and `buffer` are NULL. */
typedef struct {
    double *data;
    size_t shape[MAX_RANK];
    PyArrayObject *owned;
    double *buffer;
} Borrowed;

static inline int is_float64(PyArrayObject *array, int rank, int flags)
{
    return PyArray_TYPE(array) == NPY_DOUBLE && PyArray_NDIM(array) == rank &&
           PyArray_CHKFLAGS(array, flags) && PyArray_ISNOTSWAPPED(array);
}

static inline void view(PyArrayObject *array, int rank, Borrowed *b)
{
    b->data = (double *)PyArray_DATA(array);
    for (int i = 0; i < rank; i++)
        b->shape[i] = (size_t)PyArray_DIM(array, i);
    b->owned = NULL;
    b->buffer = NULL;
}

static inline int own(PyArrayObject *array, int rank, Borrowed *b)
{
    if (!array)
        return -1;
    view(array, rank, b);
    b->owned = array;
    return 0;
}

static inline void release(const Borrowed *b)
{
    Py_XDECREF(b->owned);
    if (b->buffer)
        PyMem_Free(b->buffer);
}

static int new_buffer(size_t count, Borrowed *b)
{
    b->owned = NULL;
    b->data = b->buffer = PyMem_New(double, count ? count : 1);
    if (b->buffer)
        return 0;
    PyErr_NoMemory();
    return -1;
}

/* The elements of a strided array of aligned doubles, in C order. */
static int gather(PyArrayObject *array, int rank, Borrowed *b)
{
    if (new_buffer((size_t)PyArray_SIZE(array), b) < 0)
        return -1;
    for (int i = 0; i < rank; i++)
        b->shape[i] = (size_t)PyArray_DIM(array, i);
    npy_intp rows = rank == 2 ? PyArray_DIM(array, 0) : 1;
    npy_intp row_stride = rank == 2 ? PyArray_STRIDE(array, 0) : 0;
    npy_intp columns = PyArray_DIM(array, rank - 1), stride = PyArray_STRIDE(array, rank - 1);
    double *to = b->buffer;
    for (npy_intp i = 0; i < rows; i++) {
        const char *from = PyArray_BYTES(array) + i * row_stride;
        /* Unrolled, or else the luck of the loop's address decides between one cycle an
           element and two. */
#pragma GCC unroll 4
        for (npy_intp j = 0; j < columns; j++, from += stride)
            *to++ = *(const double *)from;
    }
    return 0;
}

/* A list or a tuple of plain numbers. 1 if it is one and was read, 0 if it contains
   anything else, which NumPy examines, -1 with an exception set. */
static int read_sequence(PyObject *sequence, Borrowed *b)
{
    Py_ssize_t count = PySequence_Fast_GET_SIZE(sequence);
    PyObject **items = PySequence_Fast_ITEMS(sequence);
    if (new_buffer((size_t)count, b) < 0)
        return -1;
    b->shape[0] = (size_t)count;
    for (Py_ssize_t i = 0; i < count; i++) {
        if (LIKELY(PyFloat_CheckExact(items[i])))
            b->buffer[i] = PyFloat_AS_DOUBLE(items[i]);
        else if (!PyLong_CheckExact(items[i]) ||
                 ((b->buffer[i] = PyLong_AsDouble(items[i])) == -1.0 && PyErr_Occurred())) {
            PyErr_Clear();
            PyMem_Free(b->buffer);
            return 0;
        }
    }
    return 1;
}

static int check_rank(const Signature *sig, int at, PyArrayObject *array, int rank)
{
    if (PyArray_NDIM(array) == rank)
        return 0;
    PyErr_Format(PyExc_ValueError, "%s(): argument '%s' must have rank %d, not %d",
                 sig->function, sig->names[at], rank, PyArray_NDIM(array));
    return -1;
}

static int refuse_dtype(const Signature *sig, int at, PyArrayObject *array)
{
    PyErr_Format(PyExc_TypeError, "%s(): argument '%s' of %s cannot be used as float64",
                 sig->function, sig->names[at], PyArray_DESCR(array)->typeobj->tp_name);
    return -1;
}

/* NumPy converts, by a safe cast only. */
static int convert(const Signature *sig, int at, PyArrayObject *array, int rank, Borrowed *b)
{
    if (!PyArray_CanCastSafely(PyArray_TYPE(array), NPY_DOUBLE))
        return refuse_dtype(sig, at, array);
    if (check_rank(sig, at, array, rank) < 0)
        return -1;
    int flags = NPY_ARRAY_CARRAY_RO | NPY_ARRAY_NOTSWAPPED;
    return own((PyArrayObject *)PyArray_FromArray(array, PyArray_DescrFromType(NPY_DOUBLE), flags),
               rank, b);
}

static Py_NO_INLINE int read_array_slow(const Signature *sig, int at, PyObject *object, int rank,
                                        Borrowed *b)
{
    if (PyArray_Check(object)) {
        PyArrayObject *array = (PyArrayObject *)object;
        return is_float64(array, rank, NPY_ARRAY_ALIGNED) ? gather(array, rank, b)
                                                          : convert(sig, at, array, rank, b);
    }
    if (rank == 1 && (PyList_CheckExact(object) || PyTuple_CheckExact(object))) {
        int done = read_sequence(object, b);
        if (done != 0)
            return done < 0 ? -1 : 0;
    }
    PyArrayObject *array = (PyArrayObject *)PyArray_FromAny(object, NULL, 0, 0, 0, NULL);
    if (!array)
        return -1;
    int result = convert(sig, at, array, rank, b);
    Py_DECREF(array);
    return result;
}

static inline int read_array(const Signature *sig, int at, PyObject *object, int rank, Borrowed *b)
{
    if (LIKELY(PyArray_CheckExact(object) &&
               is_float64((PyArrayObject *)object, rank, NPY_ARRAY_CARRAY_RO))) {
        view((PyArrayObject *)object, rank, b);
        return 0;
    }
    return read_array_slow(sig, at, object, rank, b);
}

/* A vector to be changed in place: only its layout may differ, since a converted
   list or a cast array would keep the change from the caller. */
static Py_NO_INLINE int read_inplace_slow(const Signature *sig, int at, PyObject *object,
                                          Borrowed *b)
{
    if (!PyArray_Check(object)) {
        PyErr_Format(PyExc_TypeError, "%s(): argument '%s' must be an array, not %.200s",
                     sig->function, sig->names[at], Py_TYPE(object)->tp_name);
        return -1;
    }
    PyArrayObject *array = (PyArrayObject *)object;
    if (PyArray_TYPE(array) != NPY_DOUBLE)
        return refuse_dtype(sig, at, array);
    if (check_rank(sig, at, array, 1) < 0)
        return -1;
    if (!PyArray_ISWRITEABLE(array)) {
        PyErr_Format(PyExc_ValueError, "%s(): argument '%s' is read-only", sig->function,
                     sig->names[at]);
        return -1;
    }
    int flags = NPY_ARRAY_CARRAY | NPY_ARRAY_NOTSWAPPED | NPY_ARRAY_WRITEBACKIFCOPY;
    return own((PyArrayObject *)PyArray_FromArray(array, PyArray_DescrFromType(NPY_DOUBLE), flags),
               1, b);
}

static inline int read_inplace(const Signature *sig, int at, PyObject *object, Borrowed *b)
{
    if (LIKELY(PyArray_CheckExact(object) &&
               is_float64((PyArrayObject *)object, 1, NPY_ARRAY_CARRAY))) {
        view((PyArrayObject *)object, 1, b);
        return 0;
    }
    return read_inplace_slow(sig, at, object, b);
}

static inline int write_back(const Borrowed *b)
{
    if (LIKELY(!b->owned))
        return 0;
    int result = PyArray_ResolveWritebackIfCopy(b->owned);
    Py_DECREF(b->owned);
    return result < 0 ? -1 : 0;
}

static inline PyArrayObject *new_vector(size_t n)
{
    npy_intp shape = (npy_intp)n;
    return (PyArrayObject *)PyArray_SimpleNew(1, &shape, NPY_DOUBLE);
}

/* Functions -------------------------------------------------------------- */

#define PARAMETERS PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names

static PyObject *py_add(PARAMETERS)
{
    (void)self;
    PyObject *values[MAX_ARGUMENTS];
    double a, b;
    if (!(args = bind(&ADD, args, count, names, values)) ||
        read_double(&ADD, 0, args[0], &a) < 0 || read_double(&ADD, 1, args[1], &b) < 0)
        return NULL;
    return PyFloat_FromDouble(add(a, b));
}

static PyObject *py_total(PARAMETERS)
{
    (void)self;
    PyObject *values[MAX_ARGUMENTS];
    Borrowed x;
    if (!(args = bind(&TOTAL, args, count, names, values)) ||
        read_array(&TOTAL, 0, args[0], 1, &x) < 0)
        return NULL;
    double result = total(x.shape[0], x.data);
    release(&x);
    return PyFloat_FromDouble(result);
}

static PyObject *py_scale(PARAMETERS)
{
    (void)self;
    PyObject *values[MAX_ARGUMENTS];
    Borrowed x;
    double k;
    if (!(args = bind(&SCALE, args, count, names, values)) ||
        read_double(&SCALE, 1, args[1], &k) < 0 || read_inplace(&SCALE, 0, args[0], &x) < 0)
        return NULL;
    scale(x.shape[0], x.data, k);
    if (write_back(&x) < 0)
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *py_double_it(PARAMETERS)
{
    (void)self;
    PyObject *values[MAX_ARGUMENTS];
    Borrowed x;
    if (!(args = bind(&DOUBLE_IT, args, count, names, values)) ||
        read_array(&DOUBLE_IT, 0, args[0], 1, &x) < 0)
        return NULL;
    PyArrayObject *y = new_vector(x.shape[0]);
    if (y)
        double_it(x.shape[0], x.data, (double *)PyArray_DATA(y));
    release(&x);
    return (PyObject *)y;
}

static PyObject *py_trace2(PARAMETERS)
{
    (void)self;
    PyObject *values[MAX_ARGUMENTS];
    PyObject *result = NULL;
    Borrowed a;
    if (!(args = bind(&TRACE2, args, count, names, values)) ||
        read_array(&TRACE2, 0, args[0], 2, &a) < 0)
        return NULL;
    if (LIKELY(a.shape[0] == a.shape[1]))
        result = PyFloat_FromDouble(trace2(a.shape[0], a.data));
    else
        PyErr_Format(PyExc_ValueError, "trace2(): argument 'a' must be square, not %zu by %zu",
                     a.shape[0], a.shape[1]);
    release(&a);
    return result;
}

static PyObject *py_matvec(PARAMETERS)
{
    (void)self;
    PyObject *values[MAX_ARGUMENTS];
    PyArrayObject *y = NULL;
    Borrowed a, x;
    if (!(args = bind(&MATVEC, args, count, names, values)) ||
        read_array(&MATVEC, 0, args[0], 2, &a) < 0)
        return NULL;
    if (read_array(&MATVEC, 1, args[1], 1, &x) < 0) {
        release(&a);
        return NULL;
    }
    if (LIKELY(a.shape[1] == x.shape[0]))
        y = new_vector(a.shape[0]);
    else
        PyErr_Format(PyExc_ValueError, "matvec(): argument 'x' must have length %zu, not %zu",
                     a.shape[1], x.shape[0]);
    if (y)
        matvec(a.shape[0], a.shape[1], a.data, x.data, (double *)PyArray_DATA(y));
    release(&x);
    release(&a);
    return (PyObject *)y;
}

/* Module ----------------------------------------------------------------- */

#define FUNCTION(name) {#name, (PyCFunction)(void (*)(void))py_##name, \
                        METH_FASTCALL | METH_KEYWORDS, NULL}

static PyMethodDef FUNCTIONS[] = {
    FUNCTION(add),    FUNCTION(total),  FUNCTION(scale),       FUNCTION(double_it),
    FUNCTION(trace2), FUNCTION(matvec), {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {
    PyModuleDef_HEAD_INIT, "calls_hand", NULL, -1, FUNCTIONS, NULL, NULL, NULL, NULL,
};

static int intern_names(Signature *sig)
{
    for (Py_ssize_t i = 0; i < sig->count; i++)
        if (!(sig->interned[i] = PyUnicode_InternFromString(sig->names[i])))
            return -1;
    return 0;
}

PyMODINIT_FUNC PyInit_calls_hand(void)
{
    Signature *signatures[] = {&ADD, &TOTAL, &SCALE, &DOUBLE_IT, &TRACE2, &MATVEC};
    import_array();
    for (size_t i = 0; i < sizeof signatures / sizeof *signatures; i++)
        if (intern_names(signatures[i]) < 0)
            return NULL;
    return PyModule_Create(&MODULE);
}
