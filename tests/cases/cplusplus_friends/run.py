import cplusplus_friends as m
from support import raises

a, b = m.Vec(1, 2), m.Vec(3, 5)
c = a + b
assert (c.x, c.y) == (4, 7) and a + b == m.Vec(4, 7) and not a + b == a
assert (b - a) == m.Vec(2, 3) and -a == m.Vec(-1, -2) and 2.0 * a == m.Vec(2, 4)
assert a < b and not b < a and m.dot(a, b) == 13 and float(m.Vec(3, 4)) == 5
raises(
    TypeError, "unsupported operand type(s) for +: 'cplusplus_friends.Vec' and 'int'", lambda: a + 1
)

part = a.part(1)
assert (part.axis, part.value, part.squared()) == (1, 2, 4) and m.Part().value == 0
a.set(m.Part(0, 9))
assert a.values().tolist() == [9, 2]
raises(IndexError, "a Vec has two axes", m.Part, 2, 1.0)

vec = m.Vec(1, 1)
assert m.move(2) == 2 and m.move(2, vec) == 3 and vec.x == 3 and m.move(1) == 3

assert m.joined("a", "b.txt") == "a/b.txt" and m.File("a/é.txt").path() == "a/é.txt"
assert m.File("a/b.txt").stem() == "b"
raises(ValueError, "the name is absolute", m.joined, "a", "/b")
raises(TypeError, "File(): argument 'path': wanted a text (str), got int", m.File, 1)

assert m.refine(lambda x, step: ([*x, x[-1] + step], step / 2), [1]).tolist() == [
    1,
    2,
    0.5,
    1,
    0.25,
]
assert m.edit("ab", lambda made, text, v: (made + text + str(v.y), True)) == "abab2.0"
assert m.edit("ab", lambda made, text, v: ("x", False)) == "refused x"


def fail(x, step):
    raise LookupError("no step")


raises(LookupError, "no step", m.refine, fail, [1])
raises(TypeError, "...", m.refine, lambda x, step: ("x", 1), [1])
raises(TypeError, "...", m.refine, lambda x, step: None, [1])
