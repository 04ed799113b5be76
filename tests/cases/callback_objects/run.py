import gc
import sys

import callback_objects as c
from callback_objects import Box, List, Node, Part, Point, Thing
from support import raises


def fail(*_):
    raise ZeroDivisionError("no")


def closed(one):
    one.close()
    return one


RESULT = "argument '{}' returned 'result': {}"

# C takes objects over, which are consumed as an `own` argument is.
kept = []


def make(k):
    kept.append(Thing(k + 0.5))
    return kept[-1]


assert c.sum_taken(4, make) == 8 and c.live() == 0
raises(ValueError, "Thing.value(): argument 't': this Thing was consumed...", kept[0].value)
assert c.sum_taken(3, lambda k: Thing(k)) == 3 and c.live() == 0
kept.clear()


def taken(why):
    return f"sum_taken(): {RESULT.format('make', why)}"


raises(ZeroDivisionError, "no", c.sum_taken, 3, lambda k: Thing(k) if k < 1 else fail())
raises(TypeError, taken("wanted a Thing, got None"), c.sum_taken, 2, lambda k: None)
raises(TypeError, taken("wanted a Thing, got int"), c.sum_taken, 2, lambda k: 5)
raises(ValueError, taken("this Thing is closed"), c.sum_taken, 2, lambda k: closed(Thing(1)))
one = Thing(3)
raises(ValueError, taken("this Thing was consumed..."), c.sum_taken, 2, lambda k: one)
assert c.live() == 0
part = Part(Thing(4))
whole = Thing(5)
of_whole = Part(whole)
raises(
    RuntimeError,
    taken("another object refers to this Thing, which C takes over"),
    c.sum_taken,
    1,
    lambda k: whole,
)
of_whole = None
assert c.sum_taken(1, lambda k: whole) == 5
things = List(3)
raises(
    ValueError,
    taken("C cannot take over this Thing, which the caller does not own"),
    c.sum_taken,
    1,
    lambda k: things.at(1),
)
busy = Thing(6)
raises(
    RuntimeError,
    "taken_of(): " + RESULT.format("f", "this Thing, which C takes over, is also used elsewhere"),
    c.taken_of,
    busy,
    lambda a: busy,
)
raises(
    ValueError,
    "taken_of(): "
    + RESULT.format("f", "C cannot take over this Thing, which the caller does not own"),
    c.taken_of,
    busy,
    lambda a: a,
)
assert c.taken_of(busy, lambda a: Thing(a.value() + 1)) == 7 and busy.value() == 6
busy = part = whole = one = things = None
assert c.live() == 0

# The object is the last result that is read; arrays of C end before it is taken over.
assert c.joined(lambda k, x: (2 - k, Thing(k + x[0]))) == 1.5 * 100 + 2.5 * 10 + 3.5
assert c.joined(lambda k, x: (0, None)) == 0
views = []


def view(k, x):
    views.append(x)
    kept.append(Thing(1))
    return 0, kept[-1]


if sys.implementation.name == "cpython":
    raises(RuntimeError, "...callback argument 'x' outlived the callback...", c.joined, view)
    assert kept[-1].value() == 1
raises(TypeError, "...", c.joined, lambda k, x: ("one", kept[-1] if kept else None))
raises(
    ValueError,
    "...must return a tuple of 2 values (more, result), returned 3",
    c.joined,
    lambda k, x: (1, 2, 3),
)
kept.clear()
views.clear()
assert c.live() == 0

# The error return value is an object that C creates.
assert c.fallback(lambda: Thing(2)) == 2
raises(ZeroDivisionError, "no", c.fallback, fail)
assert c.live() == 0

# C uses objects until the call returns, each of which is retained once.
assert c.sum_used(5, lambda k: Thing(k)) == 10 and c.live() == 0
assert c.sum_used(5) == -1
assert c.sum_used(1000, lambda k: Thing(1)) == 1000 and c.live() == 0
same = Thing(2)
before = sys.getrefcount(same)
assert c.sum_used(1000, lambda k: same) == 2000
assert sys.getrefcount(same) == before and same.value() == 2


def used(why):
    return f"sum_used(): {RESULT.format('pick', why)}"


