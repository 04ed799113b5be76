"""Buffers and array interfaces: read without a copy, and written to if they are writable."""

import array
import ctypes
import mmap
import sys

import containers as m
import numpy as np
from support import raises, readonly, same

# ---- Buffers are read ------------------------------------------------------------------------------

numbers = array.array("d", [1, 2, 3])
assert m.total(numbers) == m.total(memoryview(numbers)) == 6
assert m.total(memoryview(numbers)[::-2]) == 4
assert m.total(memoryview(numbers).toreadonly()) == 6
assert m.total(array.array("i", [1, 2, 3])) == 6, "by a safe cast"
raises(
    TypeError,
    "total(): argument 'x': wanted an array that casts safely to float64, "
    "got an array of complex128 and shape (1,)",
    m.total,
    memoryview(np.zeros(1, complex)),
)
assert m.total(array.array("d")) == 0
assert m.octets(b"abc") == m.octets(bytearray(b"abc")) == m.octets(memoryview(b"abc")) == 294
assert m.octets(b"") == 0
# Bytes may be a string, which is not a number.
raises(
    TypeError, "total(): argument 'x': wanted an array of float64, got bytes", m.total, b"1, 2, 3"
)
raises(
    TypeError, "octets(): argument 'x': wanted an array of uint8, got numpy.bytes_", m.octets,
    np.bytes_(b"abc"),
)  # fmt: skip
raises(
    TypeError, "octets(): argument 'x': wanted an array of uint8, got numpy.datetime64", m.octets,
    np.datetime64("2020-01-01"),
)  # fmt: skip
assert m.truths(memoryview(np.array([True, False, True]))) == 2

grid = (ctypes.c_double * 3 * 2)((1, 2, 3), (4, 5, 6))
values = np.array(grid)
assert m.weigh(grid) == m.weigh(values) == 2 + 6 + 12 + 20 + 30
assert m.weigh(memoryview(np.asfortranarray(values))) == m.weigh(values)
assert m.weigh(memoryview(bytearray(values.tobytes())).cast("d", (2, 3))) == m.weigh(values)
raises(
    ValueError,
    "total(): argument 'x': wanted a 1-D array, got an array of float64 and shape (2, 3)",
    m.total,
    grid,
)
raises(
    TypeError,
    "total(): argument 'x': wanted an array of float64, got c_double",
    m.total,
    ctypes.c_double(1),
)
dead = memoryview(numbers)
dead.release()
raises(
    ValueError,
    "total(): argument 'x': operation forbidden on released memoryview object",
    m.total,
    dead,
)
same(m.conjugate(memoryview(np.array([1j, 2.0]))), [-1j, 2 + 0j])

# ---- Buffers are written to, in place ----------------------------------------------------------

x = array.array("d", [1, 2, 3])
assert m.scale(x) is None and x.tolist() == [2, 4, 6]
assert m.scale_here(memoryview(x)) is None and x.tolist() == [4, 8, 12]
x.append(1)  # which no remaining export would allow
same(m.scaled(x, 0.5), [2.0, 4.0, 6.0, 0.5])
assert x.tolist() == [2, 4, 6, 0.5]
m.scale(memoryview(x)[::2], 10)
assert x.tolist() == [20, 4, 60, 0.5]

raw = bytearray(np.arange(6.0).tobytes())
columns = memoryview(raw).cast("d", (2, 3))
assert m.scale_columns(columns) is None
np.testing.assert_array_equal(np.frombuffer(raw).reshape(2, 3), [[0, 1, 2], [6, 8, 10]])
del columns
raw.append(0)

grid = (ctypes.c_double * 3 * 2)((1, 2, 3), (4, 5, 6))
m.scale_columns(grid)
assert [list(row) for row in grid] == [[1, 2, 3], [8, 10, 12]]
with mmap.mmap(-1, 24) as pages:
    with memoryview(pages) as whole, whole[:24].cast("d") as view:
        assert m.ramp(3, x=view) is view
        assert view.tolist() == [0, 1, 2]

# The same buffer is returned.
for buffer in (array.array("d", [9, 9, 9]), (ctypes.c_double * 3)(9, 9, 9)):
    assert m.ramp(3, x=buffer) is buffer
    assert list(buffer) == [0, 1, 2]
strided = memoryview(array.array("d", [9] * 6))[::-2]
assert m.ramp(3, x=strided) is strided
assert strided.obj.tolist() == [9, 2, 9, 1, 9, 0]
numbers = array.array("d", [1, 1])
assert m.two(numbers, numbers) == 4 and numbers.tolist() == [2, 2], "one memory, twice"

