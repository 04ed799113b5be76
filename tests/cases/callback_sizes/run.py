import callback_sizes as m
import numpy as np
from support import raises

# The sizes of the arrays are those of the call.
y = m.euler([1.0, 2.0, 3.0], lambda t, y: [y.size, t, y[0]], steps=2)
assert y.tolist() == [7, 3, 8]
assert m.euler([], lambda t, y: y).tolist() == []
assert m.euler_again([4.0, 5.0], lambda t, y: -y).tolist() == [0, 0]
raises(
    ValueError,
    "euler(): argument 'f' returned 'dydt': dimension 0 of shape (2,) is 2, but must be 3",
    m.euler,
    [1.0, 2.0, 3.0],
    lambda t, y: y[:2],
)

# An output that the function did not set is not a number in all of its elements.
raises(ZeroDivisionError, "division by zero", m.euler, np.ones(5), lambda t, y: 1 / 0)


# Calls within calls have their own sizes.
def nested(t, y):
    return m.euler(y[1:], nested).sum() * np.ones(y.size) if y.size else y


assert m.euler(np.ones(3), nested).tolist() == [5.0, 5.0, 5.0]

# Fields of a struct.
total, y = m.trace(lambda t, y: 2 * y, [1.0, 2.0], lambda t, y: (np.outer(y, y), np.ones(2)))
assert total == 1 + 4 + 2 and y.tolist() == [3, 6]
raises(
    ValueError,
    "trace(): argument 'jacobian' returned 'dfdy': dimension 1 of shape (2, 3) is 3, but must be 2",
    m.trace,
    lambda t, y: y,
    [1.0, 2.0],
    lambda t, y: (np.ones((2, 3)), np.ones(2)),
)
raises(RuntimeError, "trace(): cz_trace returned status 3", m.trace, lambda t, y: y, [1.0], None)

# Without user data; a size is computed.
assert m.fill(2, 2, lambda: np.arange(6.0).reshape(2, 3)) == 15
assert m.fill(0, 2, lambda: np.ones((0, 3))) == 0
assert m.fill(2, -2, lambda: 1 / 0) == -1
raises(
    ValueError,
    "fill(): argument 'fill' returned 'a': wanted a 2-D array, got an array of float64 and shape (6,)",
    m.fill,
    2,
    2,
    lambda: np.ones(6),
)

# Of an object, which retains the function or accepts it.
model = m.Model(3)
seen = []
model.set(lambda x: seen.append(x.tolist()) or x.sum())
assert model.at([1.0, 2.0, 3.0]) == 6 and seen == [[1, 2, 3]]
assert model.apply(lambda x: x.size, np.ones(3)) == 6
other = m.Model(0)
other.set(lambda x: x.size)
assert other.at([]) == 0
