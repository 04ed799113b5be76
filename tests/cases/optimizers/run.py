import gc
import weakref

import optimizers as m
from support import raises


class Constraint:
    def __init__(self, low):
        self.low = low

    def __call__(self, x, gradient):
        assert gradient is None
        return self.low - x[0]


class Objective:
    def __call__(self, x):
        return [0.0], x[0]


# C refers to all constraints, and so does the handle.
o = m.Opt(1)
o.set_objective(lambda x: (None, x[0] ** 2))
alive = []
for low in [1.0, 3.0, 2.0]:
    constraint = Constraint(low)
    o.add_constraint(constraint)
    alive.append(weakref.ref(constraint))
del constraint
gc.collect()
assert all(one() is not None for one in alive)
x, value = o.minimize([5.0])
assert abs(x[0] - 3) < 1e-6 and abs(value - 9) < 1e-5

# A call that fails may have registered it with C.
for _ in range(5):
    o.add_constraint(lambda x, gradient: 0.0)
raises(
    RuntimeError,
    "Opt.add_constraint(): opt_add_constraint returned status -2",
    o.add_constraint,
    Constraint(9.0),
)

# The meaning of NULL is up to C: the handle retains its callbacks.
o.add_constraint(None)
assert all(one() is not None for one in alive)
assert abs(o.minimize([5.0])[0][0]) < 1e-6

# A replaced callback is released at once.
objective = Objective()
o.set_objective(objective)
gone = weakref.ref(objective)
o.set_objective(lambda x: (None, (x[0] - 1) ** 2))
del objective
assert gone() is None
assert abs(o.minimize([5.0])[0][0] - 1) < 1e-6

# All are released with the handle; also in a cycle.
o.add_constraint(lambda x, gradient, o=o: 0.0)
del o
gc.collect()
assert not any(one() for one in alive)
o = m.Opt(1)
constraint = Constraint(1.0)
alive = weakref.ref(constraint)
o.add_constraint(constraint)
del constraint
o.close()
assert alive() is None

# The same for a callback that the module retains until another call.
seen = []
for k in range(3):
    m.on_step(lambda step, k=k: seen.append((k, step)))
o = m.Opt(1)
o.set_objective(lambda x: (None, abs(x[0])))
o.minimize([0.0])
assert seen[:4] == [(0, 0), (1, 0), (2, 0), (0, 1)]
m.off_steps()
del seen[:]
o.minimize([0.0])
assert seen == []

# A callback that fails stops C, which would call it for ever; and the problem can be solved again.
calls = []


def typo(x):
    calls.append(x[0])
    return [0.0], 1 / 0


o.set_objective(typo)
raises(ZeroDivisionError, "...", o.minimize, [1.0])
assert len(calls) == 1
o.set_objective(lambda x: (None, x[0] ** 2))
assert abs(o.minimize([1.0])[0][0]) < 1e-6
o.add_constraint(lambda x, gradient: "one")
raises(
    TypeError,
    "Opt.add_constraint(): argument 'f' returned 'result': wanted a real number (float64), got str",
    o.minimize,
    [1.0],
)
o.add_constraint(None)


def interrupted(x):
    raise KeyboardInterrupt


o.set_objective(interrupted)
raises(KeyboardInterrupt, "", o.minimize, [1.0])

# If C wants no gradient, the function's gradient is ignored; otherwise it is checked.
o.set_objective(lambda x: ([2 * x[0]], x[0] ** 2))
o.minimize([1.0])
assert o.last() == 0
o.use_gradients(1)
o.minimize([3.0])
assert o.last() != 0
o.set_objective(lambda x: (None, x[0] ** 2))
raises(TypeError, "Opt.set_objective(): argument 'f' returned 'gradient': ...", o.minimize, [1.0])

# While the object is created, there is no object to stop.
raises(ZeroDivisionError, "...", m.opt_with, 1, typo)
made = m.opt_with(1, lambda x: ([1.0], (x[0] - 2) ** 2))
assert abs(made.minimize([0.0])[0][0] - 2) < 1e-6

# The function of the on-error action sees the callback's parameters and the call's arguments; each further call calls it, too.
raises(ZeroDivisionError, "...", m.rounds, lambda number: 1 // (3 - number), "name", [1, 7], 2.0)
assert m.rounds(lambda number: 1, "name", [0, 0], 1.0) == 1

# Also on another thread.
o = m.Opt(1)
raises(ZeroDivisionError, "...", m.rounds_of, o, lambda number: 1 / (3 - number), "A", 2.0, 3.0)
assert m.notes() == ord("A") and o.last() == 6
