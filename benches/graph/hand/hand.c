/* The cases of cases.py as an extension written by hand for speed: the limit that tools are measured
   against. Each function accepts the arguments of its case and no others; results are new arrays. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <numpy/arrayobject.h>

#include "loops.h"
#include "userop.h"

/* -DGEMM is the name of CBLAS's function in the linked library, -DBLAS_INT its integer. */
enum { ROW_MAJOR = 101, AS_IT_IS = 111 };
void GEMM(int order, int trans_a, int trans_b, BLAS_INT m, BLAS_INT n, BLAS_INT k, double alpha,
          const double *a, BLAS_INT lda, const double *b, BLAS_INT ldb, double beta, double *c,
          BLAS_INT ldc);

/* Below so many multiplications loops are faster than a call of BLAS. */
#define SMALL (16 * 16 * 16)

#define DATA(I) ((double *)PyArray_DATA((PyArrayObject *)args[I]))
#define FLOATS(I) ((float *)PyArray_DATA((PyArrayObject *)args[I]))
#define DIM(I, D) PyArray_DIM((PyArrayObject *)args[I], D)
#define STRIDE(I) (PyArray_STRIDE((PyArrayObject *)args[I], 0) / (npy_intp)sizeof(double))

static PyObject *refuse(void)
{
    PyErr_SetString(PyExc_TypeError, "wanted other arguments");
    return NULL;
}

/* In native byte order, of this rank and type, and with these flags. */
static int is_array(PyObject *object, int type, int rank, int flags)
{
    PyArrayObject *array = (PyArrayObject *)object;
    return PyArray_CheckExact(object) && PyArray_TYPE(array) == type &&
           PyArray_NDIM(array) == rank && PyArray_CHKFLAGS(array, flags) &&
           PyArray_ISNOTSWAPPED(array);
}

static int are_arrays(PyObject *const *args, Py_ssize_t count, int wanted, int type, int rank,
                      int flags)
{
    if (count != wanted)
        return 0;
    for (int i = 0; i < wanted; i++)
        if (!is_array(args[i], type, rank, flags))
            return 0;
    return 1;
}

static PyObject *py_scalar(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    (void)self;
    if (count != 3 || !PyFloat_CheckExact(args[0]) || !PyFloat_CheckExact(args[1]) ||
        !PyFloat_CheckExact(args[2]))
        return refuse();
    return PyFloat_FromDouble((PyFloat_AS_DOUBLE(args[0]) + PyFloat_AS_DOUBLE(args[1])) *
                              PyFloat_AS_DOUBLE(args[2]));
}

static int same_length(PyObject *const *args, int count)
{
    for (int i = 1; i < count; i++)
        if (DIM(i, 0) != DIM(0, 0))
            return 0;
    return 1;
}

/* Matrices x and z, and a vector y as long as a row or a column. */
static int matrices_and_vector(PyObject *const *args, Py_ssize_t count, int axis)
{
    return count == 3 && is_array(args[0], NPY_DOUBLE, 2, NPY_ARRAY_CARRAY_RO) &&
           is_array(args[1], NPY_DOUBLE, 1, NPY_ARRAY_CARRAY_RO) &&
           is_array(args[2], NPY_DOUBLE, 2, NPY_ARRAY_CARRAY_RO) &&
           DIM(0, 0) == DIM(2, 0) && DIM(0, 1) == DIM(2, 1) && DIM(1, 0) == DIM(0, axis);
}

static int layer(PyObject *const *args, Py_ssize_t count)
{
    return count == 3 && is_array(args[0], NPY_DOUBLE, 2, NPY_ARRAY_CARRAY_RO) &&
           is_array(args[1], NPY_DOUBLE, 2, NPY_ARRAY_CARRAY_RO) &&
           is_array(args[2], NPY_DOUBLE, 1, NPY_ARRAY_CARRAY_RO) && DIM(0, 1) == DIM(1, 0) &&
           DIM(1, 1) == DIM(2, 0);
}

