import complex_structs as m
import numpy as np
from support import layouts, raises, same

z = 1.5 - 2j
# Values, results and defaults: another value of the type, or a number.
assert m.turn(z, 2j) == z * 2j and type(m.turn(z, 2j)) is complex
assert m.turned(z) == z * 1j
assert m.turn(np.complex64(z), np.complex64(2j)) == z * 2j
fine = 0.1 + 0.2j
assert m.turned(fine) == fine * 1j != m.turn(np.complex64(fine), np.complex64(1j))
assert m.swap(z) == complex(-2, 1.5) and m.square() == 9 and m.square(2j) == -4
raises(
    TypeError, "swap(): argument 'p': wanted a complex number (complex128), got str", m.swap, "1j"
)
assert m.mean([1, 3j, 2]) == (3 + 3j) / 3

# Pointers to numbers.
assert m.split(z) == (1.5, -2j) and m.split() == (2.5, 0)
total = np.array(z)
m.add_to(total)
m.add_to(total, 1j)
assert total == z + 1 + 1j
assert m.sum([1, 2j]) == m.sum([1, 2j], None) == 1 + 2j and m.sum([1, 2j], z) == 1 + 2j + z
assert m.sums([1, 2j]) == 11 + 2j

# Arrays: of every layout, converted, in place, allocated and of the other precision.
values = np.array([1 + 2j, -3.5j, 7])
for layout, x in layouts(values):
    assert m.sum(x) == values.sum(), layout
    same(m.scaled(x, 1j), values * 1j)
    same(m.outer(x, [1, 1j]), np.outer(values, [1, 1j]))
assert m.outer(values, values).flags.f_contiguous
for dtype in ("complex64", "float32", "int64", "bool"):
    x = values.real.astype(dtype)
    assert m.sum(x) == x.astype(complex).sum(), dtype
for dtype in ("complex128", "complex64"):
    x = values.astype(dtype)
    m.scale(x, np.array(2j, dtype)[()])
    same(x, (values * 2j).astype(dtype))
same(m.gather([1, 2j]), [6, 5 + 2j])
same(m.powers(2j, 4), [1, 2j, -4, -8j])

# Batches, with values that every item has of its own, and defaults.
rows = np.arange(6).reshape(2, 3) * (1 - 1j)
same(m.sums(rows), rows.sum(axis=1) + 10)
same(m.sums(rows, start=[1, 2j]), rows.sum(axis=1) + [1, 2j])
same(m.sums(rows, start=np.ma.array([1, 2j], mask=[0, 1])), rows.sum(axis=1) + [1, 10])
same(m.means(rows), rows.mean(axis=1))
same(m.turn(values, [[2], [1j]]), values * [[2], [1j]])
same(m.turned(values), values * 1j)
same(m.turn(np.complex64([1, 2j]), np.complex64(2j)), np.complex64([2j, -4]))
same(m.gather(rows), rows + 5)
real, imaginary = m.split(values)
same(real, values.real.astype(complex))
same(imaginary, values.imag * 1j)
raises(TypeError, "sum(): argument 'z': wanted ...", m.sum, ["x"])

# Fields of structs.
both = m.both_of(z, 0.5j)
assert both.z == z and both.small.tolist() == [0.5j, -0 + 0.5j]
both.z = 2
assert both.z == 2

# Callbacks.
assert m.twice(z, lambda z: z * 1j) == -z
assert m.sum_of(2, lambda n, last: (np.arange(n) + 1j, last + 7)) == 1 + 2j + 7


def fails(z):
    raise KeyError(z)


raises(KeyError, "(1.5-2j)", m.twice, z, fails)
raises(KeyError, "(1.5-2j)", m.twice_or_turning, z, fails)
raises(KeyError, "...", m.sum_of, 2, lambda n, last: fails(last))
