import inspect

import buffers as m
import numpy as np
from support import layouts, raises, readonly, same

assert str(inspect.signature(m.scale)) == "(k, x, *, y=None)"
for n in (0, 3, 2000):
    x = np.arange(n) * 1.0
    same(m.scale(2, x), 2 * x)
    same(m.scale(2, x, y=None), 2 * x)
    for layout, y in layouts(np.full(n, -1.0)):
        assert m.scale(2, x, y=y) is y, "the buffer itself comes back"
        np.testing.assert_array_equal(y, 2 * x, layout)
        m.scale(x=x, y=y, k=3)
        np.testing.assert_array_equal(y, 3 * x, layout)

# It must be an array of the right type and shape, and writable; otherwise nothing is changed.
x = np.arange(3.0)
where = "scale(): argument 'y':"
raises(
    TypeError,
    f"{where} wanted an array of float64, which can be written to, got list",
    m.scale,
    2,
    x,
    y=[0.0, 0.0, 0.0],
)
raises(
    TypeError,
    f"{where} wanted an array of exactly float64, got an array of float32 and shape (3,)",
    m.scale,
    2,
    x,
    y=np.zeros(3, np.float32),
)
raises(ValueError, f"{where} dimension 0 is 2, but must be 3", m.scale, 2, x, y=np.zeros(2))
raises(ValueError, f"{where} dimension 0 is 4, but must be 3", m.scale, 2, x, y=np.zeros(4))
raises(
    ValueError,
    f"{where} wanted a 1-D array, got an array of float64 and shape (3, 1)",
    m.scale,
    2,
    x,
    y=np.zeros((3, 1)),
)
fixed = readonly(np.zeros(3))
raises(ValueError, f"{where} the array is read-only", m.scale, 2, x, y=fixed)
same(fixed, np.zeros(3))
raises(
    TypeError,
    "scale(k, x, *, y=None) takes 2 positional arguments, got 3",
    m.scale,
    2,
    x,
    np.zeros(3),
)

x, y = np.arange(3.0), np.arange(2.0)
wanted = np.outer(x, y)
for layout, c in layouts(np.zeros((3, 2))):
    for f in (None, np.zeros((3, 2)), np.zeros((2, 3)).T):
        got_c, got_f = m.outer(x, y, c=c, f=f)
        assert got_c is c and (f is None or got_f is f)
        np.testing.assert_array_equal(c, wanted, layout)
        np.testing.assert_array_equal(got_f, wanted, layout)
assert m.outer(x, y)[1].flags.f_contiguous
raises(
    ValueError,
    "outer(): argument 'f': dimension 0 is 2, but must be 3",
    m.outer,
    x,
    y,
    f=np.zeros((2, 3)),
)
