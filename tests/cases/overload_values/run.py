from decimal import Decimal
from fractions import Fraction

import numpy as np
import overload_values as m
from support import raises


class Index:
    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value


def exactly(got, want):
    assert got == want and type(got) is type(want), (got, want)


def chosen(function, value):
    return chr(function(value))


# An integer that uint64 can represent is passed as such, never as double, which would round it.
for value in (0, 1, 2**53 + 1, 2**63 - 1, 2**63, 2**63 + 1, 2**64 - 1):
    exactly(m.wide(value), value)
    exactly(m.wide(Index(value)), value)
    exactly(m.start(value), value)
    exactly(m.start(value, None), value)
    exactly(m.wide(np.uint64(value)), value)
    exactly(
        m.sum([value]), value if value > 2**53 else float(value)
    )  # otherwise double can represent it too, and is the first
    exactly(m.sum((value, 0)), value if value > 2**53 else float(value))
    exactly(m.small(value), 8 if value < 256 else 64)
    exactly(m.small(Index(value)), 8 if value < 256 else 64)
exactly(m.sum([2**63 + 1, 1]), 2**63 + 2)  # of which NumPy makes floats
exactly(m.sum([1, 2**64 - 2]), 2**64 - 1)
exactly(m.sum(np.array([2**63 + 1, 1], "u8")), 2**63 + 2)

# A number that no integer type here can represent is passed as a double.
for value in (-1, -(2**63), -(2**63) - 1, 2**64, 10**30):
    exactly(m.wide(value), float(value))
    exactly(m.wide(Index(value)), float(value))
    exactly(m.sum([value]), float(value))
exactly(m.sum([2**63, -1]), float(2**63 - 1))
exactly(m.sum([2**64, 1.5]), float(2**64))
exactly(m.wide(1.0), 1.0)
exactly(m.sum([1.0, 2]), 3.0)
exactly(m.sum([]), 0.0)  # an empty list casts to everything

# exact: the dtype, in either byte order.
for dtype, kind in (("f4", "f"), ("f8", "d")):
    for order in "<>":
        x = np.ones(2, order + dtype)
        assert chosen(m.real_list, x) == kind and chosen(m.real, x[0]) == kind, x.dtype
        assert chosen(m.real, np.array(1, order + dtype)) == kind
assert chosen(m.real, 1.0) == "d" and chosen(m.real_list, [1.0]) == "d"
assert m.bytes(np.ones(1, "i1")) == 8 and m.bytes(np.ones(1, ">i2")) == 16

# cast: NumPy's safe casts, float16 too; a list for any integer type that represents all of it.
for value in (np.float16(1), np.array(1, "f2"), np.int8(1), True):
    assert chosen(m.real, value) == "f", value
assert chosen(m.real_list, np.ones(2, "f2")) == "f"
assert chosen(m.narrow_list, np.ones(2, "f2")) == "f"
assert m.bytes([1]) == m.bytes([-128, 127]) == 8
assert m.bytes([128]) == m.bytes([1, -129]) == m.bytes([[200]][0]) == 16
for value in (Fraction(1, 2), Decimal(1)):
    assert chosen(m.real, value) == "d"
    assert chosen(m.narrow, value) == "f"

# may round: an integer for float, only if nothing wider or exact exists.
assert chosen(m.narrow, 1) == "i" and chosen(m.real, 1) == "d"
assert chosen(m.narrow, 2**40) == "f" and chosen(m.narrow, Index(2**40)) == "f"
assert chosen(m.narrow_list, [2**40]) == "f" and chosen(m.narrow_list, [1]) == "i"
assert chosen(m.real_list, [1]) == "d"
assert chosen(m.narrow, np.float64(1)) == "f"
raises(
    TypeError,
    "narrow_list(): no overload takes (an array of float64 ...",
    m.narrow_list,
    np.ones(2),
)

# last resort: the overload whose error explains the problem.
raises(OverflowError, "small(): argument 'x': -1 is out of range for uint8 (0 to 255)", m.small, -1)
raises(
    OverflowError,
    "small(): argument 'x': an integer of 2**63 or more is out of range for uint8 (0 to 255)",
    m.small,
    2**64,
)
raises(
    OverflowError, "bytes(): argument 'x': element 1 is out of range for int8", m.bytes, [1, 2**20]
)
assert m.integer(np.int32(5)) == 8 and m.integer(np.uint8(5)) == 64
raises(OverflowError, "integer(): argument 'x': 300 is out of range ...", m.integer, np.int32(300))

# none: another kind, another rank.
for value in (1j, "1", b"1", None, [1], np.ones(1), np.longdouble(1)):
    raises(TypeError, "small(): no overload takes (...", m.small, value)
raises(TypeError, "small(): no overload takes (float); ...", m.small, 1.0)


class Broken:
    def __index__(self):
        raise ZeroDivisionError("in __index__")


raises(ZeroDivisionError, "in __index__", m.wide, Broken())
exactly(m.wide(np.float32(0.5)), 0.5)
