import copy
import gc
import math
import pickle

import numpy as np
import structs as s


def refused(error, text, call, *args, **kwargs):
    try:
        call(*args, **kwargs)
    except error as raised:
        assert text in str(raised), str(raised)
    else:
        raise AssertionError("it was taken")


Point, Box = s.Point, s.Box
p = Point(1, y=2.5, tag=3, m=[1, 2, 3])
assert (p.x, p.y, p.tag, p.m.tolist()) == (1.0, 2.5, 3, [1.0, 2.0, 3.0]) and type(p.tag) is int
assert repr(p) == "Point(x=1.0, y=2.5, tag=3, m=[1.0, 2.0, 3.0])"
assert p == Point(1, 2.5, 3, (1, 2, 3)) and p != Point(1, 2.5, 3) and p != 1
assert Point() == Point(0, 0, 0, [0, 0, 0]) and "A point in the plane." in Point.__doc__
refused(TypeError, "unhashable", hash, p)

# Attributes are checked as arguments are.
p.tag = -4
refused(OverflowError, "Point(): argument 'tag'", setattr, p, "tag", 2**31)
refused(TypeError, "argument 'tag'", setattr, p, "tag", 1.5)
refused(TypeError, "argument 'x'", Point, "one")
refused(ValueError, "dimension 0 of shape (2,) is 2, but must be 3", Point, m=[1, 2])
refused(TypeError, "takes 4 values at most, got 5", Point, 1, 2, 3, [1, 2, 3], 5)
refused(TypeError, "'x' twice", Point, 1, x=1)
refused(TypeError, "Point() has no field 'z'; it has x, y, tag, m", Point, x=1, z=1)
refused(TypeError, "cannot be deleted", delattr, p, "x")
refused(AttributeError, "", setattr, p, "hidden", 1)
assert p.tag == -4

# An array within is a view, which keeps its struct alive.
view = Point(m=[4, 5, 6]).m
gc.collect()
assert view.tolist() == [4, 5, 6] and view.base is not None
p.m[1] = 20
assert p.m.tolist() == [1, 20, 3]
p.m = p.m[::-1]
assert p.m.tolist() == [3, 20, 1]
refused(TypeError, "argument 'm'", setattr, p, "m", 1j)

q = p.copy()
q.x = 9
assert p.x == 1 and copy.copy(q) == q == copy.deepcopy(q) == pickle.loads(pickle.dumps(q))

assert s.add(Point(1, 2, 3), Point(10, 20, 30)) == Point(11, 22, 33, [0, 0, 1])
assert s.add(Point(1, 2)).tag == 7 and s.add(a=Point(), b=None).m[2] == 1
assert s.norm(Point(3, 4)) == 5
r = Point(1)
assert s.move(r, 2) is None and r.x == 3
assert s.push(r, 2) is None and r.x == 5
assert s.moved(r, 1).x == 6 and r.x == 5
assert math.isclose(s.polar(2, math.pi / 2).y, 2)
assert s.maybe() == s.maybe(None) == -1 and s.maybe(Point(4)) == 4
refused(TypeError, "norm(): argument 'p': wanted a Point, got", s.norm, 1)
refused(TypeError, "norm(): argument 'p'", s.norm, None)
refused(TypeError, "wanted a Point, got structs.Box", s.norm, Box())

# An element of an array is one too, if C does not change it.
assert Point.dtype.itemsize == s.POINT_SIZE and Point.dtype.names == ("x", "y", "tag", "m")
x = np.zeros(2, Point.dtype)
x[1] = (3, 4, 5, [6, 7, 8])
assert s.norm(x[1]) == 5
refused(TypeError, "wanted a Point", s.move, x[1], 1)
refused(TypeError, "wanted a Point", s.norm, np.zeros(1, [("x", "f8")])[0])

# Structs within structs are views, too.
b = s.box(Point(1, 1), Point(4, 3))
assert s.area(b) == 6 and b.flags == 255 and b.z == 1 + 2j and b.full is True
assert b.grid.tolist() == [[1, 2, 3], [4, 5, 6]] and b.grid.dtype == np.int16
b.high.x = 7
assert b.high.x == 7 and s.area(b) == 12
low = b.low
b.low = Point(-1, -1)
del b
gc.collect()
assert low.x == -1
assert Box.dtype.itemsize == s.BOX_SIZE and Box.dtype["low"] == Point.dtype
box = Box(low=Point(1), grid=np.ones((2, 3), np.int8), full=True)
assert pickle.loads(pickle.dumps(box)) == box and "low=Point(x=1.0" in repr(box)
refused(OverflowError, "argument 'flags'", Box, flags=256)
refused(TypeError, "wanted a Point, got", Box, low=[1, 2])

# So is a tuple of values, as in lists of structs.
assert s.norm((3, 4)) == 5 and s.norm(()) == 0 and s.add((1, 2, 3), b=(1,)).x == 2
assert s.area(((1, 1), (4, 3))) == 6 and Box(low=(1, 2)).low == Point(1, 2)
box.high = (1, 2, 3, [4, 5, 6])
assert box.high == Point(1, 2, 3, [4, 5, 6])
refused(TypeError, "wanted a Point, got tuple", s.move, (1, 2), 1)
refused(
    TypeError,
    "norm(): argument 'p': wanted 4 values of a Point at most, got a tuple of 5",
    s.norm,
    (1, 2, 3, 4, 5),
)
refused(TypeError, "norm(): argument 'p.y': wanted", s.norm, (1, "2"))
refused(TypeError, "area(): argument 'b.high.tag': wanted", s.area, ((), (1, 2, 2.5)))

# And a dict of values by field.
assert s.norm({"y": 4, "x": 3}) == 5 and s.norm({}) == 0 and s.size({"x": 3, "y": 4}) == 5
assert s.area({"low": (1, 1), "high": {"x": 4, "y": 3}}) == 6
refused(TypeError, "norm(): argument 'p': a Point has no field 'z'; it has x, y", s.norm, {"z": 1})
refused(TypeError, "norm(): argument 'p': a Point has no field '?'", s.norm, {1: 1})
refused(OverflowError, "area(): argument 'b.low.tag'", s.area, {"low": {"tag": 2**31}})


class Broken:
    def __float__(self):
        raise KeyError("mine")


refused(KeyError, "mine", s.norm, {"x": Broken()})
assert s.size((3, 4)) == 5 and s.shift((1,), [1, 2]).tolist() == [2, 3]

assert s.size(Point(3, 4)) == 5 and s.size(s.box(Point(), Point(2, 2))) == 4 and s.size(-3) == 3
refused(TypeError, "size(p: Point)", s.size, "x")
assert s.shift(Point(1), np.arange(3.0)).tolist() == [1, 2, 3] and s.shift(Point(1), 1.0) == 2
assert "Point, from structs.Point" in s.explain.norm(Point()), s.explain.norm(Point())
