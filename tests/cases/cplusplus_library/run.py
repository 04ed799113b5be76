import decimal
import sys
import threading
import warnings

import cplusplus_library as m
import numpy as np
from support import raises, same

THROWN = [
    (ValueError, "invalid xx"),
    (ValueError, "domain"),
    (IndexError, "range"),
    (OverflowError, "overflow"),
    (MemoryError, "std::bad_alloc"),
    (RuntimeError, "naïve \N{REPLACEMENT CHARACTER}"),
    (RuntimeError, "y" * 508 + "…"),
    (decimal.InvalidOperation, "parse"),
    (KeyError, "'error'"),
    (ConnectionError, "lib::not_a_std_exception"),
    (NotImplementedError, "int"),
    (EOFError, "text"),
    (RuntimeError, "an exception that is not a std::exception"),
    (RuntimeError, ""),
]

# In a call, with the GIL and without, and below C++ code of the interface.
assert m.fail(99) == 0
strided = np.zeros(6)[::2]
for what, (kind, text) in enumerate(THROWN):
    raises(kind, text, m.fail, what)
    raises(kind, text, m.fail_released, what, np.zeros(3))
    raises(kind, text, m.fail_released, what, strided)
    raises(kind, text, m.around, what)
same(strided, [0.0, 0.0, 0.0])  # C++ worked on a copy
raises(IndexError, "before", m.around, 100)
raises(decimal.InvalidOperation, "behind", m.around, 102)
assert m.around(99) == 0 and m.around(101) == 2
raises(RuntimeError, "anyway", m.throw_anyway)

# In a batch the item is named, on any thread; no exception escapes.
for what, (kind, text) in enumerate(THROWN):
    suffix = " (item (0, 1))"
    wanted = f"'error{suffix}'" if kind is KeyError else text + suffix
    raises(kind, wanted, m.fail_each, [[99, what], [what, 99]])
many = np.full(400_000, 99, np.int32)
assert not m.fail_each(many).any()
many[[234_567, 399_999]] = 2, 3
raises(IndexError, "range (item (234567,))", m.fail_each, many)

# From several threads at once.
seen = []


def throw():
    for _ in range(200):
        try:
            m.fail_released(2, np.zeros(3))
        except IndexError as error:
            seen.append(str(error))


team = [threading.Thread(target=throw) for _ in range(4)]
[one.start() for one in team]
[one.join() for one in team]
assert seen == ["range"] * 800

# The function of exactly this type.
assert m.area(2.0) == 12.0 and m.area(2) == 16
assert m.area(np.float32(2)) == 12.0  # that of float is not wrapped
assert m.largest_int([1, 5, 2]) == 5 and m.largest([1.5, 0.5]) == 1.5
raises(ValueError, "nothing is largest of nothing", m.largest, np.zeros(0))
assert m.pair(4) == 7
assert m.twice(3) == 6.0
same(m.twice([1.0, 2.0]), [2.0, 4.0])
same(m.fill(2), [42.0, 42.0])
same(m.fill(1, 2.5), [2.5])
assert m.norm([3.0, 4.0]) == 5.0
raises(ValueError, "norm of NaN", m.norm, [np.nan])

# Return codes along with exceptions: the message in a temporary is copied in time.
assert m.check(0) is None and m.check(7) is None
raises(ValueError, "check(): code -1 of a library", m.check, -1)
raises(RuntimeError, "check(): code 1 of a library", m.check, 1)
raises(decimal.InvalidOperation, "parse", m.check, 9)
raises(RuntimeError, "check_plain(): lib::check returned status 7", m.check_plain, 7)
raises(decimal.InvalidOperation, "parse", m.check_plain, 9)
m.check_each([0, 0])
raises(RuntimeError, "check_each(): lib::check returned status 2 (item (1,))", m.check_each, [0, 2])
raises(decimal.InvalidOperation, "parse (item (1,))", m.check_each, [0, 9])
with warnings.catch_warnings():
    warnings.simplefilter("error")
    raises(RuntimeWarning, "check(): code 3 of a library", m.check, 3)

# Enums of their own type.
assert m.judge(5) == 5 and m.judge_plain(0) is None
same(m.judge([0, 5]), np.int32([0, 5]))
raises(RuntimeError, "judge(): as bad as can be (item (1,))", m.judge, [0, 7])
raises(RuntimeError, "judge(): lib::judge returned status 3", m.judge, 3)
raises(RuntimeError, "judge_plain(): lib::judge returned status 5", m.judge_plain, 5)

# Calls that throw leak nothing.
x = np.zeros(3)
before = sys.getrefcount(x)
for _ in range(1000):
    raises(IndexError, "range", m.fail_released, 2, x)
assert sys.getrefcount(x) == before
