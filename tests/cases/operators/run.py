import math

import numpy as np
import operators as m
from support import raises

a, b = m.Vec(1, 2), m.Vec(3, 5)


def pair(v):
    return (v[0], v[1])


# Operands of the class and others; the object on either side.
assert pair(a + b) == (4, 7) and pair(a + 1) == (2, 3) and pair(a.plus(b)) == (4, 7)
assert pair(b - a) == (2, 3) and pair(-a) == (-1, -2)
assert pair(a * 2) == (2, 4) and pair(2 * a) == (2, 4) and a * b == 13 and pair(a**2) == (1, 4)
raises(TypeError, "unsupported operand type(s) for +: 'operators.Vec' and 'str'", lambda: a + "x")
raises(TypeError, "unsupported operand type(s) for -: 'int' and 'operators.Vec'", lambda: 1 - a)
raises(TypeError, "unsupported operand type(s) for ** or pow(): ...", lambda: pow(a, 2, 3))
raises(TypeError, "...+...", lambda: +a)


class Other:
    def __radd__(self, other):
        return ("radd", other)

    def __lt__(self, other):
        return "reflected"

    def __gt__(self, other):
        return "greater"


other = Other()
assert (a + other)[0] == "radd"

# In place: the object itself.
same = a
a += b
assert a is same and pair(a) == (4, 7) and a.calls == 1
a *= 2
assert a is same and pair(a) == (8, 14) and a.calls == 2
a -= b  # there is no such operator: a new object
assert a is not same and pair(a) == (5, 9)
raises(
    TypeError,
    "unsupported operand type(s) for +=: 'operators.Vec' and 'str'",
    exec,
    "a += 'x'",
    {"a": a},
)

# Comparisons are bools, also if C returns numbers.
assert (m.Vec(1, 2) == m.Vec(1, 2)) is True and (m.Vec(1, 2) == b) is False
assert (m.Vec(1, 2) != m.Vec(1, 2)) is False and (m.Vec(1, 2) != b) is True
assert (m.Vec(math.nan, 0) == b) is True  # C has returned 2
assert (a == 3) is False and (a != "x") is True and (a == None) is False  # noqa: E711
assert (m.Vec(1, 2) < b) is True and (b > m.Vec(1, 2)) is True and (b < m.Vec(1, 2)) is False
assert (a < other) == "greater"
raises(TypeError, "'<=' not supported between instances of ...", lambda: a <= b)
assert m.equals(a, a) == 1 and sorted([b, m.Vec(1, 0)])[0][1] == 0

# Items, and iteration up to the length.
v = m.Vec(3, 4)
v[1] = 5
assert v[1] == 5 and len(v) == 2 and list(v) == [3, 5] and 5.0 in v and 4 not in v
raises(IndexError, "Vec.item(): vec_get returned status 1", lambda: v[2])
raises(IndexError, "...", v.__setitem__, 2, 1.0)
raises(TypeError, "...", lambda: v["x"])
raises(TypeError, "items cannot be deleted", v.__delitem__, 0)
raises(TypeError, "...", lambda: "x" in v)

# Conversions.
v = m.Vec(3, 4)
assert abs(v) == 5 and float(v) == 5.0 and int(v) == 5 and isinstance(int(v), int)
assert str(v) == "(3, 4)" and repr(v).startswith("<operators.Vec at ")
assert bool(v) is True and not m.Vec(0, 0)
assert hash(v) == 2 and hash(m.Vec(0, 0)) == -2 and {v: 1}[v] == 1

# Calls, with keywords.
assert v(2) == 10 and v(2, 1) == 11 and v(t=2, from_=1) == 11
raises(TypeError, "...", v)
raises(TypeError, "...", v, 1, 2, 3)

# Properties.
assert v.length == 5
v.length = 10
assert pair(v) == (6, 8) and m.Vec.length.__doc__ == "The length, which keeps the direction."
raises(RuntimeError, "...", setattr, v, "length", -1.0)
raises(
    TypeError,
    "Vec.length(): argument 'length': wanted a real number ...",
    setattr,
    v,
    "length",
    "x",
)
raises(AttributeError, "the attribute cannot be deleted", delattr, v, "length")
raises(AttributeError, "...", setattr, v, "calls", 3)
raises(AttributeError, "...", setattr, v, "other", 3)
raises(TypeError, "...", m.Vec.length.__get__, 3)

# A class with an order only keeps its hash.
low, high = m.Card(1), m.Card(9)
assert low < high and not high < low and len({low, high, low}) == 2 and low != high and low == low
assert [card.rank for card in high] == [9, 4, 2, 1]
assert [card.rank for card in low.halves()] == [1]
halves = high.halves()
assert iter(halves) is halves and next(halves).rank == 9 and halves.following().rank == 4
assert list(halves)[-1].rank == 1 and next(halves, None) is None

# Closed objects.
v.close()
for use in (
    lambda: v + b, lambda: b + v, lambda: len(v), lambda: bool(v), lambda: v == b, lambda: hash(v),
    lambda: v[0], lambda: str(v), lambda: v.length, lambda: v(1), lambda: 2 * v, lambda: list(v),
):  # fmt: skip
    raises(ValueError, "...: this Vec is closed", use)
assert repr(v) == "<closed operators.Vec>"
assert isinstance(np.float64(2) * b, m.Vec)
