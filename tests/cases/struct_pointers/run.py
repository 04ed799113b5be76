import struct_pointers as m
from struct_pointers import Point
from support import raises

assert m.create(1, 2) == Point(1, 2, 1) and m.alive() == 0
raises(RuntimeError, "create(): the result: C returned NULL", m.create, -1, 2)
assert m.perhaps(-1, 2) is None and m.perhaps(3, 4) == Point(3, 4, 1)
left, right = m.split(1)
assert (left.x, right.x) == (0, 2) and m.alive() == 0
assert m.split(0.5)[0] is None
raises(RuntimeError, "split(): sp_split returned status 1", m.split, 100)
raises(RuntimeError, "split(): argument 'right': C returned NULL", m.split, -2)
assert m.alive() == 0

# A copy, which C's own memory does not change.
one = m.known(1)
one.tag = 5
assert m.known(1).tag == 11
raises(KeyError, "'known(): no such point'", m.known, 2)
