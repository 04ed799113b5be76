# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
import numpy as np

cdef extern from "kernels.h":
    double c_add "add"(double a, double b) nogil
    double c_total "total"(size_t n, const double *x) nogil
    void c_scale "scale"(size_t n, double *x, double k) nogil
    void c_double_it "double_it"(size_t n, const double *x, double *y) nogil
    double c_trace2 "trace2"(size_t n, const double *a) nogil
    void c_matvec "matvec"(size_t m, size_t n, const double *a, const double *x, double *y) nogil

# Taking the address of the first element of an empty view would be an error.
cdef inline const double *vector(const double[::1] x) noexcept:
    return &x[0] if x.shape[0] else NULL

cdef inline const double *matrix(const double[:, ::1] a) noexcept:
    return &a[0, 0] if a.shape[0] and a.shape[1] else NULL

def add(double a, double b):
    return c_add(a, b)

def total(const double[::1] x not None):
    return c_total(x.shape[0], vector(x))

def scale(double[::1] x not None, double k):
    c_scale(x.shape[0], <double *>vector(x), k)

def double_it(const double[::1] x not None):
    y = np.empty(x.shape[0])
    cdef double[::1] out = y
    c_double_it(x.shape[0], vector(x), <double *>vector(out))
    return y

def trace2(const double[:, ::1] a not None):
    if a.shape[0] != a.shape[1]:
        raise ValueError("a must be square")
    return c_trace2(a.shape[0], matrix(a))

def matvec(const double[:, ::1] a not None, const double[::1] x not None):
    if a.shape[1] != x.shape[0]:
        raise ValueError("x must be as long as a is wide")
    y = np.empty(a.shape[0])
    cdef double[::1] out = y
    c_matvec(a.shape[0], a.shape[1], matrix(a), vector(x), <double *>vector(out))
    return y