#define VECTORS(COUNT, TYPE, FLAGS)                                                                \
    (are_arrays(args, count, COUNT, TYPE, 1, FLAGS) && same_length(args, COUNT))
#define VECTOR VECTORS(1, NPY_DOUBLE, NPY_ARRAY_CARRAY_RO)
#define CUBE are_arrays(args, count, 1, NPY_DOUBLE, 3, NPY_ARRAY_CARRAY_RO)
#define MATRIX are_arrays(args, count, 1, NPY_DOUBLE, 2, NPY_ARRAY_CARRAY_RO)

/* A function whose arguments pass CHECK, and whose result, of LENGTH (and n) items, is filled by
   the rest. The first argument's shape is (m) or (m, n). It releases the GIL if it takes long, as
   NumPy does. */
#define ARRAY_FUNCTION(NAME, CHECK, TYPE, RANK, LENGTH, ...)                                       \
    static PyObject *py_##NAME(PyObject *self, PyObject *const *args, Py_ssize_t count)            \
    {                                                                                              \
        (void)self;                                                                                \
        if (!(CHECK))                                                                              \
            return refuse();                                                                       \
        npy_intp m = DIM(0, 0), n = PyArray_NDIM((PyArrayObject *)args[0]) == 2 ? DIM(0, 1) : 1;   \
        npy_intp shape[2] = {LENGTH, n};                                                           \
        PyObject *result = PyArray_SimpleNew(RANK, shape, TYPE);                                   \
        if (!result)                                                                               \
            return NULL;                                                                           \
        double *out = PyArray_DATA((PyArrayObject *)result);                                       \
        NPY_BEGIN_THREADS_DEF;                                                                     \
        NPY_BEGIN_THREADS_THRESHOLDED(m *n);                                                       \
        __VA_ARGS__                                                                                \
        NPY_END_THREADS;                                                                           \
        return result;                                                                             \
    }
#define ROWS for (npy_intp i = 0; i < m; i++)

ARRAY_FUNCTION(blend, VECTORS(3, NPY_DOUBLE, NPY_ARRAY_CARRAY_RO), NPY_DOUBLE, 1, m,
               blend(m, DATA(0), DATA(1), DATA(2), out);)
ARRAY_FUNCTION(blend_float, VECTORS(3, NPY_FLOAT, NPY_ARRAY_CARRAY_RO), NPY_FLOAT, 1, m,
               blend_float(m, FLOATS(0), FLOATS(1), FLOATS(2), (float *)out);)
ARRAY_FUNCTION(blend_strided, VECTORS(3, NPY_DOUBLE, NPY_ARRAY_ALIGNED), NPY_DOUBLE, 1, m,
               blend_strided(m, DATA(0), STRIDE(0), DATA(1), STRIDE(1), DATA(2), STRIDE(2), out);)
ARRAY_FUNCTION(blend_row, matrices_and_vector(args, count, 1), NPY_DOUBLE, 2, m,
               ROWS blend(n, DATA(0) + i * n, DATA(1), DATA(2) + i * n, out + i * n);)
ARRAY_FUNCTION(blend_column, matrices_and_vector(args, count, 0), NPY_DOUBLE, 2, m,
               ROWS blend_same(n, DATA(0) + i * n, DATA(1)[i], DATA(2) + i * n, out + i * n);)
ARRAY_FUNCTION(chain, VECTORS(2, NPY_DOUBLE, NPY_ARRAY_CARRAY_RO), NPY_DOUBLE, 1, m,
               chain(m, DATA(0), DATA(1), out);)
