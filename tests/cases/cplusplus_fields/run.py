import gc

import cplusplus_fields as m
import numpy as np
from support import raises, same

p, q = m.Point(1, 2), m.Point(3, 4)
total = p + q
assert (total.x, total.y) == (4, 6) and p == m.Point(1, 2) and p != q and not (p == 3)
assert (-p).x == -1 and (p * 2).y == 4 and (2 * p).y == 4 and p(10) == 21
assert bool(p) and not m.Point(0, 0)
same_p = p
p += q
assert p is same_p and (p.x, p.y) == (4, 6)
p.x = 7
assert p.x == 7
raises(TypeError, "unhashable type: 'cplusplus_fields.Point'", hash, p)
raises(TypeError, "unsupported operand type(s) for +: ...", lambda: p + 1)

s = m.Shape("square")
assert s.name == "square" and s.unit == "mm" and s.note is None and s.parent is None
s.name = "circle" * 20
s.note = "seen"
assert s.name == "circle" * 20 and s.note == "seen"
s.note = None
assert s.note is None
s.weights = [1, 2.5]
same(s.weights, [1.0, 2.5])
assert list(s) == [1, 2.5] and s[1] == 2.5
raises(IndexError, "...", s.weight, 2)
same(s.cells, np.array([3, 4], np.int32))
s.cells = [5, 6]
same(s.cells, np.array([5, 6], np.int32))
raises(ValueError, "...", setattr, s, "cells", [5, 6, 7])
assert s.color == m.Color.red
s.color = m.Color.green
assert s.color == m.Color.green
raises(AttributeError, "...", setattr, s, "unit", "m")
raises(ValueError, "...", setattr, s, "name", "a\0b")

# An object within the object belongs to it.
center = s.center
center.x = 3
assert s.center.x == 3
del s
gc.collect()
assert center.x == 3
center += p
assert center.x == 10

# An operator that returns a reference also sets items.
s = m.Shape("square")
s.weights = [1, 2.5]
s[1] = 3
s.weight(0, 0.5)
same(s.weights, [0.5, 3.0])
raises(IndexError, "...", s.__setitem__, 2, 1)
raises(TypeError, "...", s.__setitem__, 0, "x")
raises(TypeError, "items cannot be deleted", s.__delitem__, 0)
table = m.Table()
table["long" * 20] = "text" * 20
assert table["long" * 20] == "text" * 20 and table["other"] == "" and table.size() == 2
raises(ValueError, "a key is empty", table.__setitem__, "", "x")
assert table[1].y == 4
raises(TypeError, "...", table.__setitem__, 1, m.Point(0, 0))
points = m.Points(2)
points[1] = p
points[0].y = 8
assert points[1].x == p.x and points[1] is not p and points[0].y == 8
p.x = 70
assert points[1].x == 7

# An array leaves its operators to the class.
p = m.Point(2, 3)
assert np.array([1.0, 10.0]) * p == 32 and np.float64(2) * p == m.Point(4, 6)
raises(IndexError, "...", lambda: np.ones(1) * p)
raises(TypeError, "...", lambda: np.ones(2) - p)
raises(TypeError, "...", lambda: p + np.ones(2))
