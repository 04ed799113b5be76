import array
import gc
import sys
import weakref

import numpy as np
import retained as m
from support import raises

# An array stays until the next call replaces it, or its object is released.
r = m.Reader()
x = np.array([1.0, 2.0])
seen = weakref.ref(x)
r.set_data(x)
x[0] = 3
del x
gc.collect()
assert seen() is not None and r.sum() == 5
r.set_data(np.array([7.0]))
gc.collect()
assert seen() is None and r.sum() == 7
y = np.array([4.0, 5.0])
seen = weakref.ref(y)
r.set_data(y)
del y
r.close()
gc.collect()
assert seen() is None and m.last_sum() == 9 and m.alive() == 0

# A failure: C may have stored it nevertheless, so it stays until a call succeeds.
r = m.Reader()
first, second = np.array([1.0]), np.array([2.0])
refs = [weakref.ref(first), weakref.ref(second)]
r.set_data(first)
raises(RuntimeError, "Reader.set_data(): rt_set_data returned status 2", r.set_data, second, 2)
del first, second
gc.collect()
assert r.sum() == 2 and refs[0]() is not None and refs[1]() is not None
r.set_data([8])
assert refs[0]() is None and refs[1]() is None and r.sum() == 8
# A call that is refused retains nothing.
held = np.array([1.0])
count = sys.getrefcount(held)
raises(TypeError, "...", r.set_data, held, "x")
assert sys.getrefcount(held) == count and r.sum() == 8

# Copies belong to the object: of lists, of other types, of other layouts; short and long.
for values in ([1, 2, 3], np.int32([1, 2, 3]), np.arange(1.0, 7)[::2] / 2 + 0.5, range(1, 4)):
    r.set_data(values)
    np.zeros(3)
    assert r.sum() == 6
r.set_data(list(range(1000)))
scratch = [np.full(1000, 9.0) for _ in range(10)]
assert r.sum() == 499500
r.set_optional()
assert r.sum() == 0
r.set_optional(None)

# The buffer of another exporter stays locked.
exporter = array.array("d", [1.0, 2.0])
r.set_data(exporter)
raises(BufferError, "...", exporter.append, 1.0)
exporter[1] = 5
assert r.sum() == 6
r.set_data([1.0])
exporter.append(1.0)
own = np.zeros(3)
r.set_own(own)
own[:] = 2
assert r.sum() == 6
raises(
    TypeError,
    "Reader.set_own(): argument 'data': wanted an array of float64, which can be written to, got list",
    r.set_own,
    [1.0],
)

# Strings, and arrays of them.
r.set_text("héllo" * 3)
assert r.text() == "héllo" * 3
r.set_text(None)
assert r.text() is None
words = ["w" + str(k) for k in range(40)]
r.set_words(list(words))
gc.collect()
assert [r.word(k) for k in range(41)] == [*words, None]
r.set_words(["a" + str(len(words)), "b"])
gc.collect()
assert (r.word(0), r.word(1), r.word(2)) == ("a40", "b", None)
for key in range(4):
    r.option(key, "option" + str(key))
r.option(1, "other" + str(key))
assert [r.get_option(key) for key in range(4)] == ["option0", "other3", "option2", "option3"]

# Bytes.
data = bytearray(b"A" * 1000)
r.open_memory(data)
raises(BufferError, "...", data.extend, b"x")
data[7] = 66
assert r.byte(7) == 66 and r.byte(1000) == -1
r.open_memory(b"xyz")
data.clear()
assert r.byte(2) == ord("z")

# `keep` retains what every call passes.
r.set_data([])
for k in range(10):
    r.add([k])
gc.collect()
assert r.sum() == 45

# Memory to which C writes later.
output = r.set_output(3)
r.fill(2.5)
assert output.tolist() == [2.5] * 3
buffer = np.zeros(2)
assert r.set_output(2, output=buffer) is buffer
r.fill(1.5)
assert output.tolist() == [2.5] * 3 and buffer.tolist() == [1.5] * 2
r.prepare(5)
gc.collect()
assert r.worked(5) == 5
r.prepare(500)
assert r.worked(500) == 500
r.close()
assert m.alive() == 0

# An object is not released before the one that retains it.
outer, inner = m.Reader(), m.Reader()
inner.set_data([1.0, 2])
outer.set_data([4.0])
outer.link(inner)
inner.close()
assert inner.closed and m.alive() == 2 and outer.sum() == 7
del inner
assert m.alive() == 2
outer.close()
assert m.alive() == 0 and m.last_sum() == 3
outer, inner = m.Reader(), m.Reader()
outer.link(inner)
inner.close()
outer.link(None)
assert m.alive() == 1
outer.link(outer)
outer.link()
third = m.Reader()
outer.link(third)
outer.link(third)
cycle = "it refers to the Reader that would retain it, so neither could be released"
raises(ValueError, f"Reader.link(): argument 'next': {cycle}", third.link, outer)
fourth = m.Reader()
third.link(fourth)
raises(ValueError, f"Reader.link(): argument 'next': {cycle}", fourth.link, outer)
raises(ValueError, "Reader.link(): argument 'next': this Reader is closed", outer.link, inner)
assert m.alive() == 3
# A borrowed object, and the object from which it was borrowed.
child = outer.child()
last = m.Reader()
last.link(child)
outer.unlink()
assert child.closed and last.closed and not outer.closed
del outer, third, fourth, child, last
gc.collect()
assert m.alive() == 0


# Garbage collection of cycles through an array.
class Tied(np.ndarray):
    pass


r = m.Reader()
tied = np.zeros(3).view(Tied)
tied.reader = r
r.set_own(tied)
seen = weakref.ref(r)
del r, tied
gc.collect()
assert seen() is None and m.alive() == 0

# A callback that replaces what the call has just passed.
r = m.Reader()
r.set_data([1.0])
kept = np.array([6.0])
r.set_calling(kept, lambda of=r: of.set_calling([5.0], lambda: None))
assert r.sum() == 5
r.close()

# The module retains until a function was called.
x = np.array([1.0, 2])
seen = weakref.ref(x)
m.watch(x)
del x
gc.collect()
assert seen() is not None and m.watched_sum() == 3
m.watch([5.0])
assert seen() is None and m.watched_sum() == 5
r = m.Reader()
r.set_data([10.0])
m.watch_reader(r)
r.close()
del r
assert m.alive() == 1 and m.watched_sum() == 15
m.unwatch()
assert m.alive() == 0 and m.watched_sum() == 0
