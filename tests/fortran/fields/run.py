import fields as m
import numpy as np

x = np.array([1.0, 4.0, -2.0, 3.0])
assert m.differences(x, 3).tolist() == [3, -6, 5]
assert m.differences(x[::2], 1).tolist() == [-3]

found, places = m.above(x, 2.0)
assert found.tolist() == [4, 3] and places.tolist() == [2, 4]
assert m.above(x)[0].tolist() == [1, 4, 3]
# No elements, and arrays that are not allocated.
assert [one.shape for one in m.above(x, 9.0)] == [(0,), (0,)]
assert [one.shape for one in m.above(x, -2.0)] == [(0,), (0,)]

z = m.outer([1, 2, 3], [10, 20])
assert z.shape == (3, 2) and np.array_equal(z, np.outer([1, 2, 3], [10, 20]))
kept = z[1:]
del z
assert kept.tolist() == [[20, 40], [30, 60]]

grown, sum_of_x = m.grow([1 + 1j, 2], 1)
assert grown.tolist() == [1 + 1j, 2, 1 + 1j, 2, 4 + 1j] and sum_of_x == 4 + 1j

assert m.total([[1, 2], [3, 6]], False) == 12 and m.total(np.ones((2, 3)).T, True) == 1
assert m.is_sorted([1, 2, 2], [1.0]) and not m.is_sorted([2, 1], [1.0])
assert not m.is_sorted([1, 2], [1.0, 0.0])

assert m.title("row", 12) == "row 12 " and m.title("", 0) == " 0 "
assert m.label(2) == ("no", "abab") and m.label(0) == ("no", None)

flipped = np.array([1.0, 2.0, 3.0])
m.flip(flipped)
assert flipped.tolist() == [3, 2, 1]
assert m.longest([[1, 5, 2], [1, 0, 2]]) == 2

# Procedures, and allocatable numbers.
squares = np.array([1.0, 2.0, 3.0])
m.mapped(lambda t: t * t, squares)
assert squares.tolist() == [1, 4, 9]
assert m.settle(4.0, 2) == (2.0, 3) and m.half(3.0) == 1.5
try:
    m.settle(-1.0, 2)
except RuntimeError as error:
    assert "an allocatable number is not allocated" in str(error)
else:
    raise AssertionError("a number that Fortran did not allocate was returned")
try:
    m.mapped(lambda t: 1 / 0, squares)
except ZeroDivisionError:
    pass
else:
    raise AssertionError("the exception of a callback was lost")

for call in (lambda: m.flip([1.0, 2.0]), lambda: m.outer([[1]], [2]), lambda: m.above("a")):
    try:
        call()
    except (TypeError, ValueError) as error:
        assert "argument" in str(error)
    else:
        raise AssertionError("a wrong argument was accepted")
