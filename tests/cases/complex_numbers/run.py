import inspect
import math

import complex_numbers as m
import numpy as np
from support import layouts, raises, same

z = 1.5 - 2j
assert m.conjugate(z) == z.conjugate() and type(m.conjugate(z)) is complex
assert m.conjugate(np.complex64(z)) == z.conjugate()
# Which overload it was: only one of them keeps this value.
fine = 0.1 + 0.2j
assert m.conjugate(fine) == fine.conjugate() != m.conjugate(np.complex64(fine))
assert m.conjugate(2) == 2 and m.conjugate(2.5) == 2.5 and m.conjugate(np.float32(2.5)) == 2.5
assert math.isnan(m.conjugate(complex("nan+1j")).real)

assert m.behind(z) == z * 1j and m.behind(2) == 2j and m.behind(np.float32(2)) == 2j


class Number:
    def __complex__(self):
        return z


assert m.behind(Number()) == z * 1j
raises(
    TypeError,
    "behind(): argument 'z': wanted a complex number (complex128), got str",
    m.behind,
    "1j",
)

values = np.array([1 + 2j, -3.5j, 7])
for layout, x in layouts(values):
    same(m.turn_all(x), values * 1j)
for dtype in ("complex64", "float32", "float64", "int64", "uint8", "bool"):
    x = values.real.astype(dtype)
    same(m.turn_all(x), x.astype(complex) * 1j)
same(m.turn_all([1, 2.5, 3j]), np.array([1j, 2.5j, -3]))

for layout, x in layouts(values.astype(np.complex64)):
    m.turn_small(x)
    np.testing.assert_array_equal(x, values * 1j, layout)
raises(
    TypeError,
    "turn_small(): argument 'z': wanted an array of exactly complex64, got an array of "
    "complex128 and shape (3,)",
    m.turn_small,
    values,
)

assert m.with_default() == 2.5
assert str(inspect.signature(m.with_default)) == "(z=2.5)"
