import numpy as np
from _calls_cffi import ffi, lib

FLOAT64 = np.dtype("float64")
from_buffer = ffi.from_buffer


# An array that fits is used as it is; any other is converted by a safe cast.
def read(x, rank):
    if type(x) is not np.ndarray or x.dtype != FLOAT64 or not x.flags.c_contiguous:
        x = np.asarray(x).astype(FLOAT64, order="C", casting="safe", copy=False)
    if x.ndim != rank:
        raise ValueError("wrong rank")
    return x


def pointer(x):
    return from_buffer("double[]", x)


def add(a, b):
    return lib.add(a, b)


def total(x):
    x = read(x, 1)
    return lib.total(x.size, pointer(x))


def scale(x, k):
    if type(x) is not np.ndarray or x.dtype != FLOAT64 or x.ndim != 1:
        raise TypeError("x must be a vector of float64")
    lib.scale(x.size, from_buffer("double[]", x, require_writable=True), k)


def double_it(x):
    x = read(x, 1)
    y = np.empty(x.size)
    lib.double_it(x.size, pointer(x), pointer(y))
    return y


def trace2(a):
    a = read(a, 2)
    m, n = a.shape
    if m != n:
        raise ValueError("a must be square")
    return lib.trace2(n, pointer(a))


def matvec(a, x):
    a = read(a, 2)
    x = read(x, 1)
    m, n = a.shape
    if n != x.size:
        raise ValueError("x must be as long as a is wide")
    y = np.empty(m)
    lib.matvec(m, n, pointer(a), pointer(x), pointer(y))
    return y
