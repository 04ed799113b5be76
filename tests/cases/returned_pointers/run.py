import gc
import sys
import threading

import numpy as np
import returned_pointers as m
from support import raises, same, strided, swapped

# Strings are copied, and freed if they are owned.
assert m.name(0) == "zero" and m.name(2) == "déux" and m.name_or_none(1) == "eins"
assert m.name_or_none(9) is None
raises(RuntimeError, "name(): the result: C returned NULL", m.name, 9)
assert m.joined("ab", "c") == "abc" and m.joined("", "") == "" and m.alive() == 0
assert m.lowered("ABC") == "abc"
raises(UnicodeDecodeError, "...broken(): the result: no UTF-8", m.broken)

# Arrays own their memory until the last view of it is gone.
x = m.range(3)
same(x, np.array([3.0, 4.0, 5.0]))
assert x.flags.writeable and not x.flags.owndata and m.alive() == 1
x[0] = 9
part = x[1:]
del x
gc.collect()
assert m.alive() == 1 and part[0] == 4
del part
assert m.alive() == 0
same(m.range(0), np.zeros(0))
assert m.alive() == 0
same(m.range(-1), np.zeros(0))
raises(RuntimeError, "range(): the result: C returned NULL", m.range, -2)
assert m.range_or_none(-2) is None and m.range_or_none(-1) is None
same(m.range_or_none(1), np.array([1.0]))

x = m.grid(2, 3)
same(x, np.arange(6, dtype=np.int32).reshape(2, 3))
assert x.flags.c_contiguous and m.alive() == 1
x = m.grid_fortran(2, 3)
same(x, np.arange(6, dtype=np.int32).reshape(3, 2).T)
assert x.flags.f_contiguous and m.alive() == 1
del x
assert m.alive() == 0

# On another thread, as often as on this.
made = []
worker = threading.Thread(target=lambda: made.extend(m.range(100) for _ in range(50)))
worker.start()
worker.join()
assert m.alive() == 50
worker = threading.Thread(target=made.clear)
worker.start()
worker.join()
assert m.alive() == 0

# A borrowed view keeps its owner alive.
x = m.primes()
same(x, np.array([2, 3, 5, 7], np.int32))
assert not x.flags.writeable and x.base is None
x = np.arange(5.0)
view = m.tail(x, 2)
same(view, np.array([2.0, 3.0, 4.0]))
view[0] = 7
assert x[2] == 7
before = sys.getrefcount(x)
del view
assert sys.getrefcount(x) == before - 1
view = m.tail(np.arange(5.0), 3)
gc.collect()
same(view, np.array([3.0, 4.0]))
raises(
    RuntimeError, "tail(): the result: dimension 0, computed after the call, is -1", m.tail, x, 6
)

# If an argument was copied for C, the copy is retained.
for count in (5, 500):
    values = np.arange(count, dtype=float)
    for given in (strided(values), swapped(values)):
        view = m.tail_of_any(given, 1)
        del given
        gc.collect()
        np.zeros(count), np.zeros(count)
        same(view, values[1:])
    view = m.larger(list(range(count)), [1])
    gc.collect()
    same(view, values)
    assert not view.flags.writeable
    del view
small, large = np.arange(2.0), np.arange(4.0)
view = m.larger(small, large)
assert np.shares_memory(view, large) and not np.shares_memory(view, small)

# Bytes.
assert m.random_bytes(3) == b"\4\4\4" and m.random_bytes(0) == b"" and m.alive() == 0
assert m.raw(b"a\0b") == b"a\0b" and m.raw(b"") == b"" and m.raw_text(b"abc") == "abc"
assert m.raw_text(b"a\0b") == "a" and m.raw_text(b"") == "" and m.alive() == 0
raises(UnicodeDecodeError, "...raw_text(): the result: no UTF-8", m.raw_text, b"\xff")
assert m.alive() == 0
data = b"abcdef"
view = m.look(data, 4)
assert bytes(view) == b"ef" and not view.flags.writeable
raises(ValueError, "assignment destination is read-only", view.__setitem__, 0, 1)
data = bytearray(b"abcdef")
view = m.look(data, 4)
data[4] = 65
assert bytes(view) == b"Af"
raises(BufferError, "Existing exports of data: object cannot be re-sized", data.append, 1)
del view
data.append(1)

# Non-const pointers in C do not make read-only memory writable.
fixed = np.arange(6, dtype=np.uint8)
fixed.flags.writeable = False
for given in (b"abcdef", memoryview(b"abcdef"), memoryview(data).toreadonly(), fixed):
    view = m.rest_of_bytes(given, 4)
    assert view[0] == given[4] and not view.flags.writeable
for given in (bytearray(b"abcdef"), memoryview(bytearray(b"abcdef")), np.arange(6, dtype=np.uint8)):
    view = m.rest_of_bytes(given, 4)
    view[1] = 7
    assert given[5] == 7
fixed = np.arange(4.0)
view = m.rest(fixed, 2)
view[1] = 7
assert fixed[3] == 7
fixed.flags.writeable = False
for given in (fixed, memoryview(fixed)):
    assert not m.rest(given, 2).flags.writeable
view = m.rest([1, 2, 3], 1)
view[1] = 7
same(view, np.array([2.0, 7.0]))

# Pointers that C sets.
assert m.describe(0) == "text" and m.alive() == 0
raises(RuntimeError, "describe(): describe returned status 1", m.describe, 1)
assert m.alive() == 0
raises(UnicodeDecodeError, "...describe(): argument 'text': no UTF-8", m.describe, 2)
assert m.alive() == 0
raises(RuntimeError, "describe(): argument 'text': C returned NULL", m.describe, 3)
assert m.describe_or_none(3) is None and m.describe_or_none(0) == "text" and m.alive() == 0
low, high = m.split([1, -2, 3, -4])
same(low, np.array([-2.0, -4.0]))
same(high, np.array([1.0, 3.0]))
assert m.alive() == 2
del low, high
raises(RuntimeError, "split(): split returned status 1", m.split, [])
assert m.alive() == 0
same(m.split_high([1, -2]), np.array([1.0]))
assert m.alive() == 0
assert m.message(1) == "eins"
raises(RuntimeError, "message(): argument 'text': C returned NULL", m.message, 7)
assert m.bytes_of(3) == (b"xxx", 3) and m.bytes_of(0) == (b"", 0)
raises(
    RuntimeError,
    "bytes_of(): argument 'data': dimension 0, computed after the call, is -1",
    m.bytes_of,
    -1,
)
raises(UnicodeDecodeError, "...both(): argument 'b': no UTF-8", m.both)
assert m.alive() == 0
same(m.wrong_shape(1), np.array([1.0]))
raises(
    RuntimeError,
    "wrong_shape(): the result: dimension 0, computed after the call, is -1",
    m.wrong_shape,
    -1,
)
assert m.alive() == 0

# Of a handle: its object exists as long as views of it do, closed or not.
box = m.Box(3)
assert box.name() == "boxes"
view = box.data()
same(view, np.arange(3.0))
view[1] = 5
same(box.data(), np.array([0.0, 5.0, 2.0]))
box.close()
assert m.alive() == 1 and view[1] == 5
part = view[1:]
del view, box
gc.collect()
assert m.alive() == 1 and part[0] == 5
del part
assert m.alive() == 0
view = m.Box(2).data()
gc.collect()
assert m.alive() == 1 and view.sum() == 1
del view
assert m.alive() == 0
