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