where = "scale(): argument 'x':"
raises(
    TypeError,
    f"{where} wanted an array of exactly float64, got an array of float32 and shape (2,)",
    m.scale,
    array.array("f", [1, 2]),
)
raises(
    TypeError,
    f"{where} wanted an array of exactly float64, got an array of uint8 and shape (8,)",
    m.scale,
    bytearray(8),
)
raises(
    ValueError,
    f"{where} memoryview gives no memory that can be written to",
    m.scale,
    memoryview(readonly([1.0])),
)
raises(
    ValueError,
    f"{where} wanted a 1-D array, got an array of float64 and shape ()",
    m.scale,
    ctypes.c_double(1),
)
raises(
    ValueError,
    "scale_here(): argument 'x': the array must be C-contiguous",
    m.scale_here,
    strided,
)
little = sys.byteorder == "little"
swapped_double = ctypes.c_double.__ctype_be__ if little else ctypes.c_double.__ctype_le__
x = (swapped_double * 2)(1, 2)
assert m.scale(x) is None and list(x) == [2, 4], "written back in its own byte order"
raises(
    TypeError,
    "scale_here(): argument 'x': wanted an array of float64 in native byte order, "
    "got an array of float64 in swapped byte order and shape (1,)",
    m.scale_here,
    (swapped_double * 1)(),
)
raises(
    ValueError,
    "ramp(): argument 'x': dimension 0 is 3, but must be 2",
    m.ramp,
    2,
    x=array.array("d", [1, 2, 3]),
)
for other in ([1.0], (1.0,), range(3), "text", b"bytes", 1.0, np.float64(1), {1.0}, None):
    raises(TypeError, f"{where} ...", m.scale, other)


# ---- NumPy's protocols -------------------------------------------------------------------------------


class Interface:
    """Memory by `__array_interface__` alone."""

    def __init__(self, values, readonly=False):
        self.values = np.asarray(values)
        self.readonly = readonly

    @property
    def __array_interface__(self):
        described = dict(self.values.__array_interface__)
        described["data"] = (described["data"][0], self.readonly)
        return described


class Struct:
    """Memory by `__array_struct__` alone."""

    def __init__(self, values):
        self.values = np.asarray(values)

    @property
    def __array_struct__(self):
        return self.values.__array_struct__


class Array:
    """Memory by `__array__`, which counts its calls."""

    def __init__(self, values, copies=False):
        self.values, self.copies, self.requests = np.asarray(values), copies, 0

    def __array__(self, dtype=None, copy=None):
        self.requests += 1
        if copy is False and self.copies:
            raise ValueError("this one must be copied")
        return self.values.copy() if self.copies else self.values


class Told(Array):
    """One that reports its dtype and rank."""

    @property
    def dtype(self):
        return self.values.dtype

    @property
    def ndim(self):
        return self.values.ndim


class OldArray(Array):
    """One from before NumPy 2, without the argument `copy`."""

    def __array__(self, dtype=None):
        return self.values.copy()


for kind in (Interface, Struct, Array, Told):
    x = kind(np.arange(6.0))
    assert m.total(x) == 15, kind
    assert m.total(kind(np.arange(6.0)[::-2])) == 9, kind
    assert m.scale(x) is None, kind
    same(x.values, np.arange(6.0) * 2)
    assert m.ramp(6, x=x) is x, kind
    same(x.values, np.arange(6.0))
    fixed = kind(readonly([1.0]))
    assert m.total(fixed) == 1
    raises(
        ValueError, f"{where} {kind.__name__} gives no memory that can be written to",
        m.scale, fixed if kind is not Interface else Interface([1.0], readonly=True),
    )  # fmt: skip
    raises(
        TypeError,
        f"{where} wanted an array of exactly float64, got an array of int64 and shape (2,)",
        m.scale,
        kind([1, 2]),
    )
assert m.total(Array([1.0], copies=True)) == 1
raises(ValueError, f"{where} this one must be copied", m.scale, Array([1.0], copies=True))
wanted = "wanted an array of float64, which can be written to"
raises(TypeError, f"{where} {wanted}, got OldArray", m.scale, OldArray([1.0]))


class Wrong:
    """Has `__array__`, which does not return an array."""

    def __array__(self, dtype=None, copy=None):
        return 3


class Bad:
    """Has an attribute that raises an exception of its own."""

    @property
    def __array_interface__(self):
        raise KeyError("mine")


raises(TypeError, f"{where} {wanted}, got Wrong", m.scale, Wrong())
raises(KeyError, "'mine'", m.scale, Bad())

# ---- Overloads ---------------------------------------------------------------------------------------

assert m.kind(1) == m.kind(2.5) == 1
assert m.kind(b"abc") == m.kind(bytearray(3)) == 2
assert m.kind(array.array("i", [1])) == 3
assert m.kind(array.array("d", [1])) == m.kind(array.array("f", [1])) == 4
assert m.kind(grid) == m.kind(memoryview(grid)) == 5
for kind in (Interface, Struct, Array, Told):
    assert m.kind(kind(np.zeros(2, np.int32))) == 3, kind
    assert m.kind(kind(np.zeros((2, 2)))) == 5, kind
told = Told([1.0, 2.0])
assert m.kind(told) == 4 and told.requests == 1, (
    "only the overload that is called asks for the array"
)
raises(
    TypeError, "kind(): no overload takes (memoryview); it takes:...", m.kind,
    memoryview(np.zeros(1, complex)),
)  # fmt: skip
for buffer in (array.array("d", [1, 2]), array.array("f", [1, 2])):
    m.clear(buffer)
    assert buffer.tolist() == [0, 0]
raises(
    TypeError, "clear(): no overload takes (array.array); it ...", m.clear, array.array("i", [1])
)
