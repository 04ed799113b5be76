import inspect

import nullable as m
import numpy as np
from support import raises, same, strided

assert m.scalar(7, 2) == 2 and m.scalar(7, x=np.float32(2)) == 2
assert m.scalar(7) == m.scalar(7, None) == m.scalar(7, x=None) == 7
assert str(inspect.signature(m.scalar)) == "(fallback, x=None)"
raises(
    TypeError, "scalar(): argument 'x': wanted a real number (float64), got str", m.scalar, 7, "2"
)

# Optional parameters come last, whatever their place in C.
assert str(inspect.signature(m.vector)) == "(fallback, x=None)"
assert m.vector(7) == 7 and m.vector(7, None) == 7 and m.vector(7, [1, 2]) == 3
assert m.vector(7, []) == 0, "an empty array is not NULL"

assert m.weighted([1, 2, 3]) == m.weighted([1, 2, 3], w=None) == 6
assert m.weighted([1, 2, 3], [3, 2, 1]) == 10
raises(
    ValueError,
    "weighted(): argument 'w': dimension 0 of shape (2,) is 2, but n is 3",
    m.weighted,
    [1, 2, 3],
    [1, 2],
)
raises(
    TypeError, "weighted(): argument 'x': wanted an array of float64, got None", m.weighted, None
)

assert m.either() == 0 and m.either([1, 2]) == 3 and m.either(w=[4]) == 4
assert m.either([1, 2], [3, 4]) == 11
raises(
    ValueError,
    "either(): argument 'w': dimension 0 of shape (1,) is 1, but n is 2",
    m.either,
    [1, 2],
    [3],
)

assert m.sized() == -1 and m.sized(np.zeros((2, 3))) == 200 + 60 + 3
raises(
    ValueError,
    "sized(): argument 'x': dimension 1 of shape (2, 2) is 2, but must be 3",
    m.sized,
    np.zeros((2, 2)),
)

for name in ("inplace", "inout"):
    call = getattr(m, name)
    x = np.array([1.0, 2.0])
    assert call() == call(None) == 0 and call(x) == 1
    same(x, [-1.0, -2.0])
x = strided(np.array([1.0, 2.0]))
m.inplace(x)
np.testing.assert_array_equal(x, [-1, -2])

for name in ("in_out", "inplace_out", "scalar_in_out"):
    assert getattr(m, name)() == getattr(m, name)(None) == (None, 0), name
y, there = m.in_out([1, 2])
same(y, [-1.0, -2.0])
assert there == 1
assert m.scalar_in_out(3) == (-3, 1)

assert m.scalar_inplace() == m.scalar_inplace(None) == 0
box = np.array(3.0)
assert m.scalar_inplace(box) == 1 and box == -3
