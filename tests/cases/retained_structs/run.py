import gc
import sys
import weakref

import numpy as np
import retained_structs as m
from support import raises, same


def decay(t, y):
    return -y, 0


# The struct exists as long as the solver, with its function, its array and its string.
rates = np.array([1.0, 2.0])
seen = weakref.ref(rates)
s = m.Solver(decay, rates, name="sys" + str(len(rates)))
rates[0] = 3
del rates
gc.collect()
junk = [np.full(k, 9.0) for k in range(2, 40)]
same(s.step(0.0, 0.5, [1.0, 1.0]), [-0.5, 0.0])
assert seen() is not None and s.memory() == 9
s.close()
gc.collect()
assert seen() is None and m.last_freed() == 9 and m.alive() == 0

# Sizes of the function's arrays are fields of the struct, also before the object exists.
sizes = []
s = m.Solver(lambda t, y: (sizes.append(len(y)), (y, 0))[1], [1, 1, 1], steps=2)
assert sizes == [3, 3]
raises(ValueError, "...is 2, but s->system->dimension is 3", s.step, 0.0, 1.0, [1.0, 2.0])
raises(
    ValueError,
    "Solver(): argument 'function' returned 'dydt': dimension 0 of shape (1,) is 1, but must be 3",
    m.Solver(lambda t, y: ([1.0], 0), [1, 1, 1]).step,
    0.0,
    1.0,
    [1.0, 2.0, 3.0],
)
# Two functions of a struct share its user data.
s = m.Solver(decay, [1, 1], lambda t, y: [[y[0], 0], [0, y[1]]])
assert s.trace(0.0, [3.0, 4.0]) == 7
s = m.Solver(decay, [1, 1])
raises(RuntimeError, "Solver.trace(): ks_trace returned status 3", s.trace, 0.0, [3.0, 4.0])


# Exceptions are those of the call that calls the function; C receives a field of the struct.
def fail(t, y):
    raise KeyError("oops")


s = m.Solver(fail, [1], code=11)
raises(KeyError, "'oops'", s.step, 0.0, 1.0, [1.0])
assert s.last == 11
raises(TypeError, "...", m.Solver, "no function", [1])
raises(KeyError, "'oops'", m.Solver, fail, [1], steps=1)
assert m.last_freed() == 1

# Without an object, nothing is retained.
f = lambda t, y: (y, 0)  # noqa: E731
array = np.ones(2)
counts = sys.getrefcount(f), sys.getrefcount(array)
raises(RuntimeError, "Solver(): ks_new returned NULL", m.Solver, f, array, steps=1, fails=1)
raises(RuntimeError, "open(): ks_open returned status 4", m.open, f, array, fails=4)
raises(TypeError, "...", m.Solver, f, array, name=3)
gc.collect()
assert (sys.getrefcount(f), sys.getrefcount(array)) == counts
o = m.open(f, array)
same(o.step(0.0, 1.0, [1.0, 2.0]), [2.0, 4.0])
o.close()
assert (sys.getrefcount(f), sys.getrefcount(array)) == counts

# A later call replaces the struct, unless it fails.
s = m.Solver(decay, [1, 1])
s.set_system(f, array)
same(s.step(0.0, 1.0, [1.0, 2.0]), [2.0, 4.0])
raises(RuntimeError, "...returned status 5", s.set_system, decay, [2.0], fails=5)
same(s.step(0.0, 1.0, [1.0]), [-1.0])
assert sys.getrefcount(array) == counts[1] + 1
raises(RuntimeError, "...returned status -1", s.set_system, f, [1.0, 2.0], fails=-1)
same(s.step(0.0, 1.0, [1.0]), [-1.0])  # C uses the struct before
s.set_system(decay, [1, 2, 3], name="abc")
assert sys.getrefcount(array) == counts[1] and s.memory() == 9

# Each function of a struct may be absent; the user data leads to the last ones.
steps = []
s = m.Solver(decay, [1])
s.set_events(steps.append)
s.set_events(end=lambda step, value: value + 10 * step)
same(s.step(0.0, 1.0, [1.0]), [0.0])
same(s.step(0.0, 1.0, [1.0]), [10.0])
assert steps == []
s.set_events(steps.append, lambda step, value: 5)
same(s.step(0.0, 1.0, [1.0]), [5.0])
s.set_events()
same(s.step(0.0, 1.0, [1.0]), [0.0])
assert steps == [2]
s.keep_events(steps.append)
s.keep_events(end=lambda step, value: 7)
same(s.step(0.0, 1.0, [1.0]), [7.0])

# `keep` retains all.
for k in range(4):
    s.add_option([1.0] * (k + 1), "x" * k, factor=2.0)
gc.collect()
assert s.memory() == 1 + 20 + 6
raises(RuntimeError, "Solver.add_option(): ks_add_option returned status 1", s.add_option, [], "")
s.close()
assert m.last_freed() == 27


# A solver that its own function refers to is collected.
class Owner:
    def rates(self, t, y):
        return y, 0


owner = Owner()
owner.solver = m.Solver(owner.rates, [1])
seen = weakref.ref(owner)
before = m.alive()
del owner
gc.collect()
assert seen() is None and m.alive() == before - 1

# Arguments that a new object retains, without a struct.
inner = m.named("inner" + str(len(junk)), [1.0])
outer = m.named("outer" + str(len(junk)), np.array([1.0]), inner)
inner.close()
gc.collect()
assert outer.memory() == 14 and m.alive() == before + 1
outer.close()
assert m.last_freed() == 7 and m.alive() == before - 1
raises(RuntimeError, "named(): ks_named returned NULL", m.named, "x", np.ones(4))

# Until a function of the module is called.
assert m.run_hook(1) == -1
m.hook(lambda x: 2 * x, [1.0, 2.0])
gc.collect()
assert m.run_hook(1) == 6
m.hook(lambda x: 3 * x, np.ones(1))
assert m.run_hook(1) == 6
m.unhook()
assert m.run_hook(1) == -1
