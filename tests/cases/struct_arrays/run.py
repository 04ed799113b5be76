import numpy as np
import struct_arrays as s


def refused(error, text, call, *args, **kwargs):
    try:
        call(*args, **kwargs)
    except error as raised:
        assert text in str(raised), str(raised)
    else:
        raise AssertionError("it was taken")


Point = s.Point
x = np.zeros(4, Point.dtype)
x["x"] = [1, 2, 3, 4]
x["tag"] = 2
x["m"][:, 1] = 0.5
assert s.total(x) == 22 and s.total(x[::2]) == 9 and s.total(x[:0]) == 0
# Lists of objects, of tuples of their values, and of elements.
assert s.total([Point(1, 2), (3, 4), x[0]]) == 2 + 12 + 2.5 and s.total([]) == 0
refused(TypeError, "argument 'x': wanted an array of Point.dtype, got", s.total, np.zeros(3))
refused(
    TypeError,
    "wanted an array of Point.dtype",
    s.total,
    np.zeros(3, [("x", "f8"), ("tag", "i4"), ("m", "f4", 2)]),
)
assert s.total([{"x": 1, "tag": 2}, Point(3, 4), (1,), {}]) == 2 + 12
refused(TypeError, "total(): argument 'x[0]': wanted a Point, got int", s.total, [1])
refused(TypeError, "total(): argument 'x[1].tag': ", s.total, [(), (1, 1.5)])
refused(OverflowError, "total(): argument 'x[2].tag': ", s.total, [(), {}, {"tag": 2**31}])
refused(
    TypeError, "argument 'x[0]': a Point has no field 'y'; it has x, tag, m", s.total, [{"y": 1}]
)
refused(ValueError, "argument 'x[1].m': ", s.total, [(), {"m": [1, 2, 3]}])
refused(ValueError, "argument 'x'", s.total, x.reshape(2, 2))

y = s.line(3, 2.0)
assert y.dtype == Point.dtype and y["x"].tolist() == [0, 2, 4]
assert y["tag"].tolist() == [2, 2, 2] and y["m"].tolist() == [[3, 4]] * 3
buffer = np.zeros(6, Point.dtype)
assert s.line(3, 1.0, y=buffer[::2]) is not None and buffer["x"].tolist() == [0, 0, 1, 0, 2, 0]
assert buffer["tag"].tolist() == [2, 0, 2, 0, 2, 0]
refused(ValueError, "dimension 0", s.line, 3, 1.0, y=buffer)

s.move(x, 1)
assert x["x"].tolist() == [2, 3, 4, 5]
s.move(x[::-2], 1)
assert x["x"].tolist() == [2, 4, 4, 6]
s.push(x[1:3], 1)
assert x["x"].tolist() == [2, 5, 5, 6]
refused(ValueError, "C-contiguous", s.push, x[::2], 1)
refused(TypeError, "wanted an array", s.move, [Point()], 1)
assert s.moved(x, 10)["x"].tolist() == [12, 15, 15, 16] and x["x"][0] == 2
assert s.moved([Point(1)], 1)["x"].tolist() == [2]
x.setflags(write=False)
refused(ValueError, "read-only", s.move, x, 1)
assert s.total(x) > 0
assert s.corner(x.reshape(2, 2)) == 6 + 10 * 5

pair = s.Pair([Point(1), Point(2)])
s.swap(pair)
assert pair.of["x"].tolist() == [2, 1]
pair.of = [(5,), (6,)]
assert pair.of[1]["x"] == 6 and s.Pair.dtype["of"].shape == (2,)
refused(ValueError, "dimension 0", s.Pair, [Point()])

assert s.sum(x) == s.total(x) and s.sum([Point(2, 3)]) == 6 and s.sum([4.0]) == 4
assert "x      used in place" in s.explain.total(x), s.explain.total(x)

# Pointers to rows, of one array and of several.
grid = np.zeros((20, 3), Point.dtype)
grid["x"], grid["tag"] = np.arange(60).reshape(20, 3), 1
assert s.total_rows(grid) == 1770 == s.total_rows(grid.T) and s.total_rows(grid[::2]) == 840
y = np.zeros(6, Point.dtype)
s.move_rows([y[:1], y[2::2], y[:0]], 1)
assert y["x"].tolist() == [1, 0, 1, 0, 1, 0]
s.push_rows([y[:2], y[4:]], 1)
assert y["x"].tolist() == [2, 1, 1, 0, 2, 1]
s.try_rows([[Point(1)], y[::2]], 1)
assert y["x"].tolist() == [2, 1, 1, 0, 2, 1]  # C had copies
refused(ValueError, "'rows[1]': the array must be C-contiguous", s.push_rows, [y[:1], y[::2]], 1)
refused(TypeError, "'rows[1][0]'", s.try_rows, [[Point(1)], [3]], 1)
refused(TypeError, "wanted a sequence of arrays", s.try_rows, Point(1), 1)

# Enums in arrays from outside are checked before C sees them; memory that C only writes is not.
lamps = np.zeros(3, s.Lamp.dtype)
lamps["color"] = [1, 2, 1]
assert s.reds(lamps) == 2 == s.reds(lamps[::-1]) and s.reds([(1, 0.5), s.Lamp(2)]) == 1
lamps["color"][2] = 9
bad = "field 'color' of a Lamp is 9, not a member of Color (RED, GREEN)"
for call in (s.reds, s.paint, s.painted, s.repaint):
    refused(ValueError, bad, call, lamps)
refused(ValueError, bad, s.reds, lamps[::-1])
refused(ValueError, "9 is not a member of Color", s.reds, [(9, 1.0)])
assert s.lamps(3, x=lamps) is lamps and lamps["color"].tolist() == [2, 2, 2]
s.paint(lamps[::2])
assert s.painted(lamps)["color"].tolist() == [2, 2, 2]
