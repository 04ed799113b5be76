"""Pointers to rows: of arrays of any stride between rows, without a copy; results; refusals."""

import numpy as np
import rows as m
from support import raises, same

a = np.arange(12.0).reshape(3, 4)

# Input: in place, also where the rows are not next to each other.
assert m.sum(a) == 66 and m.sum(a[:, :0]) == 0 and m.sum(a[:0]) == 0 and m.sum(a[::2]) == 44
assert m.sum(a.T) == 66 and m.sum(a[::-1]) == 66 and m.sum([[1, 2], [3, 4]]) == 10
assert m.sum(a.astype(">f8")) == 66 and m.sum(a.astype(np.float32)) == 66
large = np.arange(600.0).reshape(100, 6)
assert m.sum(large) == large.sum() and m.sum(large[::3, 1:4]) == large[::3, 1:4].sum()
assert m.distance(a) == 4 and m.distance(a[:, 1:3]) == 4 and m.distance(large[::3]) == 18
assert m.distance(a[:, ::2]) == 2  # a copy
assert m.distance(a.T) == 3 and m.distance() == m.distance(None) == -1
assert m.distance(a[:0]) == 0 and m.distance(a[:, :0]) == 0
image = np.zeros((40, 30), np.float32)
assert m.address(image) == image.ctypes.data
assert m.address(image[5:, 7:]) == image[5:, 7:].ctypes.data
assert m.planes(np.arange(24, dtype=np.uint8).reshape(2, 3, 4)) == 66 + 2 * 210
assert m.planes(np.arange(240, dtype=np.uint8).reshape(10, 4, 6)[::5]) == 276 + 2 * (276 + 24 * 120)
# Between planes, but not between the rows of a plane.
assert m.planes(np.arange(24, dtype=np.uint8).reshape(2, 3, 4)[:, ::2]) == 44 + 2 * (140)

# Changed in place, or in a copy.
b = a.copy()
m.scale(b, 2)
same(b, 2 * a)
m.scale(b[:, ::2], 0.5)
same(b[:, ::2], a[:, ::2])
m.scale_exactly(b[::2, 1:], 0)
assert b[0, 1] == 0 and b[2, 3] == 0 and b[1, 1] == 10
same(m.scaled(a, 3), 3 * a)
same(m.scaled(a.T, 3), 3 * a.T)
same(a, np.arange(12.0).reshape(3, 4))
raises(ValueError, "scale_exactly()...", m.scale_exactly, b[:, ::2], 1)
raises(TypeError, "scale()...", m.scale, [[1.0]], 1)

# Results.
same(m.fill(3, 2), np.array([[0, 0], [1, 1], [2, 2]], np.int32))
same(m.fill(0, 2), np.zeros((0, 2), np.int32))
same(m.fill(100, 3), np.repeat(np.arange(100, dtype=np.int32), 3).reshape(100, 3))
buffer = np.zeros((8, 6), np.int32)
m.fill(4, 3, rows=buffer[::2, :3])
same(buffer[::2, :3], np.repeat(np.arange(4, dtype=np.int32), 3).reshape(4, 3))
assert not buffer[1::2].any() and not buffer[:, 3:].any()
same(m.half(4, 2), np.array([[0.0, 0], [1, 1]]))
raises(ValueError, "fill()...", m.fill, 3, 2, rows=buffer)
raises(MemoryError, "fill()...", m.fill, 2**60, 0)

# Defaults, macros, scratch memory, fields of structs, overloads.
assert (
    m.weighted(a) == 66 and m.weighted(a, a) == (a * a).sum() and m.weighted(large) == large.sum()
)
raises(ValueError, "weighted()...", m.weighted, a, a[:2])
assert m.corner(a[1:, 1:3]) == 5
assert m.scratch(3, 2, 1.5) == 3.5 and m.scratch(50, 2, 1.5) == 50.5
channels = np.ones((2, 5), np.float32)
assert m.amplify(channels) == 2 and (channels == 2).all()
assert m.amplify(channels[:, 1:3], gain=3) == 2 and channels.sum() == 2 * (6 + 12)
m.check(a)
raises(RuntimeError, "check()...7", m.check, -1 - large)
assert m.choose(a) == 66 and m.choose(image) == image.ctypes.data

raises(ValueError, "sum()...wanted a 2-D array...", m.sum, a[0])
raises(TypeError, "sum()...", m.sum, "rows")
raises(TypeError, "sum()...", m.sum, None)
