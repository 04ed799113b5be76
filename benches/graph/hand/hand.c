/* The cases of expressions.py as an extension written by hand for speed: the limit that tools are measured
   against. Each function accepts the arguments of its case and no others; results are new arrays. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <numpy/arrayobject.h>

#include <stdlib.h>

#include "loops.h"
#include "userop.h"

/* The piece of [0, WHOLE) that begins at `from` and has `items` of them: with -fopenmp one for each
   thread, where there is enough WORK, in items; else the whole. */
#ifdef THREADS
#include <omp.h>
#define STRING(...) #__VA_ARGS__
#define PRAGMA(...) _Pragma(STRING(__VA_ARGS__))
#define PIECES(WHOLE, WORK, ...)                                                                   \
    PRAGMA(omp parallel if ((WORK) > 50000))                                                       \
    {                                                                                              \
        npy_intp own = omp_get_thread_num(), all = omp_get_num_threads();                          \
        npy_intp from = (WHOLE) * own / all, items = (WHOLE) * (own + 1) / all - from;             \
        __VA_ARGS__;                                                                               \
    }
#define ADD(SUM, PART) PRAGMA(omp atomic) SUM += PART
#else
#define PIECES(WHOLE, WORK, ...)                                                                   \
    {                                                                                              \
        npy_intp from = 0, items = WHOLE;                                                          \
        __VA_ARGS__;                                                                               \
    }
#define ADD(SUM, PART) SUM += PART
#endif

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

static int normalised(PyObject *const *args, Py_ssize_t count)
{
    return count == 3 && is_array(args[0], NPY_DOUBLE, 2, NPY_ARRAY_CARRAY_RO) &&
           is_array(args[1], NPY_DOUBLE, 1, NPY_ARRAY_CARRAY_RO) &&
           is_array(args[2], NPY_DOUBLE, 1, NPY_ARRAY_CARRAY_RO) && DIM(1, 0) == DIM(0, 1) &&
           DIM(2, 0) == DIM(0, 1);
}

/* A vector, and places in it, each of which must be checked. */
static int indexed(PyObject *const *args, Py_ssize_t count, Py_ssize_t wanted)
{
    if (count != wanted || !is_array(args[0], NPY_DOUBLE, 1, NPY_ARRAY_CARRAY_RO) ||
        !is_array(args[1], NPY_INT64, 1, NPY_ARRAY_CARRAY_RO))
        return 0;
    const npy_int64 *places = PyArray_DATA((PyArrayObject *)args[1]);
    npy_int64 length = DIM(0, 0), wrong = 0;
    for (npy_intp i = 0; i < DIM(1, 0); i++)
        wrong |= places[i] < 0 || places[i] >= length;
    return !wrong;
}

