import numpy as np
import untyped as m
from support import raises, same

x = np.array([1, 2, 3], np.float32)
assert m.weighted(x, [1.0, 10, 100]) == 321
assert m.weighted(x[::-1], [1, 10, 100]) == 123
raises(
    TypeError,
    "weighted(): argument 'x': wanted an array that casts safely to float32, got an array of float64 "
    "and shape (3,)",
    lambda: m.weighted(np.ones(3), [1, 10, 100]),
)
raises(
    ValueError,
    "weighted(): argument 'w': dimension 0 of shape (2,) is 2, but n is 3",
    lambda: m.weighted(x, [1, 2]),
)

same(m.halve([1, 3, 5, 7, 9]), np.array([2.0, 6.0]))
raises(RuntimeError, "halve(): no samples", lambda: m.halve([]))

a = np.arange(6.0).reshape(2, 3)
same(m.transpose(a), np.ascontiguousarray(a.T))
b = np.ones((2, 3))
m.add(a, b)
same(b, a + 1)

assert m.shift(4) == 5 and m.shift(4, 10) == 14
assert m.manhattan(m.Cell(x=3, y=-4)) == 7
same(m.count_up(4), np.arange(4, dtype=np.int32))

same(m.negate([1, -2]), np.array([-1, 2], np.int16))
assert m.far([3, 4]) == 25 and m.far([3, 4], scale=2) == 50
assert m.sum_rows([[1, 2], [3]]) == 6
same(m.make(3), np.arange(3, dtype=np.int32))
