"""Rows of different lengths: without a copy if possible; changes; refusals."""

import jagged as m
import numpy as np
from support import raises, same

rows = [np.array([1.0, 2, 3]), np.array([4.0]), np.array([])]
assert m.sum(rows) == 6 + 8 and m.sum(tuple(rows)) == 14 and m.sum([]) == 0
assert m.sum([[1, 2], (3,), range(2)]) == 3 + 6 + 3
assert m.sum([np.arange(4, dtype=np.int32)[::-2], np.arange(2, dtype=">f8")]) == 4 + 2
assert m.sum(np.arange(6.0).reshape(2, 3)) == 3 + 2 * 12  # the rows of a matrix
assert m.sum([rows[0]] * 100) == 6 * 5050

x = [np.zeros(3, np.float32), np.zeros(40, np.float32)]
assert m.is_at(1, x[1].ctypes.data, rows=x) == 1 and m.is_at(0, x[0].ctypes.data, x) == 1
assert m.is_at(1, x[1][5:].ctypes.data, [x[0], x[1][5:20]]) == 1
assert m.is_at(1, x[1].ctypes.data, [x[0], x[1][::2]]) == 0  # a copy
assert m.is_at(0, 0) == 0 and m.is_at(0, 0, None) == 0

a, b = np.arange(3.0), np.arange(80.0)
m.scale([a, b[::2], b[1::2]], 2)
same(a, [0.0, 2, 4])
same(b, 2 * np.arange(80.0))
m.scale_exactly([a, b[3:7]], 0.5)
same(a, np.arange(3.0))
same(b[2:8], [4.0, 3, 4, 5, 6, 14])
m.scale(b.reshape(2, 40), 0)
assert not b.any()

small = [np.zeros(127, np.int8), []]
assert m.longest(small) == 127 and m.longest([[]]) == m.longest([]) == 0 and m.longest() == -1
assert m.dot([[1, 2], [3]], [[4], [5, 6]]) == 4 + 15
raises(ValueError, "dot()...argument 'y'...", m.dot, [[1, 2], [3]], [[4]])
same(m.solve([1, 10], [[1, 2], [3]]), [3.0, 30])
raises(RuntimeError, "solve()...5", m.solve, [1, 2, 3], [[1], [2], [3]])
raises(ValueError, "solve()...", m.solve, [1, 2], [[1]])

where = "sum(): argument 'rows"
raises(TypeError, f"{where}': wanted a sequence of arrays, got float", m.sum, 3.0)
raises(TypeError, f"{where}': wanted a sequence of arrays, got str", m.sum, "abc")
raises(TypeError, f"{where}': wanted a sequence of arrays, got None", m.sum, None)
raises(TypeError, f"{where}[1]': ...", m.sum, [rows[0], "abc"])
raises(ValueError, f"{where}[1]': wanted a 1-D array...", m.sum, [rows[0], np.zeros((2, 2))])
raises(TypeError, f"{where}[0]': wanted an array of float64, got numpy.float64", m.sum, rows[0])
raises(TypeError, f"{where}[200]': ...", m.sum, [rows[0]] * 200 + [np.array([1j])])
raises(TypeError, "scale(): argument 'rows[1]': ...", m.scale, [a, [1.0]], 2)
raises(TypeError, "scale(): argument 'rows[0]': ...", m.scale, [a.astype(np.float32)], 2)
raises(ValueError, "scale_exactly(): argument 'rows[1]': ...", m.scale_exactly, [a, b[::2]], 2)
raises(
    OverflowError,
    "longest(): argument 'rows[1]': ...lengths...",
    m.longest,
    [[1], np.zeros(128, np.int8)],
)
a.flags.writeable = False
raises(ValueError, "scale(): argument 'rows[1]': the array is read-only", m.scale, [b, a], 2)
assert not b.any()
assert "rows   pointers to its items, from list\n" in m.explain.sum([[1.0], rows[0]])


class Failing(list):
    def __iter__(self):
        yield rows[0]
        raise ZeroDivisionError("in the middle")


raises(ZeroDivisionError, "in the middle", m.sum, Failing([1]))
