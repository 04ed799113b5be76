import gc

import cplusplus_types as m
import numpy as np
from support import raises, same

# References to numbers.
assert m.scaled(1.5, 2) == 3 and m.twice(2.5) == 5
same(m.scaled([1.0, 2.0], 3), [3.0, 6.0])
assert m.divide(7, 2) == (3, 1, True) and m.divide(7, 0) == (0, 7, False)

# Strings.
assert m.greet("you", "?") == "you?" and m.greet("ü" * 100, "") == "ü" * 100
assert m.shout("abc") == "ABC"
assert all(m.nul() == "a\0b" for _ in range(50))
raises(ValueError, "greet(): argument 'name': ...", m.greet, "a\0b", "")
raises(TypeError, "greet(): argument 'name': wanted a text (str), got int", m.greet, 1, "")
assert m.join(["a", "b", "c"], "-") == "a-b-c" and m.join([], "-") == ""
assert m.name_of(1) == "one" and m.name_of(2) is None

# Arrays. The memory of a vector that C++ returns is that of the array.
assert m.sum([1, 2, 3]) == 6 and isinstance(m.sum([1, 2, 3]), int)
assert m.sum(np.array([0.5, 1.0])) == 1.5 and m.sum(np.empty(0)) == 0
made = m.steps(4, by=0.5)
same(made, [0.0, 0.5, 1.0, 1.5])
assert not made.flags.owndata and made.flags.writeable
same(m.steps(0), np.empty(0))
raises(RuntimeError, "too many steps", m.steps, 1000001)
same(m.extend(np.array([1, 2], np.int32), 3), np.array([1, 2, 3], np.int32))
same(m.primes(12), np.array([2, 3, 5, 7, 11], np.int32))
view = made[1:]
del made
gc.collect()
same(view, [0.5, 1.0, 1.5])
assert m.norm([1, 2, 2]) == 9
raises(ValueError, "norm(): argument 'x': dimension 0 ... 3...", m.norm, [1, 2])
turned = np.array([1.0, 2.0, 3.0])
m.rotate(turned)
same(turned, [2.0, 3.0, 1.0])
same(m.corner(), np.array([3, 4], np.int32))
assert m.turned(1 + 2j) == -2 + 1j
same(m.conjugated(np.array([1 + 2j, 3j], np.complex64)), np.array([1 - 2j, -3j], np.complex64))
same(m.even(np.array([1, 2, 4], np.int32)), [False, True, True])
same(m.table(), [1.0, 2.0, 3.0])
assert m.extremes([3, 1, 2]) == (1, 3)
for _ in range(50):
    raises(IndexError, "no values have no extremes", m.extremes, [])

# Optional values.
assert m.shifted(1) == 1 and m.shifted(1, 2) == 3 and m.shifted(1, by=None) == 1

# Callbacks.
assert abs(m.integrate(lambda x: x * x, 0, 3) - 9) < 1e-3
raises(ZeroDivisionError, "division by zero", m.integrate, lambda x: 1 / 0, 0, 1)

# Objects: by reference, by value, moved in and out.
item = m.Item(3)
assert m.count() == 1 and item.plus(1) == 4 and item.plus(0.5) == 3.5
raises(ValueError, "a number is negative", m.Item, -1)
item.add(m.Item(4))
assert item.plus(0) == 7 and m.count() == 1
same_object = item.self()
assert same_object.plus(0) == 7 and m.count() == 1
both = m.merged(item, m.Item(1))
assert both.plus(0) == 8 and item.plus(0) == 7 and m.count() == 2
assert m.total([item, both, item]) == 22 and m.count() == 2
raises(TypeError, "total(): argument 'items[1]': wanted a Item, got int", m.total, [item, 3])
unique = m.make(5)
assert m.count() == 3 and m.take(unique) == 5 and m.count() == 2
raises(ValueError, "take(): argument 'item': this Item was consumed: C owns it", m.take, unique)
raises(ValueError, "a number is negative", m.make, -1)
assert m.found(-1) is None and m.found(6).plus(0) == 6
numbers, text, mixed = m.mixed(2)
same(numbers, [1.5, 1.5])
assert text == "mixed" and mixed.plus(0) == 2
del item, same_object, both, mixed
gc.collect()
assert m.count() == 0

# Nothing leaks: neither vectors nor objects.
for _ in range(200):
    m.steps(1000), m.mixed(3), m.extend(np.arange(50, dtype=np.int32), 1), m.shout("x" * 100)
assert m.count() == 0
