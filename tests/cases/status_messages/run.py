import numpy as np
import status_messages as m
from support import raises, same

# The result is NULL, or a message of the library.
assert m.root(4) == 2
raises(RuntimeError, "root(): it has no root", m.root, -1)
same(m.root([1, 4, 9]), np.array([1.0, 2.0, 3.0]))
raises(RuntimeError, "root(): it has no root (item (1,))", m.root, [1, -4, 9])
raises(RuntimeError, "explained(): -2: it has no root", m.explained, -2)

# An argument, of a constructor too. The caller's messages are freed.
store = m.Store("one")
store.put("a", 2.5)
assert store.get("a") == 2.5
raises(RuntimeError, "Store.get(): no such key", store.get, "b")
raises(RuntimeError, "Store.put(): key too long: abcdefgh", store.put, "abcdefgh", 1)
raises(RuntimeError, "Store(): cannot open something", m.Store, "something")
assert m.messages() == 0

# The exception of a callback takes precedence; the message is freed all the same.
seen = []
store.each(lambda key, value: seen.append((key, value)))
assert seen == [("a", 2.5)]
store.put("a", -1)
raises(RuntimeError, "Store.each(): negative: a", store.each, lambda key, value: None)
raises(ZeroDivisionError, "division by zero", store.each, lambda key, value: 1 / 0)
assert m.messages() == 0

# The message of a query, and of the call after it.
same(m.powers(2), np.array([1.0, 2.0, 4.0]))
raises(RuntimeError, "powers(): no powers of zero", m.powers, 0)
raises(RuntimeError, "powers(): negative", m.powers, -1)
assert m.messages() == 0

# Numbers follow the convention of the module.
assert m.number(5) is None
raises(RuntimeError, "number(): minus one", m.number, -1)