raises(TypeError, used("wanted a Thing, got None"), c.sum_used, 2, lambda k: None)
raises(
    TypeError,
    used("wanted a Thing, got callback_objects.Part"),
    c.sum_used,
    2,
    lambda k: Part(same),
)
raises(ValueError, used("this Thing is closed"), c.sum_used, 2, lambda k: closed(Thing(1)))
raises(ZeroDivisionError, "no", c.sum_used, 3, lambda k: same if k < 2 else fail())
assert sys.getrefcount(same) == before

# It may be closed in the meantime, and is released after the call; C cannot take it over then.
alone = [Thing(1), Thing(2)]


def close_before(k):
    if k > 0:
        alone[k - 1].close()
        assert c.live() == 3
    return alone[k]


assert c.sum_used(2, close_before) == 3 and c.live() == 2
raises(
    RuntimeError,
    taken("this Thing, which C takes over, is also used elsewhere"),
    c.sum_used,
    2,
    lambda k: same if k < 1 else c.sum_taken(1, lambda j: same),
)
alone.clear()

# Parts refer to things, and callbacks call functions with callbacks.
parts = [Part(Thing(k)) for k in range(3)]
assert c.sum_parts(3, lambda k: parts[k]) == 3
assert c.sum_parts(3, lambda k: Part(Thing(k))) == 3
assert c.sum_used(3, lambda k: Thing(c.sum_used(3, lambda j: Thing(j * k)))) == 9
assert c.sum_of(3, lambda k: Thing(k)) == 3
raises(ZeroDivisionError, "no", c.sum_of, 3, fail)
assert c.first(lambda: Thing(4)) == 4 and c.first(lambda: None) == -1
raises(TypeError, "first(): ...wanted a Thing, got list", c.first, lambda: [])
parts = None
assert c.live() == 1

# An object that C has passed may be returned, as long as it exists.
a, b = Thing(1), Thing(2)
assert c.choose(a, b, lambda a, both: a) == 1 and c.choose(a, b, lambda a, both: both[1]) == 2
assert c.choose(a, b, lambda a, both: Thing(3)) == 3
raises(ZeroDivisionError, "no", c.choose, a, b, fail)
assert c.choose(a, b, lambda x, both: kept.append(x) or b) == 2
raises(ValueError, "choose(): ...this Thing is closed", c.choose, a, b, lambda x, both: kept[0])
kept.clear()

# Objects that the library owns, that the module stores, and that are integers.
assert c.factor(lambda: c.kilo()) == 1000
raises(TypeError, "factor(): ...wanted a Unit, got callback_objects.Thing", c.factor, lambda: a)
assert c.length(4, lambda k: Point(k)) == 6
raises(TypeError, "length(): ...wanted a Point, got None", c.length, 4, lambda k: None)
nodes = [Node(1), Node(2)]
assert c.sum_nodes(2, lambda k: Node(10 * k), lambda k: nodes[k]) == 13
assert c.sum_nodes(2, lambda k: Node(10), lambda k: None) == 20
raises(ZeroDivisionError, "no", c.sum_nodes, 2, fail, lambda k: nodes[0])
raises(
    TypeError,
    "sum_nodes(): ...wanted a Node, got None",
    c.sum_nodes,
    2,
    lambda k: None,
    lambda k: None,
)
raises(
    ValueError,
    "sum_nodes(): ...this Node was consumed...",
    c.sum_nodes,
    2,
    lambda k: nodes[1],
    lambda k: None,
)
nodes = None
assert c.live() == 3

# Threads of C.
assert c.on_threads(8, lambda k: Thing(k)) == 28 and c.on_threads(8, lambda k: same) == 16
assert c.taken_on_threads(8, lambda k: Thing(k)) == 28
raises(ZeroDivisionError, "no", c.on_threads, 4, fail)
raises(ZeroDivisionError, "no", c.taken_on_threads, 4, fail)
assert sys.getrefcount(same) == before and c.live() == 3
a = b = None

