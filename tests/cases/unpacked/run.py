import gc
import inspect

import numpy as np
import unpacked as u
from support import raises, same

x, y = np.arange(4.0), np.array([1.0, 2.0, 3.0, 4.0])

# An array and its length: the length is found, and each struct has its own.
assert u.dot(x, y) == 20 and u.dot(a_data=[1, 2], b_data=[3.0]) == 3
assert u.dot(x[::2], y[::-1][:2]) == 6 and u.total(y) == 10 and u.total([]) == 0
assert str(inspect.signature(u.dot)) == "(a_data, b_data)"
raises(TypeError, "dot(): argument 'a_data': wanted an array of float64, got str", u.dot, "x", y)

# Batched and ragged calls fill a struct for each item.
same(u.dot_rows(np.ones((3, 4)), y), [10.0, 10.0, 10.0])
same(u.dot_rows(np.arange(6.0).reshape(2, 1, 3), np.eye(3)), np.arange(6.0).reshape(2, 3))

# Input and output arrays of one struct, and what C reports of them.
frames = np.arange(6, dtype=np.float32).reshape(3, 2)
out, used = u.resample(frames, 2.5)
same(out, np.repeat(frames, 2, axis=0))
assert used == 3
room = np.zeros((7, 2), np.float32)
assert u.resample(frames, 2.5, out=room)[0].base is room
raises(RuntimeError, "resample(): resample returned status 2", u.resample, frames, 0.5)
raises(
    ValueError, "resample(): argument 'out': dimension 0 is negative (-9)", u.resample, frames, -3.0
)

# Arrays inside of the struct.
taps, label, counts, done, level, result = u.filter_run([1, 2, 3], 0.5, 2)
same(taps, [2.0, 4.0, 6.0])
same(counts, np.array([[0, 1], [2, 3]], np.int32))
assert (label, done, level, result) == ("by 2", True, 12.5, 0)
given = np.ones(3)
u.filter_run(given, 0, 3)
assert given.tolist() == [1, 1, 1]
assert u.filter_gain([1, 2, 3]) == 321
raises(ValueError, "...dimension 0 of shape (2,) is 2, but must be 3", u.filter_gain, [1, 2])

# An object keeps the array of a field.
view = u.View(np.arange(100000.0))
gc.collect()
assert view.at(99999) == 99999 and u.alive() == 1
del view

# Strings, memory that the caller owns, and a return code in a field.
assert u.greet("Ada") == ("Hello, Ada", "en") and u.greet("Ada", how="Hej") == ("Hej, Ada", "en")
raises(RuntimeError, "greet(): greet returned status 7", u.greet, "")
raises(TypeError, "greet(): argument 'who'...", u.greet, None)
assert u.alive() == 0

# Objects, one that C creates, and plain structs, by value and by their address.
three, four = u.Counter(3), u.Counter(4)
assert u.value(u.add(three, (0, 100), four)) == 7
assert u.value(u.add(three, u.Range(0, 9), more=u.Range(0, 3))) == 3
raises(RuntimeError, "add(): add returned status 1", u.add, three, (0, 1))
four.close()
raises(ValueError, "add(): argument 'right'...closed...", u.add, three, (0, 9), four)
gc.collect()
assert u.alive() == 1
del three
gc.collect()
assert u.alive() == 0

# Structs in structs. A name of two fields is followed by its struct.
assert u.solve([1, 2], [3], [5, 7], 0.25, 2, prior_scale=2) == 9 + 1000 * 2 * 19 + 0.25 + 1
assert str(inspect.signature(u.solve)) == (
    "(data, w_values, prior_values, p_shift, shift, w_scale=1.0, prior_scale=1.0)"
)

# A callback and its user data.
assert abs(u.integrate(lambda t: t * t, 0, 3) - 9) < 1e-3
assert abs(u.integrate(np.sin, 0, np.pi, steps=1000) - 2) < 1e-5


def broken(t):
    raise KeyError(t)


raises(KeyError, "0.5", u.integrate, broken, 0, 1, 1)

# The members of a union, chosen by the type of the value.
assert u.measure(2.5) == 2.5 and u.measure("four") == -4 and u.measure(y) == 410
assert u.measure(3) == 3
raises(TypeError, "...", u.measure, None)

# Structs as results.
points = u.spaced(0, 1, 5)
same(points, np.linspace(0, 1, 5))
assert u.alive() == 1
del points
gc.collect()
assert u.alive() == 0
raises(RuntimeError, "spaced(): spaced returned status 5", u.spaced, 0, 1, 1)
mean, extremes, label, unit = u.summarize([3, 1, 2])
assert (mean, extremes.tolist(), label, unit) == (2, [1, 3], "of 3", "m")

# Arrays of strings and of objects.
assert u.labelled(["a", "bcd"], (u.Counter(2), u.Counter(5))) == 17
raises(ValueError, "labelled(): argument 'counters'...", u.labelled, ["a", "b"], [u.Counter(2)])
raises(
    TypeError,
    "labelled(): argument 'names[1]': wanted a text (str), got int",
    u.labelled,
    ["a", 1],
    [u.Counter(2)] * 2,
)

# Complex numbers, and a pointer to one value.
z = np.array([1 + 1j, 2.0])
data, norm = u.scale(1j, z)
same(data, z * 1j)
assert norm == 6 and u.scale(1, z, offset=1)[0].tolist() == [2 + 1j, 3]
assert z.tolist() == [1 + 1j, 2]
