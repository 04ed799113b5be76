"""Everything that a call uses, and that C may use after it, stays alive for as long."""

import array
import ctypes
import gc
import mmap
from functools import partial

import lifetimes as m
import numpy as np
from support import raises

# An object stays alive until the call that uses it is over, whatever closes it.
w = m.Walk(5)


def close(*walks):
    for walk in walks:
        walk.close()
    return 1.0


assert w.run(0.5, 3, lambda x: close(w)) == 8
assert w.closed and m.counts() == (0, 0)
raises(ValueError, "Walk.at(): argument 'w': this Walk is closed", w.at)
a, b = m.Walk(1), m.Walk(2)
assert m.meet(a, 10, b=b, f=lambda: close(a, b)) == 12
assert a.closed and b.closed and m.counts() == (0, 0)
w = m.Walk(3)
assert m.meet(w, 1, b=w, f=lambda: close(w)) == 6 and m.counts() == (0, 0)
# Each of many objects refers to the one before it: their release is not limited by the stack.
w = m.Walk(0)
for _ in range(200_000):
    w = w.next()
assert w.at() == 200_000 and m.counts() == (200_001, 0)
first = w
for _ in range(100):
    w = w.next()
w.close()
del w
assert m.counts() == (200_001, 0) and first.at() == 200_000
del first
assert m.counts() == (0, 0)
w = m.Walk(4)
path = w.path(3, lambda x: close(w) + 1)
assert w.closed and m.counts()[0] == 1
assert path.tolist() == [2, 4, 6, 0, 0, 0, 0, 0]
del path
assert m.counts() == (0, 0)
w = m.Walk(4)
path, at = w.after(lambda: close(w))
assert at == 4 and path.shape == (4,) and m.counts() == (0, 0)


# The exporter of memory cannot move it while C may use it.
def refuses(resize):
    try:
        resize()
    except BufferError:
        return True
    return False


SIZE = 1 << 16
ba = bytearray(b"A" * SIZE)
box = m.Box(ba)
assert refuses(lambda: ba.extend(b"B" * SIZE)) and refuses(ba.clear)
assert box.at(SIZE - 1) == ord("A")
ba[5] = ord("C")
assert box.at(5) == ord("C")
box.close()
ba.extend(b"B")

ints = array.array("B", bytes(SIZE))
box = m.Box(ints)
assert refuses(lambda: ints.extend(bytes(SIZE)))
assert box.at(SIZE - 1) == 0
del box
ints.append(1)

doubles = array.array("d", [1, 2, 3])
box = m.Box(doubles)
assert refuses(lambda: doubles.extend([0] * SIZE)) and box.number(2) == 3
del box
doubles.append(4)

for make in [m.writable, m.borrowed, m.inplace]:
    doubles = array.array("d", [1, 2, 3])
    box = make(doubles)
    assert refuses(partial(doubles.extend, [0] * SIZE))
    box.write(1, 7)
    assert doubles[1] == 7
    box.close()
    doubles.append(4)

mapped = mmap.mmap(-1, SIZE)
box = m.Box(mapped)
assert refuses(mapped.close)
mapped[1] = 9
assert box.at(1) == 9
del box
mapped.close()

view = memoryview(bytearray(b"xyz"))
box = m.Box(view)
view.release()
assert box.at(2) == ord("z")

box = m.Box((ctypes.c_ubyte * SIZE)(*b"abc"))
gc.collect()
assert box.at(1) == ord("b")
box = m.Box((ctypes.c_double * 3)(1, 2, 3))
gc.collect()
assert box.number(2) == 3

# A view of it retains it, too.
ba = bytearray(b"0123")
view = m.view(ba)
assert refuses(ba.clear) and bytes(view) == b"123"
part = view[1:]
del view
assert refuses(ba.clear)
del part
ba.clear()

# A copy that was made for C is its object's: of a list, of another dtype or layout.
for values in [
    [1, 2, 3],
    np.array([1, 2, 3]),
    np.array([1.0, 0, 2, 0, 3, 0])[::2],
    np.array([1.0, 2, 3], ">f8"),
    (1, 2, 3),
]:
    box = m.Box(values)
    del values
    junk = [np.zeros(3) for _ in range(10)]
    assert (box.number(0), box.number(2)) == (1, 3)
box = m.Box(list(range(2000)))
assert box.number(1999) == 1999
x = np.zeros(6)
box = m.inplace(x[::2])
box.write(1, 7)
assert box.number(1) == 7
x = np.zeros(3)
box = m.writable(x)
box.write(1, 5)
assert x[1] == 5
try:
    x.resize(10)
except ValueError:
    pass
else:
    raise AssertionError("NumPy resizes an array with references")
del box
gc.collect()
assert m.counts() == (0, 0)
