# cython: language_level=3
cimport numpy as np

np.import_array()

cdef extern from "kernels.h":
    double c_add "add"(double a, double b) nogil
    double c_total "total"(size_t n, const double *x) nogil
    void c_scale "scale"(size_t n, double *x, double k) nogil
    void c_double_it "double_it"(size_t n, const double *x, double *y) nogil
    double c_trace2 "trace2"(size_t n, const double *a) nogil
    void c_matvec "matvec"(size_t m, size_t n, const double *a, const double *x, double *y) nogil

# Without NPY_ARRAY_FORCECAST NumPy converts by safe casts only.
cdef inline np.ndarray read(object x, int rank):
    return np.PyArray_FROMANY(x, np.NPY_DOUBLE, rank, rank, np.NPY_ARRAY_IN_ARRAY)

cdef inline np.ndarray new_vector(np.npy_intp n):
    return np.PyArray_EMPTY(1, &n, np.NPY_DOUBLE, 0)

cdef inline double *data(np.ndarray x) noexcept:
    return <double *>np.PyArray_DATA(x)

def add(double a, double b):
    return c_add(a, b)

def total(x):
    cdef np.ndarray v = read(x, 1)
    return c_total(np.PyArray_DIM(v, 0), data(v))

def scale(np.ndarray x not None, double k):
    if np.PyArray_TYPE(x) != np.NPY_DOUBLE or np.PyArray_NDIM(x) != 1:
        raise TypeError("x must be a vector of float64")
    if not np.PyArray_CHKFLAGS(x, np.NPY_ARRAY_CARRAY) or not np.PyArray_ISNOTSWAPPED(x):
        raise ValueError("x must be contiguous and writeable")
    c_scale(np.PyArray_DIM(x, 0), data(x), k)

def double_it(x):
    cdef np.ndarray v = read(x, 1)
    cdef np.ndarray y = new_vector(np.PyArray_DIM(v, 0))
    c_double_it(np.PyArray_DIM(v, 0), data(v), data(y))
    return y

def trace2(a):
    cdef np.ndarray m = read(a, 2)
    if np.PyArray_DIM(m, 0) != np.PyArray_DIM(m, 1):
        raise ValueError("a must be square")
    return c_trace2(np.PyArray_DIM(m, 0), data(m))

def matvec(a, x):
    cdef np.ndarray m = read(a, 2)
    cdef np.ndarray v = read(x, 1)
    if np.PyArray_DIM(m, 1) != np.PyArray_DIM(v, 0):
        raise ValueError("x must be as long as a is wide")
    cdef np.ndarray y = new_vector(np.PyArray_DIM(m, 0))
    c_matvec(np.PyArray_DIM(m, 0), np.PyArray_DIM(m, 1), data(m), data(v), data(y))
    return y
