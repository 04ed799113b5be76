import warnings

import numpy as np
import status_arguments as m
from support import raises, same

# Without a result, as in LAPACK. The caller's array is unchanged after a failure.
x = np.array([1.0, 2.0])
assert m.scale(x, 3) is None
same(x, np.array([3.0, 6.0]))
strided = np.arange(6.0)[::2]
raises(RuntimeError, "scale(): scale_ returned status -3", m.scale, strided, 0)
raises(RuntimeError, "scale(): scale_ returned status 1", m.scale, strided, float("nan"))
same(strided, np.array([0.0, 2.0, 4.0]))
raises(TypeError, "scale(x, by) takes 2 positional arguments, got 3", m.scale, x, 1, 0)
batch = np.ones((2, 3))
m.scale_each(batch, [2, 3])
same(batch, np.array([[2.0] * 3, [3.0] * 3]))
raises(
    RuntimeError, "scale_each(): scale_ returned status -3 (item (1,))", m.scale_each, batch, [1, 0]
)

# A result and a code, also for each item; a code that is a warning.
assert m.count([1, -1, 2]) == 2 and m.count([]) == 0
raises(RuntimeError, "count(): count returned status 200", m.count, [1, float("nan")])
assert m.root(4) == 2
same(m.root([[1, 4], [9, 16]]), np.array([[1.0, 2.0], [3.0, 4.0]]))
raises(ValueError, "root(): it has no root", m.root, -1)
raises(ValueError, "root(): it has no root (item (2,))", m.root, [1, 4, -1])
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    assert abs(m.root(2) - 2**0.5) < 1e-15
[warning] = caught
assert str(warning.message) == "root(): it is not exact"

# The code is 0 before each call, and before each item.
assert m.quiet(1) == 2
raises(RuntimeError, "quiet(): quiet returned status 7", m.quiet, -1)
same(m.quiet([1, 2, 3]), np.array([2.0, 4.0, 6.0]))
raises(RuntimeError, "quiet(): quiet returned status 7 (item (1,))", m.quiet, [1, -2, 3])

# Constructors and methods: the code explains a NULL.
box = m.Box(3)
assert m.boxes() == 1 and box.at(2) == 0
raises(IndexError, "Box.at(): too large", box.at, 3)
raises(ValueError, "Box(): too large", m.Box, 101)
assert m.boxes() == 1

# An object that C makes although it fails is freed.
copy = m.copy(box, 0)
assert m.boxes() == 2 and copy.at(0) == 0
raises(RuntimeError, "copy(): box_copy returned status 2", m.copy, box, 1)
assert m.boxes() == 2
copy.close()
box.close()
assert m.boxes() == 0

# The code of a query.
same(m.powers(2), np.array([1.0, 2.0, 4.0]))
raises(RuntimeError, "powers(): powers returned status 1", m.powers, 0)
