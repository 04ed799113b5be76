from types import SimpleNamespace

import numpy as np
import odd_bools as m
from support import raises, same

BYTES = np.array([1, 2, 0, 255, 128, 0], np.uint8)
NOT_COPIED = "argument 'x': the array has bytes other than 0 and 1, and may not be copied"


def truths(shape=(6,)):
    return np.resize(BYTES, shape).view(bool)


# Read: a copy, if it is needed.
for x in (truths(), truths((12,))[::2], truths()[::-1], memoryview(truths()), truths((6, 1))[:, 0]):
    assert m.odd(x) == 0
    assert m.each_row(x) == 0
x = truths((2, 6))
for y in (x, x.T, x[::-1, ::2]):
    assert m.odd_rows(y) == 0
assert "copied" in m.explain.odd(truths()) and "used in place" in m.explain.odd(truths() & True)
same(m.each(truths()), np.zeros(6, int))
same(m.each(np.broadcast_to(truths((2, 1)), (2, 3))), np.zeros((2, 3), int))
same(m.each_row(truths((4, 3))), np.zeros(4, int))
same(m.each_row(truths((4, 3)).T), np.zeros(3, int))
same(m.each_row(np.broadcast_to(truths(), (2**3, 6))), np.zeros(8, int))
same(m.odd_list(SimpleNamespace(values=truths(), offsets=[0, 2, 6])), np.zeros(2, int))
assert m.odd(np.ones((2**20, 0), bool)[0]) == 0
assert m.each(np.array(2, np.uint8).view(bool)) == 0

# Written: a copy, and the result is 0 or 1.
x = truths()
assert m.odd_inplace(x) == 0
same(x.view(np.uint8), np.uint8([0, 1, 0, 1, 1, 0]))
x = truths((12,))
assert m.odd_inplace(x[::2]) == 0
same(x.view(np.uint8), np.uint8([0, 2, 0, 255, 1, 0, 1, 2, 0, 255, 1, 0]))
x = truths()
count, y = m.odd_copy(x)[::-1]
assert count == 0 and (x.view(np.uint8) == BYTES).all()
same(y.view(np.uint8), np.uint8([0, 1, 0, 1, 1, 0]))
x = truths((2, 3))
same(m.each_row_inplace(x), np.zeros(2, int))
same(x.view(np.uint8), np.uint8([[0, 1, 0], [0, 1, 0]]))
x = truths((2, 3))
y, counts = m.each_row_copy(x)
same(counts, np.zeros(2, int))
same(y.view(np.uint8), np.uint8([[0, 1, 0], [0, 1, 0]]))
assert (x.ravel().view(np.uint8) == BYTES).all()

# If copies are not allowed, the argument is refused and unchanged.
x = truths()
raises(ValueError, f"odd_inout(): {NOT_COPIED}", m.odd_inout, x)
raises(ValueError, f"each_row_inout(): {NOT_COPIED}", m.each_row_inout, x.reshape(2, 3))
assert (x.view(np.uint8) == BYTES).all()
x = truths() & True
assert m.odd_inout(x) == 0 and not x[0]
same(m.each_row_inout(x.reshape(2, 3)), np.zeros(2, int))

# A buffer is only written, whatever its contents.
x = truths()
assert m.fill(6, x=x) is x
same(x.view(np.uint8), np.uint8([0, 1, 0, 1, 0, 1]))

# Values that callbacks return and write.
assert m.made(lambda n: truths((n,))) == 0


def change(x):
    x[:] = truths((4,))


assert m.changed(change) == 0
