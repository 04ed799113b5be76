import gc
import math
import sys
import threading
import weakref

import callbacks as c
import numpy as np
from support import raises

# Numbers by value: any callable, also one that calls the same function.
assert abs(c.integrate(lambda x: x * x, 0.0, 1.0) - 1 / 3) < 1e-3
assert abs(c.integrate(math.sin, 0.0, math.pi, n=10) - 2) < 0.01
inner = []
assert (
    c.integrate(lambda x: c.integrate(lambda y: inner.append(y) or x * y, 0.0, 1.0, 2), 0.0, 1.0, 2)
    == 0.25
)
assert len(inner) == 4


assert c.integrate_held(lambda x: c.integrate_held(lambda y: x * y, 0.0, 1.0), 0.0, 1.0) == 0.25
raises(ZeroDivisionError, "division by zero", c.integrate_held, lambda x: 1 / 0, 0.0, 1.0)

points = []


def failing(x):
    points.append(x)
    if len(points) == 3:
        raise KeyError("third")
    return 1.0


# The call raises the callback's exception, with its traceback; C gets NaN, and Python is not called
# any more.
try:
    c.integrate(failing, 0.0, 1.0)
except KeyError as error:
    assert error.args == ("third",)
    assert error.__traceback__.tb_next.tb_frame.f_code is failing.__code__
else:
    raise AssertionError
assert len(points) == 3
raises(ZeroDivisionError, "division by zero", c.integrate, lambda x: 1 / 0, 0.0, 1.0)
raises(
    KeyboardInterrupt, "", c.integrate, lambda x: (_ for _ in ()).throw(KeyboardInterrupt), 0.0, 1.0
)
raises(
    TypeError,
    "integrate(): argument 'f' returned 'result': wanted a real number (float64), got str",
    c.integrate,
    lambda x: "1",
    0.0,
    1.0,
)
raises(TypeError, "integrate(): argument 'f': wanted a function, got int", c.integrate, 1, 0.0, 1.0)

# A struct, and one that may be NULL.
assert abs(c.root(lambda x: x * x - 2, 0.0, 2.0) - math.sqrt(2)) < 1e-12
raises(ValueError, "no", c.root, lambda x: (_ for _ in ()).throw(ValueError("no")), 0.0, 2.0)
raises(RuntimeError, "root(): curve_root returned status 5", c.root, lambda x: math.nan, 0.0, 2.0)
assert abs(c.slope(lambda x: x * x, 3.0) - 6) < 1e-5
assert abs(c.slope(lambda x: x * x, 3.0, lambda x: 2.0) - 12) < 1e-4

# Strings, and a return code: None is 0, an exception 1.
seen = []
given = []
c.attributes(lambda texts, x: given.append((texts, x.tolist())))
assert given == [(["href", "#"], [3, 4, 5]), ([], [3, 4, 5])]
raises(ZeroDivisionError, "division by zero", c.attributes, lambda texts, x: 1 / 0)
assert c.rows(2, lambda values, names: seen.append((values, names))) is None
assert seen == [(["0", "even"], ["k", "höhe"]), (["1", None], ["k", "höhe"])]
raises(
    TypeError,
    "rows(): argument 'row' returned 'result': wanted None, got int",
    c.rows,
    1,
    lambda v, n: 0,
)
raises(ValueError, "stop", c.rows, 5, lambda v, n: (_ for _ in ()).throw(ValueError("stop")))

# Arrays: views that are read-only, and results that are copied and checked.
y = np.array([1.0, 2.0])
assert c.ode(1, lambda t, y: -y, y) == 1
assert np.allclose(y, [0.9, 1.8])


def decay(t, y):
    assert isinstance(y, np.ndarray) and not y.flags.writeable and y.shape == (2,)
    return [0, t]


