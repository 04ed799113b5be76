import sys

import cplusplus_handles as m
from support import raises

counter = m.Counter(3)
assert counter.add(4) == 7 and m.add(counter, 1) == 8 and m.live() == 1
for _ in range(100):
    raises(ValueError, "a counter starts at 0 or above", m.Counter, -1)
    raises(IndexError, "by nothing", counter.add, 0)
assert m.live() == 1
counter.close()
assert m.live() == 0

# An exception of a destructor cannot be raised where the object is dropped; it goes to sys.unraisablehook.
lost = []
sys.unraisablehook = lambda unraisable: lost.append(repr(unraisable.exc_value))
unlucky = m.Counter(13)
unlucky.close()
unlucky = m.Counter(13)
del unlucky
assert m.live() == 0 and lost == ["RuntimeError('unlucky')"] * 2, lost
