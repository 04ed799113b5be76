import gc
import weakref

import cplusplus_virtual as m
from support import raises

# A function for each method, without a class.
shape = m.Shape(2, area=lambda: 5.0)
assert shape.area() == 5 and m.total([shape, m.Square(3)]) == 14 and shape.scaled(2, 3) == 12
raises(RuntimeError, "virt::Shape::area is pure virtual, and not overridden", m.Shape().area)
raises(RuntimeError, "virt::Shape::area is pure virtual, and not overridden", m.total, [m.Shape()])
raises(TypeError, "Shape(): argument 'area': wanted a function, got int", lambda: m.Shape(area=3))
seen = []
shape = m.Shape(
    1,
    scaled=lambda by, times: by + times,
    mode=lambda mode: m.Mode.fancy,
    moved=seen.append,
    accepts=lambda name, x: name == "abc" and x.tolist() == [1, 2],
    turn=lambda z: z * 1j,
    grow=lambda x: x + 10,
    compare=lambda other: int(other.size),
)
assert m.call_scaled(shape, 2.5, 2) == 4.5 and m.call_mode(shape, m.Mode.plain) is m.Mode.fancy
assert m.call_accepts(shape, "abc", [1, 2]) and not m.call_accepts(shape, "ab", [1, 2])
assert m.call_turn(shape, 1 + 2j) == -2 + 1j and m.call_grow(shape, 1.0) == 11
assert m.call_compare(shape, m.Square(7)) == 7
m.call_moved(shape, 1, 2)
assert (seen[0].x, seen[0].y) == (1, 2) and shape.at.x == 0


class Mine(m.Shape):
    def __init__(self, size, name="n"):
        super().__init__(size)
        self.name = name

    def area(self):
        return self.size * 10

    def scaled(self, by, times):
        return super().scaled(by, times) + 1

    def accepts(self, name, x):
        return name == self.name


class Half(m.Square):
    def area(self):
        return super().area() / 2

    def mode(self, mode):
        return super().mode(m.Mode.fancy)


mine, half = Mine(2, "abc"), Half(3)
assert mine.area() == 20 and m.total([mine]) == 20 and isinstance(mine, m.Shape)
assert mine.scaled(2, 3) == m.call_scaled(mine, 2, 3) == 13
assert m.call_accepts(mine, "abc", []) and not m.call_accepts(mine, "x", [])
assert m.call_mode(mine, m.Mode.fancy) is m.Mode.fancy
assert half.area() == m.total([half]) == 4.5 and m.Square.area(half) == m.Shape.area(half) == 9
assert m.call_mode(half, m.Mode.plain) is m.Mode.fancy
assert type(m.Square(1)) is m.Square and m.in_thread(m.Shape(area=lambda: 8)) == 8

# Errors of an override, and of its result.


class Failing(m.Shape):
    def area(self):
        raise LookupError("no area")


class Wrong(m.Shape):
    def area(self):
        return "x"


raises(LookupError, "no area", m.total, [Failing(), Failing()])
raises(
    TypeError,
    "Shape(): argument 'area' returned 'result': wanted a real number (float64), got str",
    m.total,
    [Wrong()],
)

# Objects that are not, or not yet, objects of C++.


class Late(m.Shape):
    def __init__(self):
        pass


late = Late()
message = "total(): argument 'shapes[0]': this Shape is not initialised: call super().__init__()"
raises(ValueError, message, m.total, [late])
m.Shape.__init__(late, 3, area=lambda: 1.0)
assert late.size == 3 and m.total([late]) == 1
raises(RuntimeError, "this cplusplus_virtual.Shape is initialised already", m.Shape.__init__, late)
raises(ValueError, "the size is negative", Half, -1)
raises(TypeError, "Square(): argument 'size': wanted a real number (float64), got str", Half, "x")
raises(ValueError, "...", m.Shape.__new__(m.Shape).area)
raises(TypeError, "...", type, "Two", (m.Square, m.Scene), {})
raises(TypeError, "...", type, "Two", (Mine, Half), {})
broken = Half.__new__(Half)
raises(ValueError, "the size is negative", broken.__init__, -1)
raises(ValueError, "Shape.area(): argument 'self': this Shape is closed", m.Shape.area, broken)


# Lifetimes: C++ may have the object as long as the interface says, and no cycle keeps it.
class Slotted(Mine):
    __slots__ = ("more",)


one = Slotted(4)
one.more = 2
assert m.total([one]) == 40
weak, before = weakref.ref(one), m.count()
del one
assert weak() is None and m.count() == before - 1
scene = m.Scene()
scene.add(Mine(1))
gc.collect()
assert scene.area() == 10
cyclic = Mine(1)
cyclic.me = cyclic
before = m.count()
del cyclic
gc.collect()
assert m.count() == before - 1
refusal = (
    "consume(): argument 'shape': C cannot take over this Shape, which refers to other objects"
)
raises(ValueError, refusal, m.consume, mine)
Empty = type("Empty", (m.Square,), {})
assert m.consume(m.Square(4)) == 16 and m.consume(Empty(2)) == 4
mine.close()
raises(ValueError, "total(): argument 'shapes[0]': this Shape is closed", m.total, [mine])
