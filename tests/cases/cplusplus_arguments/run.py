import gc

import cplusplus_arguments as m
from support import raises

a, b, square = m.Shape(1), m.Shape(2), m.Square(4)

# Copies of objects, also of a derived class.
assert m.total({"a": a, "b": b, "c": square, "d": a}) == 8
assert m.total({}) == 0
assert m.total_of([[a], [], (b, square)]) == 7
assert m.size_of_pair((square, 2)) == 8
assert m.alive() == 3

# Pointers: C++ changes the objects of the caller.
m.grow({"a": a, "c": square}, 1)
assert (a.size, b.size, square.size) == (2, 2, 5)
raises(IndexError, "negative", m.grow, {"a": a}, -1)
assert a.size == 1

# A reference: the container after the call.
rows = m.grow_all([[a, b]], 10)
assert [[one.size for one in row] for row in rows] == [[11, 12], [10]] and a.size == 1
del rows

# Variants: numbers, objects, members of enums.
assert (m.size_of(2.5), m.size_of(square), m.size_of(m.Color.green)) == (2.5, 5, -7)
raises(
    TypeError,
    "size_of(): argument 'value': wanted a float, a Shape, a Color, got str",
    m.size_of,
    "x",
)

# Pointers that count references; None is an empty one.
nodes = [m.Node(k) for k in range(3)]
assert m.sum([("a", nodes[1]), ("b", nodes[2]), ("", None)]) == 103
assert m.kept({1: nodes[0]}) == 3 and m.kept({}) == 0

assert m.replace(nodes[0]) is None and m.replace(None).id == 9

# Enums: members and integers, also as keys.
assert m.counts([m.Color.red, m.Color.blue, 0]) == {m.Color.red: 2, m.Color.blue: 1}
assert all(type(key) is m.Color for key in m.counts([0, 7]))
assert m.named({m.Color.red: "r", 7: "g"}, m.Color.green) == (m.Color.green, "g")
assert m.named({}, m.Color.red) is None
assert m.palette(2) == [[m.Color.blue, 9]] * 2 and type(m.palette(1)[0][0]) is m.Color

assert m.flip([m.Color.red, m.Color.green]) == [m.Color.blue, m.Color.red]
colors, points = m.line(2)
assert colors == [m.Color.green] * 2 and [one.color for one in points] == [m.Color.blue] * 2
assert [one.x for one in m.corners()] == [0, 1]

# Structs: objects, tuples and dicts of their values.
point = m.Point(1, m.Color.green)
rows = m.shifted([[point, (2, 0)], [], [{"x": 3}]], 1)
assert [[one.x for one in row] for row in rows] == [[2, 3], [], [4]] and point.x == 1
assert rows[0][0].color is m.Color.green and type(rows[0][1]) is m.Point
place = m.place_of({"a": point, "b": (2, 7)}, "b")
assert (place.x, place.color) == (2, m.Color.green)
assert m.place_of({}, 2.5) == 2.5 and m.place_of({}, "a") is None
raises(
    ValueError,
    "shifted(): argument 'rows[0][1].color': 3 is not a member of Color (red, green, blue)",
    m.shifted,
    [[point, (2, 3)]],
    1,
)
raises(TypeError, "shifted(): argument 'rows[0][0]': ...wanted a Point...", m.shifted, [["x"]], 1)

# Refusals name the place.
raises(
    TypeError,
    "total(): argument 'shapes.values()[1]': wanted a Shape, got int",
    m.total,
    {"a": a, "b": 1},
)
raises(
    TypeError,
    "total_of(): argument 'rows[0][1]': wanted a Shape, got None",
    m.total_of,
    [[a, None]],
)
raises(
    TypeError,
    "total_of(): argument 'rows[0][0]': wanted a Shape, got cplusplus_arguments.Node",
    m.total_of,
    [[nodes[0]]],
)
raises(
    ValueError,
    "counts(): argument 'colors[1]': 3 is not a member of Color (red, green, blue)",
    m.counts,
    [0, 3],
)
closed = m.Shape(1)
closed.close()
raises(
    ValueError, "total_of(): argument 'rows[0][1]': this Shape is closed", m.total_of, [[a, closed]]
)
assert m.total({"a": a}) == 1  # no use or lock of it is left

# A callback closes an object, which exists until the call has returned.
one, two = m.Shape(1), m.Shape(2)
seen = []


def close(size):
    seen.append(size)
    two.close()


alive = m.alive()
m.each({"a": one, "b": two}, close)
assert seen == [1, 2] and m.alive() == alive - 1
raises(ZeroDivisionError, "...", m.each, {"a": one}, lambda size: 1 / 0)
one.close()

# Pointers that are returned: the objects belong to that of the method.
group = m.Group()
group.add(a)
group.make(3).size = 4
first, second = group.all()
assert (first.size, second.size) == (1, 4)
second.size = 5
(large,) = group.large(2)
group = None
gc.collect()
assert second.size == large.size == 5
first = second = large = None
gc.collect()

# Objects that the caller owns.
alive = m.alive()
made = m.made(3)
assert [one.size for one in made] == [0, 1, 2] and m.alive() == alive + 3
made = None
assert m.alive() == alive and m.made(0) == []
a = b = square = None
gc.collect()
assert m.alive() == 0

# Values of a struct, where another alternative is possible.
pin = m.Pin()
pin.at = {"x": 2}
assert pin.at.x == 2
pin.at = (3,)
assert pin.at.x == 3
assert m.kind_of({"x": 1}) == m.kind_of(m.Point(1)) == "point" and m.kind_of([1]) == "list"
