import copy
import gc
import importlib
import pickle
import sys
import threading
import weakref

import handles as m
import numpy as np
from support import raises

# Created, used as a method and by a function, released.
c = m.Counter(5)
assert c.next() == 6 and m.next(c) == 7 and m.next(c=c) == 8
assert m.counters() == 1 and not c.closed
assert repr(c).startswith("<handles.Counter at 0x")
c.close()
c.close()
assert c.closed and m.counters() == 0 and repr(c) == "<closed handles.Counter>"
raises(ValueError, "next(): argument 'c': this Counter is closed", c.next)
raises(ValueError, "this handles.Counter is closed", c.__enter__)

# It is released with its last reference, and by `with`.
c = m.Counter()
del c
gc.collect()
assert m.counters() == 0
with m.Counter(start=1, how=m.style(10)) as c:
    assert c.next() == 11 and m.counters() == 1
assert c.closed and m.counters() == 0

# Invalid constructor arguments.
raises(RuntimeError, "Counter(): counter_new returned NULL", m.Counter, -1)
raises(TypeError, "Counter(): argument 'how': wanted a Style, got int", m.Counter, 1, 10)
raises(TypeError, "Counter(): argument 'start': wanted an integer (int64), got str", m.Counter, "1")
raises(TypeError, "cannot create 'handles.Style' instances", m.Style)
assert m.counters() == 0

# Through an out-pointer; if C fails, the object is released.
c = m.open(3)
assert type(c) is m.Counter and c.next() == 4
raises(RuntimeError, "open(): counter_open returned status 1", m.open, -3)
raises(RuntimeError, "open(): counter_open set made to NULL", m.open, -99)
assert m.counters() == 1

# The collector visits only objects that may refer to others.
with m.Counter() as marked:
    assert gc.is_tracked(marked) and gc.is_tracked(m.Mark(marked))
assert not gc.is_tracked(m.style(1))

# Of the right class, and open.
raises(TypeError, "next(): argument 'c': wanted a Counter, got None", m.next, None)
raises(TypeError, "next(): argument 'c': wanted a Counter, got handles.Style", m.next, m.style(1))
assert m.add(c) == 4 and m.add(c, None) == 4 and c.add(b=m.Counter(6)) == 10
raises(TypeError, "add(): argument 'b': wanted a Counter, got int", m.add, c, 6)

# Methods of the class, and nothing else.
other = c.copy()
assert other is not c and other.next() == 5 and c.next() == 5
assert not hasattr(m, "copy") and m.Counter.copy.__qualname__ == "Counter.copy"
raises(TypeError, "...Counter.copy() takes no arguments (1 given)", c.copy, 1)
raises(TypeError, "...Counter.copy() takes no keyword arguments", c.copy, c=c)
assert m.explain.Counter.copy(c).startswith("Counter.copy")
raises(TypeError, "Counter.copy() takes no arguments (1 given)", m.explain.Counter.copy, c, 1)
raises(
    TypeError, "Counter.copy(): argument 'c': wanted a Counter, got int", m.explain.Counter.copy, 3
)
np.testing.assert_array_equal(c.values(3), [5, 6, 7])
raises(TypeError, "Counter.values(): argument 'n': ...", c.values, "3")
assert other.step_by(3) == 8 and m.Counter.step_by(other, steps=-3) == 5
raises(TypeError, "Counter.step_by(): argument 'steps': ...", other.step_by, "3")
method = c.next
del c, other
gc.collect()
assert method() == 6 and m.counters() == 1
del method
gc.collect()
assert m.counters() == 0

# An object retains those to which it refers: the counter is released after its marks.
c = m.Counter(1)
mark = m.Mark(c)
c.next()
assert mark.distance() == 1
c.close()
assert c.closed and m.counters() == 1 and mark.distance() == 1
raises(ValueError, "Mark(): argument 'c': this Counter is closed", m.Mark, c)
mark.close()
assert (m.counters(), m.marks()) == (0, 0)
mark = m.Mark(m.Counter(1))
twin = mark.counter()
assert twin.next() == 2 and mark.distance() == 1
mark.close()
assert m.marks() == 1, "the twin is the mark's counter"
del twin
gc.collect()
assert (m.counters(), m.marks()) == (0, 0)

# Borrowed: None for NULL, and never released.
assert m.twin(m.Counter(0)) is None
gc.collect()
assert m.counters() == 0
c = m.Counter(2)
same = m.twin(c)
same.close()
assert m.counters() == 1 and c.next() == 3
assert m.style(3) is None and m.step(m.style(10)) == 10
raises(ValueError, "twin(): argument 'c': this Counter is closed", m.twin, same)

# Overloads tell classes apart, and the library's own objects are defaults.
assert m.step() == 1 and m.step(m.style(10)) == 10 and m.step(c) == 4
raises(TypeError, "step(): no overload takes (int); it takes:...", m.step, 1)

# Neither copied nor pickled.
for do in (copy.copy, copy.deepcopy, pickle.dumps):
    raises(TypeError, "cannot pickle or copy a handles.Counter: ...", do, c)
assert pickle.loads(pickle.dumps(m.Counter.values)) is m.Counter.values

# Weak references, cycles, attributes.
gone = weakref.ref(c)
del c, same
gc.collect()
assert gone() is None and m.counters() == 0
raises(AttributeError, "...", setattr, m.Counter(), "x", 1)

# Many threads with one, of which one closes it.
c = m.Counter()


def count():
    for _ in range(1000):
        try:
            c.next()
        except ValueError:
            break


threads = [threading.Thread(target=count) for _ in range(8)]
for thread in threads:
    thread.start()
c.close()
for thread in threads:
    thread.join()
assert m.counters() == 0

# The module again: its handles are the same.
del sys.modules["handles"]
again = importlib.import_module("handles")
assert again.Counter is m.Counter

assert m.explain.next(m.Counter(1)).startswith("next(c)")
assert "start" in m.Counter.__doc__ and m.Counter.__text_signature__ == "(start=0, how=None)"
