import empty_arrays as m
import numpy as np
from support import layouts, raises, readonly, same

for nothing in (
    [],
    (),
    np.zeros(0),
    np.zeros(0, np.float32),
    np.zeros(0, np.int64),
    np.zeros(5)[5:],
    np.zeros(5)[::2][:0],
    range(0),
    b""[:0] and None or [],
):
    assert m.sum(nothing) == 0
    same(m.copy(nothing), np.zeros(0))
for layout, x in layouts(np.zeros(0)):
    assert m.sum(x) == 0 and m.double_(x) is None, layout

# Invalid arguments are refused even if the call has nothing to do.
raises(
    TypeError,
    "sum(): argument 'x': wanted an array that casts safely to float64, got an array "
    "of complex128 and shape (0,)",
    m.sum,
    np.zeros(0, complex),
)
raises(
    ValueError, "double_(): argument 'x': the array is read-only", m.double_, readonly(np.zeros(0))
)
raises(
    ValueError,
    "sum(): argument 'x': wanted a 1-D array, got an array of float64 and shape (0, 2)",
    m.sum,
    np.zeros((0, 2)),
)

for shape in ((0, 0), (0, 3), (3, 0)):
    assert m.make(*shape).shape == shape
    for layout, a in layouts(np.zeros(shape)):
        if "swapped" not in layout and "unaligned" not in layout:
            m.shift(a)
assert m.make(2, 0, a=np.zeros((2, 0))).shape == (2, 0)
raises(ValueError, "make(): argument 'a': dimension 1 is negative (-1)", m.make, 0, -1)

for x in (
    np.array(3.0),
    np.array(3),
    np.array([3.0])[0],
    np.array(3.0).astype(">f8"),
    np.float32(3),
):
    assert m.scalar(x) == 1.5
# ... and not a non-empty array.
raises(TypeError, "sum(): argument 'x': wanted an array of ...", m.sum, 3.0)
raises(
    ValueError,
    "sum(): argument 'x': wanted a 1-D array, got an array of float64 and shape ()",
    m.sum,
    np.array(3.0),
)
