"""Calls the module that was converted from rows.pyf.src and rows.f90."""

import math

import numpy as np
import rows


def message(error, function, *arguments, **keywords):
    try:
        function(*arguments, **keywords)
    except error as raised:
        return str(raised)
    raise AssertionError("no exception")


x = np.arange(6.0)
assert rows.dscale(2.0, x, incx=2, offx=1).tolist() == [0, 2, 2, 6, 4, 5]
assert rows.sscale(3.0, x[:2].astype("float32")).dtype == np.float32
assert x.tolist() == [0, 1, 2, 3, 4, 5]  # a copy was changed
assert "incx>0||incx<0 is required" in message(ValueError, rows.dscale, 2.0, x, 1, incx=0)
assert "divided by zero" in message(OverflowError, rows.dscale, 2.0, x, incx=0)
assert "offx>=0 && offx<len(x)" in message(ValueError, rows.dscale, 2.0, x, offx=6)
assert "(n-1)*abs(incx)" in message(ValueError, rows.dscale, 2.0, x, n=7)

piv, first = rows.reverse(3, 0)
assert (piv.tolist(), first) == ([2, 1, 0], 3)
assert "n>=1" in message(ValueError, rows.reverse, 0, 0)
assert "n<100" in message(ValueError, rows.reverse, 100, 0)

assert rows.ddot1([1.0, 2.0]) == 3.0
assert rows.ddot1([1.0, 2.0], [3.0, 4.0]) == 11.0
message(ValueError, rows.ddot1, [1.0, 2.0], [1.0])

a = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
b, trace = rows.gram(a)
assert np.array_equal(b, a.T @ a) and trace == 91.0 and b.flags.f_contiguous
assert "lwork>=MAX(n,1)" in message(ValueError, rows.gram, a, lwork=1)

z = np.zeros((2, 2), complex, order="F")
assert rows.fill("RE", z) is None
assert z.tolist() == [[1, 1], [0, 2]]
rows.fill("IM", z, uplo="L")
assert z.tolist() == [[1 + 1j, 1], [2 + 1j, 2 + 2j]]
assert "*uplo=='U'||*uplo=='L'" in message(ValueError, rows.fill, "RE", z, "X")
assert "slen(kind) == 2" in message(ValueError, rows.fill, "R", z)

assert rows.spell("Abc").tolist() == [65, 98, 99]

y, t = rows.euler(lambda t, y: -y, [1.0, 2.0], 0.0, 0.1)
assert math.isclose(y[1], 2 * 0.9**10) and math.isclose(t, 1.0)
assert "division" in message(ZeroDivisionError, rows.euler, lambda t, y: 1 / 0, [1.0], 0.0, 0.1)

assert rows.weigh(lambda x: x * x, [1.0, 2.0, 3.0]) == 14.0
assert rows.scratch([1.0, 2.0]) == 6.0 and rows.scratch(x) == 30.0
assert x.tolist() == [0, 1, 2, 3, 4, 5]
assert rows.flags(9) == 3 and rows.flags(9, yes=False) == 2