/* The same, and a vector of as many items as there are places. */
static int scattered(PyObject *const *args, Py_ssize_t count)
{
    return indexed(args, count, 3) && is_array(args[2], NPY_DOUBLE, 1, NPY_ARRAY_CARRAY_RO) &&
           DIM(2, 0) == DIM(1, 0);
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
#define ROWS(...)                                                                                  \
    PIECES(m, m *n, for (npy_intp i = from; i < from + items; i++) { __VA_ARGS__; })

ARRAY_FUNCTION(blend, VECTORS(3, NPY_DOUBLE, NPY_ARRAY_CARRAY_RO), NPY_DOUBLE, 1, m,
               PIECES(m, m, blend(items, DATA(0) + from, DATA(1) + from, DATA(2) + from, out + from)))
ARRAY_FUNCTION(blend_float, VECTORS(3, NPY_FLOAT, NPY_ARRAY_CARRAY_RO), NPY_FLOAT, 1, m,
               PIECES(m, m, blend_float(items, FLOATS(0) + from, FLOATS(1) + from, FLOATS(2) + from, (float *)out + from)))
ARRAY_FUNCTION(blend_strided, VECTORS(3, NPY_DOUBLE, NPY_ARRAY_ALIGNED), NPY_DOUBLE, 1, m,
               PIECES(m, m, blend_strided(items, DATA(0) + from * STRIDE(0), STRIDE(0), DATA(1) + from * STRIDE(1), STRIDE(1), DATA(2) + from * STRIDE(2), STRIDE(2), out + from)))
ARRAY_FUNCTION(blend_row, matrices_and_vector(args, count, 1), NPY_DOUBLE, 2, m,
               ROWS(blend(n, DATA(0) + i * n, DATA(1), DATA(2) + i * n, out + i * n)))
ARRAY_FUNCTION(blend_column, matrices_and_vector(args, count, 0), NPY_DOUBLE, 2, m,
               ROWS(blend_same(n, DATA(0) + i * n, DATA(1)[i], DATA(2) + i * n, out + i * n)))
ARRAY_FUNCTION(chain, VECTORS(2, NPY_DOUBLE, NPY_ARRAY_CARRAY_RO), NPY_DOUBLE, 1, m,
               PIECES(m, m, chain(items, DATA(0) + from, DATA(1) + from, out + from)))
ARRAY_FUNCTION(mean_rows, MATRIX, NPY_DOUBLE, 1, m, ROWS(out[i] = sum(n, DATA(0) + i * n) / n))
ARRAY_FUNCTION(max_rows, MATRIX, NPY_DOUBLE, 1, m, ROWS(out[i] = largest(n, DATA(0) + i * n)))
ARRAY_FUNCTION(mean_columns, MATRIX, NPY_DOUBLE, 1, n, PIECES(n, m *n, mean_down(m, items, n, DATA(0) + from, out + from)))
ARRAY_FUNCTION(max_columns, MATRIX, NPY_DOUBLE, 1, n, PIECES(n, m *n, largest_down(m, items, n, DATA(0) + from, out + from)))
ARRAY_FUNCTION(softmax, MATRIX, NPY_DOUBLE, 2, m, ROWS(softmax(n, DATA(0) + i * n, out + i * n)))
ARRAY_FUNCTION(userop, VECTORS(1, NPY_DOUBLE, NPY_ARRAY_CARRAY_RO), NPY_DOUBLE, 1, m,
               PIECES(m, m, softsign((size_t)items, DATA(0) + from, out + from)))

ARRAY_FUNCTION(root, VECTOR, NPY_DOUBLE, 1, m, PIECES(m, m, root(items, DATA(0) + from, out + from)))
ARRAY_FUNCTION(cube, VECTOR, NPY_DOUBLE, 1, m, PIECES(m, m, cube(items, DATA(0) + from, out + from)))
ARRAY_FUNCTION(inverse, VECTOR, NPY_DOUBLE, 1, m, PIECES(m, m, inverse(items, DATA(0) + from, out + from)))
ARRAY_FUNCTION(argmax_rows, MATRIX, NPY_INT64, 1, m,
               ROWS(((npy_int64 *)out)[i] = first_largest(n, DATA(0) + i * n)))
ARRAY_FUNCTION(sum_outer, CUBE, NPY_DOUBLE, 1, DIM(0, 1),
               sum_outer(m, DIM(0, 1), DIM(0, 2), DATA(0), out);)

ARRAY_FUNCTION(layer_norm, normalised(args, count), NPY_DOUBLE, 2, m,
               ROWS(layer_norm(n, DATA(0) + i * n, DATA(1), DATA(2), out + i * n)))
ARRAY_FUNCTION(filtered, are_arrays(args, count, 2, NPY_DOUBLE, 1, NPY_ARRAY_CARRAY_RO),
               NPY_DOUBLE, 1, m - DIM(1, 0) + 1,
               PIECES(m - DIM(1, 0) + 1, m * DIM(1, 0),
                      filtered(items, DIM(1, 0), DATA(0) + from, DATA(1), out + from)))
ARRAY_FUNCTION(gather, indexed(args, count, 2), NPY_DOUBLE, 1, DIM(1, 0),
               PIECES(DIM(1, 0), DIM(1, 0),
                      gather(items, DATA(0), (long long *)(void *)DATA(1) + from, out + from)))

ARRAY_FUNCTION(scatter, scattered(args, count), NPY_DOUBLE, 1, m,
               scatter(m, DIM(1, 0), DATA(0), (long long *)(void *)DATA(1), DATA(2), out);)
ARRAY_FUNCTION(running, VECTOR, NPY_DOUBLE, 1, m, running(m, DATA(0), out);)
ARRAY_FUNCTION(running_rows, MATRIX, NPY_DOUBLE, 2, m,
               PIECES(m, m *n, {
                   npy_intp i = from;
                   for (; i + 4 <= from + items; i += 4)
                       running_rows(n, DATA(0) + i * n, out + i * n);
                   for (; i < from + items; i++)
                       running(n, DATA(0) + i * n, out + i * n);
               }))
ARRAY_FUNCTION(running_columns, MATRIX, NPY_DOUBLE, 2, m,
               PIECES(n, m *n, running_down(m, items, n, DATA(0) + from, out + from)))

static PyObject *py_batched(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    (void)self;
    if (!are_arrays(args, count, 2, NPY_DOUBLE, 3, NPY_ARRAY_CARRAY_RO) ||
        DIM(0, 0) != DIM(1, 0) || DIM(0, 2) != DIM(1, 1))
        return refuse();
    npy_intp shape[3] = {DIM(0, 0), DIM(0, 1), DIM(1, 2)}, m = shape[1], k = DIM(0, 2), n = shape[2];
    PyObject *result = PyArray_SimpleNew(3, shape, NPY_DOUBLE);
    if (!result)
        return NULL;
    double *out = PyArray_DATA((PyArrayObject *)result);
    Py_BEGIN_ALLOW_THREADS;
    PIECES(shape[0], shape[0] * m * k * n, for (npy_intp i = from; i < from + items; i++) {
        product(m, k, n, DATA(0) + i * m * k, DATA(1) + i * k * n, out + i * m * n);
    })
    Py_END_ALLOW_THREADS;
    return result;
}

/* A step of gradient descent on weights that the module has. */
static PyObject *py_descent(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    static double weights[64];
    double gradient[64] = {0}, value;
    (void)self;
    if (count != 2 || !is_array(args[0], NPY_DOUBLE, 2, NPY_ARRAY_CARRAY_RO) ||
        !is_array(args[1], NPY_DOUBLE, 1, NPY_ARRAY_CARRAY_RO) || DIM(0, 0) != DIM(1, 0) ||
        DIM(0, 1) > 64)
        return refuse();
    npy_intp m = DIM(0, 0), n = DIM(0, 1);
    Py_BEGIN_ALLOW_THREADS;
    value = loss(m, n, DATA(0), DATA(1), weights, gradient);
    Py_END_ALLOW_THREADS;
    for (npy_intp j = 0; j < n; j++)
        weights[j] -= 2e-15 / (double)m * gradient[j];
    return PyFloat_FromDouble(value);
}

/* stream(read, written, past): moves so many bytes through memory that was written before, as fast as
   it goes; `past` for stores past the caches. */
static PyObject *py_stream(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    static double *memory;
    static size_t size;
    (void)self;
    if (count != 3)
        return refuse();
    size_t read = PyLong_AsSize_t(args[0]), written = PyLong_AsSize_t(args[1]);
    int past = PyObject_IsTrue(args[2]);
    if (PyErr_Occurred() || past < 0)
        return NULL;
    if (read + written > size) {
        free(memory);
        size = read + written;
        memory = aligned_alloc(64, (size + 63) / 64 * 64);
        if (!memory)
            return PyErr_NoMemory();
        memset(memory, 0, size);
    }
    /* In pieces of a register, so that each is aligned. */
    npy_intp whole = (npy_intp)((written ? written : read) / 64);
    int inputs = written ? (int)(read / written) : 1;
    double *x = memory, *out = memory + read / sizeof(double), all_sums = 0;
    PIECES(whole, whole * 8, {
        if (written)
            stream(items * 8, inputs, whole * 8, x + from * 8, out + from * 8, past);
        else if (sum(items * 8, x + from * 8) != 0)
            all_sums = 1;
    })
    return PyFloat_FromDouble(all_sums);
}

static PyObject *py_sum_squares(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    (void)self;
    if (!VECTORS(2, NPY_DOUBLE, NPY_ARRAY_CARRAY_RO))
        return refuse();
    npy_intp n = DIM(0, 0);
    double sum = 0;
    NPY_BEGIN_THREADS_DEF;
    NPY_BEGIN_THREADS_THRESHOLDED(n);
    PIECES(n, n, {
        double part = sum_squares(items, DATA(0) + from, DATA(1) + from);
        ADD(sum, part);
    })
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
    PIECES(m, m *n, relu_after(items, n, DATA(2), out + from * n))
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
    METHOD(layer_norm),   METHOD(filtered),  METHOD(gather),      METHOD(batched),
    METHOD(scatter),      METHOD(running),   METHOD(running_rows), METHOD(running_columns),
    METHOD(descent),      METHOD(stream),
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