ARRAY_FUNCTION(mean_rows, MATRIX, NPY_DOUBLE, 1, m, ROWS out[i] = sum(n, DATA(0) + i * n) / n;)
ARRAY_FUNCTION(max_rows, MATRIX, NPY_DOUBLE, 1, m, ROWS out[i] = largest(n, DATA(0) + i * n);)
ARRAY_FUNCTION(mean_columns, MATRIX, NPY_DOUBLE, 1, n, mean_down(m, n, DATA(0), out);)
ARRAY_FUNCTION(max_columns, MATRIX, NPY_DOUBLE, 1, n, largest_down(m, n, DATA(0), out);)
ARRAY_FUNCTION(softmax, MATRIX, NPY_DOUBLE, 2, m, ROWS softmax(n, DATA(0) + i * n, out + i * n);)
ARRAY_FUNCTION(userop, VECTORS(1, NPY_DOUBLE, NPY_ARRAY_CARRAY_RO), NPY_DOUBLE, 1, m,
               softsign((size_t)m, DATA(0), out);)

ARRAY_FUNCTION(root, VECTOR, NPY_DOUBLE, 1, m, root(m, DATA(0), out);)
ARRAY_FUNCTION(cube, VECTOR, NPY_DOUBLE, 1, m, cube(m, DATA(0), out);)
ARRAY_FUNCTION(inverse, VECTOR, NPY_DOUBLE, 1, m, inverse(m, DATA(0), out);)
ARRAY_FUNCTION(argmax_rows, MATRIX, NPY_INT64, 1, m,
               ROWS((npy_int64 *)out)[i] = first_largest(n, DATA(0) + i * n);)
ARRAY_FUNCTION(sum_outer, CUBE, NPY_DOUBLE, 1, DIM(0, 1),
               sum_outer(m, DIM(0, 1), DIM(0, 2), DATA(0), out);)

static PyObject *py_sum_squares(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    (void)self;
    if (!VECTORS(2, NPY_DOUBLE, NPY_ARRAY_CARRAY_RO))
        return refuse();
    npy_intp n = DIM(0, 0);
    double sum;
    NPY_BEGIN_THREADS_DEF;
    NPY_BEGIN_THREADS_THRESHOLDED(n);
    sum = sum_squares(n, DATA(0), DATA(1));
    NPY_END_THREADS;
    return PyFloat_FromDouble(sum);
}

static PyObject *py_relu(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    (void)self;
    if (!layer(args, count))
        return refuse();
    npy_intp shape[2] = {DIM(0, 0), DIM(1, 1)}, m = shape[0], k = DIM(0, 1), n = shape[1];
    PyObject *result = PyArray_SimpleNew(2, shape, NPY_DOUBLE);
    if (!result)
        return NULL;
    double *out = PyArray_DATA((PyArrayObject *)result);
    if (m * k * n <= SMALL) {
        relu_small(m, k, n, DATA(0), DATA(1), DATA(2), out);
        return result;
    }
    Py_BEGIN_ALLOW_THREADS;
    GEMM(ROW_MAJOR, AS_IT_IS, AS_IT_IS, m, n, k, 1.0, DATA(0), k, DATA(1), n, 0.0, out, n);
    relu_after(m, n, DATA(2), out);
    Py_END_ALLOW_THREADS;
    return result;
}

#define METHOD(NAME) {#NAME, (PyCFunction)(void (*)(void))py_##NAME, METH_FASTCALL, NULL}
static PyMethodDef methods[] = {
    METHOD(scalar),       METHOD(blend),     METHOD(blend_float), METHOD(blend_strided),
    METHOD(blend_row),    METHOD(blend_column), METHOD(chain),    METHOD(sum_squares),
    METHOD(mean_rows),    METHOD(max_rows),  METHOD(mean_columns), METHOD(max_columns),
    METHOD(softmax),      METHOD(relu),      METHOD(userop),      METHOD(root),
    METHOD(cube),         METHOD(inverse),   METHOD(argmax_rows), METHOD(sum_outer),
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, .m_name = "hand", .m_size = -1, .m_methods = methods};

/* -DMODULE is the name of the variant. */
#define INIT2(NAME) PyInit_##NAME
#define INIT(NAME) INIT2(NAME)
PyMODINIT_FUNC INIT(MODULE)(void)
{
    import_array();
    return PyModule_Create(&definition);
}
