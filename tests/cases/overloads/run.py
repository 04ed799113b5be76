import inspect

import numpy as np
import overloads as m
from support import layouts, raises

INT, FLOAT, DOUBLE, COMPLEX, FLOATS, DOUBLES, MATRIX = range(1, 8)

EXPECTED = [
    # exactly
    (1, INT),
    (np.int32(1), INT),
    (np.array(1, np.int32), INT),
    (np.float32(1), FLOAT),
    (np.array(1, np.float32), FLOAT),
    (1.0, DOUBLE),
    (np.float64(1), DOUBLE),
    (1j, COMPLEX),
    (np.complex128(1j), COMPLEX),
    (np.zeros(2, np.float32), FLOATS),
    (np.zeros(2), DOUBLES),
    (np.zeros((2, 2)), MATRIX),
    # by safe casts, the first that is written
    (True, INT),
    (np.int8(1), INT),
    (np.uint16(1), INT),
    (np.uint32(1), DOUBLE),
    (np.complex64(1j), COMPLEX),
    (np.zeros(2, np.int16), FLOATS),
    (np.zeros(2, np.int32), DOUBLES),
    (np.zeros(2, bool), FLOATS),
    (np.zeros((2, 2), np.float32), MATRIX),
    (np.zeros((2, 2), np.int64), MATRIX),
    # Python numbers and lists have no exact type, only a kind
    ([1.0, 2.0], DOUBLES),
    ([[1.0]], MATRIX),
    ([[1]], MATRIX),
    ((1.0, 2.0), DOUBLES),
]
for value, kind in EXPECTED:
    assert m.kind(value) == kind, (value, m.kind(value), kind)
    assert m.kind(x=value) == kind, value

# The layout is ignored.
for layout, x in layouts(np.zeros(3, np.float32)):
    assert m.kind(x) == FLOATS, layout
for layout, x in layouts(np.zeros((3, 2))):
    assert m.kind(x) == MATRIX, layout

assert m.narrow_first(np.int8(1)) == FLOAT and m.wide_first(np.int8(1)) == DOUBLE
assert m.narrow_first(np.float64(1)) == DOUBLE and m.wide_first(np.float32(1)) == FLOAT
assert m.narrow_first(1.0) == DOUBLE and m.wide_first(1.0) == DOUBLE

x = np.zeros(2)
assert m.changed(x) == DOUBLES and x.tolist() == [1, 1]
x = np.zeros(4, np.float32)[::2]
assert m.changed(x) == FLOATS and x.tolist() == [1, 1]
NONE = """changed(): no overload takes ({}); it takes:
    changed(x: float32[n]) -> int32
    changed(x: float64[n]) -> int32"""
raises(TypeError, NONE.format("an array of int64 and shape (2,)"), m.changed, np.zeros(2, np.int64))
raises(TypeError, NONE.format("list"), m.changed, [1.0, 2.0])
raises(TypeError, NONE.format("x=list"), m.changed, x=[1.0, 2.0])
raises(TypeError, NONE.format("an array of float64 and shape (2, 2)"), m.changed, np.zeros((2, 2)))
raises(TypeError, NONE.format(""), m.changed)
raises(TypeError, NONE.format("int, y=int"), m.changed, 1, y=2)
raises(TypeError, NONE.format("None"), m.changed, None)

raises(
    TypeError,
    """kind(): no overload takes (str); it takes:
    kind(x: int32) -> int32
    kind(x: float32) -> int32
    kind(x: float64) -> int32
    kind(x: complex128) -> int32
    kind(x: float32[n]) -> int32
    kind(x: float64[n]) -> int32
    kind(x: float64[m, n]) -> int32""",
    m.kind,
    "1",
)
for wrong in (
    None,
    object(),
    {},
    np.zeros((1, 1, 1)),
    np.zeros(2, complex),
    np.array("1"),
    b"1",
    [1j],
    [["a"]],
    [[1], [1, 2]],
    slice(1),
):
    raises(TypeError, "kind(): no overload takes (...", m.kind, wrong)

# All have the same parameters, so the signature shows them.
assert str(inspect.signature(m.kind)) == "(x)"
