import status_bools as m
from support import raises

# `true` is success, and the code is not a result.
assert m.half(6) == 3
raises(ArithmeticError, "half(): it is odd", m.half, 7)
assert list(m.half([2, 4])) == [1, 2]
raises(ArithmeticError, "half(): it is odd (item (1,))", m.half, [2, 5])
assert m.code(1) is None
raises(RuntimeError, "code(): sb_code returned status 2", m.code, 2)

# A function may reverse it.
assert m.flag(1) is None
raises(ValueError, "flag(): it is negative", m.flag, -1)
assert m.plain(1) is None
raises(RuntimeError, "plain(): sb_plain returned false", m.plain, 0)

# In an argument, which is `true` before the call.
assert m.root(9.0) == 3.0
raises(ArithmeticError, "root(): it is negative", m.root, -1.0)
assert list(m.root([4.0, 1.0])) == [2.0, 1.0]

# Constructors and methods, with the reason that the object has.
counter = m.Counter(5)
assert counter.add(3) is None and counter.total() == 3
raises(ArithmeticError, "Counter.add(): that is too much", counter.add, 3)
raises(ArithmeticError, "Counter(): the limit is negative", m.Counter, -1)
assert m.counters() == 1

# A callback returns None, which is `true`; an exception is `false`.
seen = []
assert m.each(2, seen.append) is None and seen == [0, 1]
raises(ArithmeticError, "each(): a call has failed", m.each, 3, seen.append)
calls = []
raises(ZeroDivisionError, "...", m.each, 3, lambda k: calls.append(1 // (1 - k)))
assert calls == [1]
