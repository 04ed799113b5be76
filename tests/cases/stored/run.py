import copy
import gc

import numpy as np
import stored as m
from support import raises

# The constructor: initialised by the class, then set by C.
x = m.Number(2.5)
assert x.value == 2.5 and x.digits == 7 and m.Number().value == 0
y = m.with_digits(3)
assert y.digits == 3
y.value = 4
y.digits = 5
assert (x + y).value == 6.5 and y.digits == 5
assert x == m.Number(2.5) and x != y
x += 2.5
assert x.value == 5
gc.collect()
assert m.alive() == 2

# Results: one, several, and none if the call fails, which clears what was initialised.
assert m.divide(y, x).value == 0.8
raises(RuntimeError, "divide(): sv_divide returned status 1", m.divide, x, m.Number())
whole, rest = m.Number(3.25).split()
assert (whole.value, rest.value) == (3, 0.25)
assert m.power(3, 4).value == 81
raises(RuntimeError, "power(): sv_init_power returned status 2", m.power, 3, -1)
gc.collect()
assert m.alive() == 4

# An object is closed once, and no object is made without C.
with m.Number(1) as one:
    assert m.alive() == 5
assert one.closed and m.alive() == 4
one.close()
raises(ValueError, "Number.add(): argument 'a': this Number is closed", one.add, x)
raises(TypeError, "divide(): argument 'a': wanted a Number, got float", m.divide, 1.0, x)
raises(TypeError, "cannot pickle or copy a stored.Number: its contents are opaque", copy.copy, x)
one = whole = rest = None

# A callback borrows objects, also one that is C's.
seen = []
assert m.visit(x, lambda one: seen.append(one) or one.value) == 105
raises(
    ValueError,
    "Number.value(): argument 'x': this Number is closed",
    lambda kept: kept.value,
    seen[1],
)
raises(ZeroDivisionError, "division by zero", m.visit, x, lambda one: 1 / 0)
seen.clear()
x = y = None
gc.collect()
assert m.alive() == 0

# Aligned, zeros at the beginning, and without a function that frees it.
states = [m.State() for _ in range(20)]
assert all(state.is_aligned() for state in states)
assert states[0].update(b"abc") == 294 and states[1].update(b"") == 0
twin = states[0].copy()
assert twin.is_aligned() and twin.update(b"a") == 391 and states[0].update(b"") == 294
raises(TypeError, "State() takes 0 positional arguments, got 1", m.State, 1)

# Fields, of an object whose initialisation may fail.
buffer = m.Buffer([1, 2])
assert buffer.size == 2 and buffer.items.tolist() == [1, 2, 0] and buffer.message is None
view = buffer.items
buffer.size = 9
view[2] = 7
assert buffer.size == 9 and buffer.items[2] == 7
raises(RuntimeError, "Buffer(): more than three items", m.Buffer, [1, 2, 3, 4])
assert m.alive() == 1
m.refuse(3)
raises(RuntimeError, "Buffer(): no buffers today", m.Buffer, [])
raises(RuntimeError, "empty(): no buffers today", m.empty, 5)
m.refuse(4)
raises(RuntimeError, "Buffer(): sv_buffer_init returned status 4", m.Buffer, [])
m.refuse(0)
assert m.empty(5).size == 5 and m.alive() == 1

# An object that refers to another one keeps it.
cursor = m.Cursor(buffer)
buffer.close()
assert m.alive() == 1 and [cursor.next() for _ in range(3)] == [1, 2, 7]
np.testing.assert_equal(view, [1, 2, 7])
del cursor, buffer, view
gc.collect()
assert m.alive() == 0
