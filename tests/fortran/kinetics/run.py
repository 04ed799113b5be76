import kinetics
import numpy as np
import pytest

x = np.arange(4.0)
a = np.arange(12.0).reshape(3, 4)
assert kinetics.mean(x) == 1.5

# Arrays of assumed shape, in every order.
assert kinetics.total(a) == kinetics.total(a.T) == a.sum()
assert kinetics.total(a[:, ::-2]) == a[:, ::2].sum() + 6
assert kinetics.total(np.empty((0, 3))) == 0
scaled = np.asfortranarray(a)
kinetics.scale_rows(scaled)
np.testing.assert_array_equal(scaled, 2 * a)
kinetics.scale_rows(scaled, by=0.5)
kinetics.scale_rows(scaled, None)
np.testing.assert_array_equal(scaled, 2 * a)
with pytest.raises(ValueError, match="F-contiguous"):
    kinetics.scale_rows(a)
np.testing.assert_array_equal(
    kinetics.outer([1.0, 2.0], [3.0, 4.0, 5.0]), np.outer([1, 2], [3, 4, 5])
)

# The C library has a function `step`, too.
point = kinetics.point(1, 2)
moved, energy = kinetics.step(point, 0.5)
assert (moved.x, moved.y, energy) == (1.5, 1.5, 4.5)
assert (point.x, point.y) == (1, 2)
assert kinetics.particle([1, 2, 3], 2, 1).mass == 2

assert kinetics.count_letter("banana", ord("a")) == 3
assert kinetics.rotate(1j, 0.0) == 1j
y = np.ones(3, np.float32)
kinetics.saxpy_like(2.0, np.ones(3, np.float32), y)
np.testing.assert_array_equal(y, 3)
assert kinetics.words("one two three") == 3 and kinetics.words("") == 1
