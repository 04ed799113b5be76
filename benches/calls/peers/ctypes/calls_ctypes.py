import ctypes
from ctypes import c_double, c_size_t, c_void_p
from pathlib import Path

import numpy as np

FLOAT64 = np.dtype("float64")
LIBRARY = ctypes.CDLL(str(Path(__file__).with_name("libkernels.so")))


def declare(name, restype, *argtypes):
    function = getattr(LIBRARY, name)
    function.restype = restype
    function.argtypes = argtypes
    return function


c_add = declare("add", c_double, c_double, c_double)
c_total = declare("total", c_double, c_size_t, c_void_p)
c_scale = declare("scale", None, c_size_t, c_void_p, c_double)
c_double_it = declare("double_it", None, c_size_t, c_void_p, c_void_p)
c_trace2 = declare("trace2", c_double, c_size_t, c_void_p)
c_matvec = declare("matvec", None, c_size_t, c_size_t, c_void_p, c_void_p, c_void_p)


# An array that fits is used as it is; any other is converted by a safe cast.
def read(x, rank):
    if type(x) is not np.ndarray or x.dtype != FLOAT64 or not x.flags.carray:
        x = np.asarray(x).astype(FLOAT64, order="C", casting="safe", copy=False)
    if x.ndim != rank:
        raise ValueError("wrong rank")
    return x


def add(a, b):
    return c_add(a, b)


def total(x):
    x = read(x, 1)
    return c_total(x.size, x.ctypes.data)


def scale(x, k):
    if type(x) is not np.ndarray or x.dtype != FLOAT64 or x.ndim != 1:
        raise TypeError("x must be a vector of float64")
    if not x.flags.carray:
        raise ValueError("x must be contiguous and writeable")
    c_scale(x.size, x.ctypes.data, k)


def double_it(x):
    x = read(x, 1)
    y = np.empty(x.size)
    c_double_it(x.size, x.ctypes.data, y.ctypes.data)
    return y


def trace2(a):
    a = read(a, 2)
    m, n = a.shape
    if m != n:
        raise ValueError("a must be square")
    return c_trace2(n, a.ctypes.data)


def matvec(a, x):
    a = read(a, 2)
    x = read(x, 1)
    m, n = a.shape
    if n != x.size:
        raise ValueError("x must be as long as a is wide")
    y = np.empty(m)
    c_matvec(m, n, a.ctypes.data, x.ctypes.data, y.ctypes.data)
    return y
