import numpy as np
import twenty_arguments as m
from support import raises, same

FIRST = list(range(1, 14))
WEIGHT = sum(n * n for n in FIRST)
names = "abcdefghijklm"
x, y = np.array([1.0, 2.0]), np.array([3.0, 4.0], np.float32)

w = np.zeros(2)
z, weight = m.weigh(*FIRST, x, y, w)
same(z, x + y)
same(w, [1.0, 1.0])
assert weight == WEIGHT
z, weight = m.weigh(*FIRST, x, y, w, 2, 10)
same(z, 2 * x + y + 10)
buffer = np.zeros(2)
z, weight = m.weigh(w=w, y=y, x=x, scale=3, shift=None, z=buffer, **dict(zip(names, FIRST)))
assert z is buffer and weight == WEIGHT
same(z, 3 * x + y)
raises(
    TypeError,
    "weigh(a, b, c, d, e, f, g, h, i, j, k, l, m, x, y, w, scale=1.0, shift=None, *, "
    "z=None) takes 16 to 18 positional arguments, got 19",
    m.weigh,
    *FIRST,
    x,
    y,
    w,
    1,
    1,
    1,
)
raises(TypeError, "weigh(...) needs argument 'y'", m.weigh, *FIRST, x, w=w)

ones = [1] * 18
assert m.either(*ones) == 35 and m.either(*ones, 2.0) == -2035
assert m.either(*ones[:-1], r=2) == 53