# A callback that outlives its call retains the objects.
box = Box()
assert box.next() == -1 and box.value() == 0
rest = [Thing(1), Thing(2), Thing(3)]
box.set(lambda: rest.pop(0) if rest else None)
assert [box.next() for _ in range(4)] == [1, 2, 3, -1]
gc.collect()
assert box.value() == 6 and c.live() == 4
box.set(lambda: same)
assert c.live() == 1
for _ in range(100):
    assert box.next() == 2
assert box.value() == 200
assert before < sys.getrefcount(same) <= before + 3
assert box.on_threads(8) == 216
box.set()
assert sys.getrefcount(same) == before
box.set(lambda: None)
assert box.next() == -1
box.set(fail)
raises(ZeroDivisionError, "no", box.next)
box.set(lambda: 5)
raises(TypeError, "Box.set(): " + RESULT.format("source", "wanted a Thing, got int"), box.next)
box.set(lambda: Thing(7))
assert box.next() == 7 and box.value() == 7
box.close()
assert c.released() == 7 and c.live() == 1

# A closed object exists until the box is released, which still uses it.
box = Box()
alone = Thing(8)
box.set(lambda: alone)
assert box.next() == 8
alone.close()
raises(ValueError, "Box.set(): ...this Thing is closed", box.next)
assert box.value() == 8 and c.live() == 2
raises(ValueError, taken("this Thing is closed"), c.sum_taken, 1, lambda k: alone)
box = None
gc.collect()
assert c.released() == 15 and c.live() == 1
box = Box()
box.set(lambda: same)
box.next()
raises(
    RuntimeError,
    taken("another object refers to this Thing, which C takes over"),
    c.sum_taken,
    1,
    lambda k: same,
)
box.add(lambda: Thing(1))
raises(TypeError, "Box.add(): ...", box.add, lambda: None)
box = None
gc.collect()
assert c.live() == 1

# The constructor calls it, before the object exists that retains it.
box = Box(lambda: Thing(3), 4)
assert c.live() == 5 and box.value() == 12
assert box.next() == 3 and box.value() == 15 and c.live() == 6
box.close()
assert c.live() == 1
box = Box(lambda: same, calls=10)
raises(
    RuntimeError,
    taken("another object refers to this Thing, which C takes over"),
    c.sum_taken,
    1,
    lambda k: same,
)
assert box.value() == 20 and before < sys.getrefcount(same) <= before + 3
box = None
gc.collect()
assert sys.getrefcount(same) == before
raises(RuntimeError, "Box(): box_new returned NULL", Box, lambda: Thing(1), 3, True)
raises(ZeroDivisionError, "no", Box, fail)
calls = []
raises(
    ZeroDivisionError,
    "no",
    Box,
    lambda: calls.append(1) or Thing(1) if len(calls) < 2 else fail(),
    5,
)
assert sys.getrefcount(same) == before and c.live() == 1


# A cycle of Python objects through an object that is retained. No function refers to it: with
# several threads, a free-threaded Python 3.13 never frees functions.
class Owner:
    def give(self):
        return self.thing


owner = Owner()
owner.box = Box(owner.give, 0)
owner.thing = Thing(9)
assert owner.box.next() == 9 and c.live() == 2
owner = None
gc.collect()
assert c.live() == 1

# An object that belongs to the one which retains the callback needs not be retained.
things = List(3)
things.pick(lambda: things.at(2))
assert [things.picked() for _ in range(3)] == [2, 2, 2]
outer = Thing(1)
things.pick(lambda: outer)
assert things.picked() == 1
things.pick(lambda: things.at(1))
things.close()
things = None
gc.collect()
assert c.live() == 2
outer = None

# The module retains it.
c.watch(lambda: Thing(1))
assert [c.poke() for _ in range(3)] == [1, 2, 3] and c.live() == 4
c.watch(lambda: same)
assert c.live() == 1 and [c.poke() for _ in range(3)] == [2, 4, 6]
assert before < sys.getrefcount(same) <= before + 3
raises(
    RuntimeError,
    taken("this Thing, which C takes over, is also used elsewhere"),
    c.sum_taken,
    1,
    lambda k: same,
)
c.unwatch()
assert sys.getrefcount(same) == before
assert c.sum_taken(1, lambda k: same) == 2 and c.live() == 0
