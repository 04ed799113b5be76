import sys

import batches_of_objects as b
import numpy as np


def refused(error, text, call, *args):
    try:
        call(*args)
    except error as raised:
        assert text in str(raised), str(raised)
    else:
        raise AssertionError("it was taken")


x = np.arange(6.0).reshape(2, 3)
scale, other = b.Scale(2), b.Scale(100)
count = sys.getrefcount(scale)
assert scale.apply(1.5) == 3 and np.array_equal(scale.apply(x), 2 * x)
assert scale.uses() == 7
assert np.array_equal(scale.sum(x), 2 * x.sum(axis=1))
assert np.array_equal(scale.sum(x, other), 2 * x.sum(axis=1) + 100)
assert np.array_equal(scale.sum(x, scale), 2 * x.sum(axis=1) + 2)

# A call that fails releases what it has acquired: the object can be closed, and is freed once.
refused(TypeError, "argument 'x'", scale.apply, ["a", "b"])
refused(TypeError, "argument 'other'", scale.sum, x, 3)
refused(TypeError, "argument 'x'", scale.sum, "text", other)
assert sys.getrefcount(scale) == count
other.close()
refused(ValueError, "closed", scale.sum, x, other)
refused(ValueError, "closed", other.apply, x)

assert np.array_equal(b.clip(b.Range(1, 4), x), np.clip(x, 1, 4))
assert np.array_equal(b.power("square", x), x**2) and np.array_equal(b.power("cube", x), x**3)
refused(TypeError, "argument 'name'", b.power, 3, x)
refused(TypeError, "argument 'name'", b.power, ["square", "cube"], x[0, :2])
assert np.array_equal(b.rounded(b.Rounding.UP, x + 0.5), np.ceil(x + 0.5))
assert np.array_equal(b.rounded(b.Rounding.DOWN, x + 0.5), np.floor(x + 0.5))