c.ode(2, decay, y)
assert np.allclose(y, [0.9, 1.81])
raises(
    ValueError,
    "ode(): argument 'f' returned 'dydt': dimension 0 of shape (3,) is 3, but must be 2",
    c.ode,
    1,
    lambda t, y: [1, 2, 3],
    y,
)
raises(
    ValueError,
    "assignment destination is read-only",
    c.ode,
    1,
    lambda t, y: y.__setitem__(0, 1.0),
    y,
)
kept = []
before = y.copy()
raises(
    RuntimeError,
    "ode(): argument 'f': callback argument 'y' outlived the callback; it views C memory: copy it",
    c.ode,
    1,
    lambda t, y: kept.append(y) or y,
    before,
)
assert kept[0].shape == (0,)
assert np.isnan(before).all()
c.ode(1, lambda t, y: y, y)

a = np.ones((2, 3), order="F")


def change(a, k):
    assert a.flags.f_contiguous and a.shape == (2, 3) and k == 3
    a[1, 2] = k
    a[0] *= 5


c.scale(change, a)
assert a.tolist() == [[5, 5, 5], [1, 1, 3]]

# Several results, in order, the C result last.
assert c.divide(lambda a, b, x: (a % b, x * 2, a // b), 17, 5) == (1.0, 3002)
raises(
    ValueError,
    "divide(): argument 'f': must return a tuple of 3 values (rest, x, result), returned 2",
    c.divide,
    lambda a, b, x: (1, 2),
    17,
    5,
)
raises(
    TypeError,
    "divide(): argument 'f': must return a tuple of 3 values (rest, x, result), returned float",
    c.divide,
    lambda a, b, x: x,
    17,
    5,
)
raises(
    OverflowError,
    "divide(): argument ...",
    c.divide,
    lambda a, b, x: (2**70, x, 1),
    17,
    5,
)

# Without data, also in one another.
x = np.array([3.0, 1.0, 2.0])
c.sort(x, lambda a, b: int(a > b) - int(a < b))
assert x.tolist() == [1, 2, 3]


def nested(a, b):
    other = np.array([1.0, 2.0, 3.0])
    c.sort(other, lambda a, b: int(a < b) - int(a > b))
    assert other.tolist() == [3, 2, 1]
    return int(a < b) - int(a > b)


c.sort(x, nested)
assert x.tolist() == [3, 2, 1]

# NULL is None, to C and from it.
assert c.spell() == c.spell(None) == -1
words = []
assert c.spell(lambda word, raw: words.append((word, raw)) or len(raw)) == 3
assert words == [("grün", b"a\0b"), (None, b"")]

# Callbacks that share their data.
# Functions as parameters, and types of functions.
assert c.area(lambda x: x + 1, 1.0, 3.0) == 6.0
assert c.run(lambda n, key: n * key, lambda n, key: n, 10, lambda n, key: n + key) == 25
assert c.run(lambda n, key: n * key, lambda n, key: n, 10) == 12
raises(
    TypeError,
    "run(): argument 'first': wanted a function, got None",
    c.run,
    None,
    lambda n, key: n,
    10,
)
assert abs(c.minimize(lambda x: (x - 2) ** 2 + 1, lambda x: 2 * (x - 2), 0.0) - 1) < 1e-9
raises(
    ValueError, "g", c.minimize, lambda x: x, lambda x: (_ for _ in ()).throw(ValueError("g")), 0.0
)

# On other threads, at once; the first exception wins.
assert c.threads(8, lambda k: k) == 2800
main = threading.get_ident()
idents = set()
c.threads(4, lambda k: idents.add(threading.get_ident()) or 0)
assert len(idents) == 4 and main not in idents
raises(ZeroDivisionError, "integer ... by zero", c.threads, 8, lambda k: 1 // (k - k))
callers = [threading.Thread(target=c.threads, args=(4, lambda k: k)) for _ in range(4)]
for thread in callers:
    thread.start()
for thread in callers:
    thread.join()

# Overloads: a callable fits a callback.
assert c.either(lambda x: 1.0, 0.0, 2.0) == 2.0
assert c.either(4.0) == 8.0


class Listener:
    def __init__(self):
        self.heard = []

    def __call__(self, source, what):
        assert not source.closed
        self.heard.append(what)
        if what < 0:
            raise ValueError(what)


# Retained as long as the handle exists; replaced by the next.
s = c.Source()
first, second = Listener(), Listener()
s.listen(first)
alive = weakref.ref(first)
heard = first.heard
del first
assert s.tell(1) == 1 and heard == [1]
raises(ValueError, "-1", s.tell, -1)
s.listen(second)
assert alive() is None
s.tell(2)
assert second.heard == [2]
raises(TypeError, "listen(): argument 'heard': wanted a function, got int", s.listen, 3)
s.tell(3)
s.close()
assert second.heard == [2, 3, 0]
alive = weakref.ref(second)
del second
assert alive() is None

# None is NULL, and drops the last.
s = c.Source()
listener = Listener()
s.listen(listener)
alive = weakref.ref(listener)
del listener
s.listen(None)
assert alive() is None and s.tell(1) == 0

# A handle given to a callback is closed when that returns.
given = []
s.listen(lambda source, what: given.append(source))
s.tell(7)
assert given[0].closed

# An exception in a callback outside of a call goes to sys.unraisablehook.
unraised = []
hook, sys.unraisablehook = sys.unraisablehook, lambda info: unraised.append(info.exc_value)
s.listen(lambda source, what: 1 / 0)
s.close()
sys.unraisablehook = hook
assert [type(error) for error in unraised] == [ZeroDivisionError]

# A cycle through a callback is collected.
s = c.Source()
listener = Listener()
listener.source = s
s.listen(listener)
alive = weakref.ref(listener)
del s, listener
gc.collect()
assert alive() is None

# Retained until another function is called.
watcher = Listener()
seen = []
c.watch(lambda what: seen.append(what) or len(seen))
assert c.show(5) == 1 and seen == [5]
raises(ZeroDivisionError, "integer ... by zero", lambda: (c.watch(lambda what: 1 // 0), c.show(1)))


class Watcher(Listener):
    def __call__(self, what):
        return what


watcher = Watcher()
alive = weakref.ref(watcher)
c.watch(watcher)
del watcher
assert c.show(3) == 3 and alive() is not None
c.unwatch()
assert alive() is None and c.show(3) == -1

# Several retained at once, under names and numbers; strings are compared by value, not by address.
bus = c.Bus()


def answering(factor):
    return lambda context, tokens: context.answer(factor * sum(token.value() for token in tokens))


bus.on("a", 1, answering(1))
bus.on("a", 2, answering(2))
bus.on("b", handler=answering(3))
bus.on("".join(["a"]), 12, answering(4))
assert [bus.emit("a", 1, 1.0), bus.emit("a", 2, 1.0), bus.emit("b", 0, 1.0)] == [3.0, 6.0, 9.0]
assert bus.emit("a", 12, 1.0) == 12.0
raises(RuntimeError, "Bus.emit(): nobody answered", bus.emit, "c", 1, 1.0)


class Handler:
    def __init__(self, factor):
        self.answer = answering(factor)

    def __call__(self, context, tokens):
        self.answer(context, tokens)


# The same name and number replace; None removes the callback of this key, and no other.
first, second = Handler(5), Handler(6)
firsts, seconds = weakref.ref(first), weakref.ref(second)
bus.on("a", 1, first)
bus.on("b", 0, second)
del first, second
assert bus.emit("a", 1, 1.0) == 15.0 and bus.emit("b", 0, 1.0) == 18.0
bus.on("a", 1, answering(7))
assert firsts() is None and seconds() is not None
assert bus.emit("a", 1, 1.0) == 21.0
bus.on("b", 0, None)
assert seconds() is None
raises(RuntimeError, "Bus.emit(): nobody answered", bus.emit, "b", 0, 1.0)
assert bus.emit("a", 2, 1.0) == 6.0

# One that C refuses replaces none.
raises(RuntimeError, "Bus.on(): refused", bus.on, "a" * 16, 1, answering(1))
raises(RuntimeError, "Bus.on(): refused", bus.on, "a", -1, answering(1))
assert bus.emit("a", 1, 1.0) == 21.0

# A callback that fails reports it in C's way, and the call raises its error; by then C's objects are closed.
passed = []


def spoiled(context, tokens):
    assert isinstance(tokens, tuple) and not context.closed
    passed.extend([context, *tokens])
    raise KeyError("spoiled")


bus.on("a", 1, spoiled)
raises(KeyError, "'spoiled'", bus.emit, "a", 1, 1.0)
assert len(passed) == 3 and all(one.closed for one in passed)
raises(ValueError, "...closed...", passed[1].value)
raises(KeyError, "'spoiled'", c.ask, spoiled, 1.0)
raises(KeyError, "'spoiled'", c.ask_inline, spoiled, 1.0)
assert c.ask(answering(1), 2.0) == c.ask_inline(answering(1), 2.0) == 6.0


# Once C has received one, it may call it, even if the call that passed it has failed.
class Failing(Handler):
    def __call__(self, context, tokens):
        if self.answer is None:
            raise ValueError("not now")
        self.answer(context, tokens)


first, second = Failing(1), Failing(2)
first.answer = None
firsts, seconds = weakref.ref(first), weakref.ref(second)
raises(ValueError, "not now", bus.begin, "f", first, 1.0)
raises(RuntimeError, "...bus_begin returned status 1", bus.begin, "f" * 16, first, 1.0)
first.answer = answering(1)
del first
assert bus.emit("f", 0, 1.0) == 3.0
assert bus.begin("f", second, 1.0) == 6.0
assert firsts() is not None and seconds() is not None  # the long name has failed with it
del second
assert bus.begin("f", answering(3), 1.0) == 9.0
assert seconds() is None


# Nested calls: each callback that C may call exists.
def nested(context, tokens):
    bus.begin("f", answering(4), 1.0)
    context.answer(1.0)


assert bus.begin("f", nested, 1.0) == 1.0
assert bus.emit("f", 0, 1.0) == 12.0

# All end with the handle.
last = Handler(1)
alive = weakref.ref(last)
bus.on("z", 0, last)
del last
bus.close()
assert alive() is None and firsts() is None

# Retained by the object that the same call creates.
for make in c.bus_with, c.bus_open:
    last = Handler(1)
    alive = weakref.ref(last)
    bus = make("m", last)
    del last
    assert bus.emit("m", 0, 1.0) == 3.0
    bus.on("m", 0, answering(2))
    assert bus.emit("m", 0, 1.0) == 6.0 and alive() is not None
    bus.close()
    assert alive() is None
    last = Handler(1)
    alive = weakref.ref(last)
    raises(RuntimeError, "...", make, "m" * 16, last)
    raises(TypeError, "...wanted a function, got int", make, "m", 1)
    del last
    assert alive() is None
assert not c.bus_with("m").closed
raises(KeyError, "'spoiled'", c.bus_open, "m", spoiled)

# Under an enum, until another function is called.
alive = []
for kind in c.Kind.LOUD, c.Kind.QUIET:
    watcher = Watcher()
    alive.append(weakref.ref(watcher))
    c.on_kind(watcher, kind)
    del watcher
assert all(one() is not None for one in alive)
assert c.emit_kind(c.Kind.LOUD, 4) == 4 and c.emit_kind(7, 5) == 5
c.on_kind(lambda what: -what, c.Kind.LOUD)
assert alive[0]() is None and alive[1]() is not None
assert c.emit_kind(c.Kind.LOUD, 4) == -4 and c.emit_kind(c.Kind.QUIET, 5) == 5
c.off_kinds()
assert alive[1]() is None and c.emit_kind(c.Kind.QUIET, 5) == -1

# Nothing is left over.
if hasattr(sys, "getrefcount"):

    def square(x):
        return x * x

    def bad(x):
        raise ValueError

    def once():
        c.integrate(square, 0.0, 1.0, 5)
        try:
            c.integrate(bad, 0.0, 1.0, 5)
        except ValueError:
            pass

    once()
    counts = sys.getrefcount(square), sys.getrefcount(bad)
    for _ in range(100):
        once()
    assert counts == (sys.getrefcount(square), sys.getrefcount(bad))

text = c.explain.integrate(math.sin, 0.0, 1.0)
assert "called by C: builtin_function_or_method" in text and "GIL    released" in text, text
