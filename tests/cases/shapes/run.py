import numpy as np
import shapes as m
from support import raises, same


def c_div(a, b):
    return int(a / b)


for n in range(-6, 12):
    wanted = {
        "sum": n + 1,
        "arithmetic": 2 * n - int(np.fmod(c_div(n, 2), 3)) + 1,
        "ternary": max(n, 3),
        "least": min(n, 4),
        "most": max(n, 4),
        "bits": (n << 1 | 1) & ~8 if n >= 0 else None,
        "product": n**3,
    }
    for name, total in wanted.items():
        if total is None:
            continue
        if total < 0:
            raises(
                ValueError,
                f"{name}(): argument 'y': dimension 0 is negative ({total})",
                getattr(m, name),
                n,
            )
        else:
            made = getattr(m, name)(n)
            assert made.shape == (total,), (name, n, made.shape)
            if name != "product":
                same(made, np.arange(total) * 1.0)

same(m.constant(), np.arange(3.0))
same(m.like([5, 6]), np.arange(2.0))

c = m.halves(np.zeros((2, 4)), np.zeros(2))
same(c, np.arange(16.0).reshape(8, 2))
assert m.halves(np.zeros((0, 4)), np.zeros(2)).shape == (0, 2)
raises(
    ValueError,
    "halves(): argument 'a': dimension 1 of shape (2, 4) is 4, but 2*len(b) is 6",
    m.halves,
    np.zeros((2, 4)),
    np.zeros(3),
)
raises(
    ValueError,
    "halves(): argument 'a': dimension 1 of shape (2, 5) is 5, but 2*len(b) is 4",
    m.halves,
    np.zeros((2, 5)),
    np.zeros(2),
)

assert m.exactly([7, 8, 9]) == 7
raises(
    ValueError,
    "exactly(): argument 'x': dimension 0 of shape (2,) is 2, but must be 3",
    m.exactly,
    [7, 8],
)

# No array determines n, so it must be passed, and the array must fit it.
assert m.triangle(2, [1, 1, 1]) == 6 and m.triangle(0, []) == 0
raises(
    ValueError,
    "triangle(): argument 'x': dimension 0 of shape (2,) is 2, but n*(n + 1)/2 is 3",
    m.triangle,
    2,
    [1, 1],
)
raises(
    ValueError,
    "triangle(): argument 'x': dimension 0 (n*(n + 1)/2) overflowed, divided by zero or was read beyond an array",
    m.triangle,
    2**62,
    [1, 1],
)

raises(
    ValueError,
    "product(): argument 'y': dimension 0 overflowed, divided by zero or was read beyond an array",
    m.product,
    2**62,
)
raises(
    ValueError,
    "product(): argument 'y': dimension 0 overflowed, divided by zero or was read beyond an array",
    m.product,
    2**21,
)
assert m.divided(4).shape == (3,)
raises(ValueError, "divided(): argument 'y': dimension 0 is negative (-12)", m.divided, -1)

# Sizes that exceed all memory: an exception, whichever way they are too large.
raises(ValueError, "product(): argument 'y': ...", m.product, 2**20)
raises(MemoryError, "...", m.unsigned, 2**58)
raises(ValueError, "unsigned(): argument 'y': ...", m.unsigned, 2**62)
raises(
    ValueError,
    "unsigned(): argument 'y': dimension 0 overflowed, divided by zero or was read beyond an array",
    m.unsigned,
    2**63,
)
