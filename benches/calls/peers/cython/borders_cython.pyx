# cython: language_level=3
import enum

cdef extern from "borders.h" nogil:
    ctypedef struct counter
    counter *counter_new()
    void counter_free(counter *c)
    long counter_next(counter *c)
    size_t text_length(const char *text)
    ctypedef struct point:
        double x
        double y
    point point_add(point a, point b)
    double point_norm(point p)
    ctypedef enum color:
        pass
    color color_next(color c)
    double c_apply "apply"(double (*f)(double x, void *data) noexcept, void *data, double x)

cdef class Counter:
    cdef counter *pointer

    def __cinit__(self):
        self.pointer = counter_new()
        if self.pointer is NULL:
            raise MemoryError()

    def __dealloc__(self):
        if self.pointer is not NULL:
            counter_free(self.pointer)

    def next_safe(self):
        return counter_next(self.pointer)

    def next_gil(self):
        return counter_next(self.pointer)

    def next_released(self):
        cdef long value
        with nogil:
            value = counter_next(self.pointer)
        return value

def length(str text not None):
    # A NUL ends the string for C: the length is compared.
    cdef bytes encoded = text.encode()
    if len(encoded) != text_length(encoded):
        raise ValueError("text has a NUL inside")
    return text_length(encoded)

cdef class Point:
    cdef point value

    def __cinit__(self, double x=0, double y=0):
        self.value.x = x
        self.value.y = y

    @property
    def x(self):
        return self.value.x

    @x.setter
    def x(self, double x):
        self.value.x = x

    @property
    def y(self):
        return self.value.y

    @y.setter
    def y(self, double y):
        self.value.y = y

def add(Point a not None, Point b not None):
    cdef Point made = Point.__new__(Point)
    made.value = point_add(a.value, b.value)
    return made

def norm(Point p not None):
    return point_norm(p.value)

Color = enum.IntEnum("Color", {"RED": 0, "GREEN": 1, "BLUE": 2})
cdef tuple members = tuple(Color)

def turned(int c):
    if not 0 <= c <= 2:
        raise ValueError(f"{c} is not a Color")
    return members[color_next(<color>c)]

cdef class Called:
    cdef object function
    cdef object error

cdef double call_back(double x, void *data) noexcept with gil:
    cdef Called called = <Called>data
    if called.error is None:
        try:
            return called.function(x)
        except BaseException as error:
            called.error = error
    return -1

cdef Called called_by(f):
    cdef Called called = Called.__new__(Called)
    called.function = f
    return called

def apply(f, double x):
    cdef Called called = called_by(f)
    cdef double y
    with nogil:
        y = c_apply(call_back, <void *>called, x)
    if called.error is not None:
        raise called.error
    return y

def apply_held(f, double x):
    cdef Called called = called_by(f)
    cdef double y = c_apply(call_back, <void *>called, x)
    if called.error is not None:
        raise called.error
    return y
