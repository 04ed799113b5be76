import decimal
import errno
import os
import sys
import warnings

import numpy as np
import status_meanings as m
from support import raises, same

# Of the module: values, names, messages, exceptions.
assert m.plain(0) is None and m.plain(101) is None and m.plain(0.5) is None
raises(ValueError, "plain(): error number 1, naïve", m.plain, 1)
raises(ValueError, "plain(): error number 1, naïve", m.plain, -0.5)
raises(decimal.InvalidOperation, "plain(): error number 2, naïve", m.plain, 2)
raises(RuntimeError, "plain(): error number 3, naïve", m.plain, 3)
raises(RuntimeError, 'plain(): seven is "right" out', m.plain, 7)
raises(RuntimeError, "plain(): lib_parse returned status 41", m.plain, 41)
raises(RuntimeError, "plain(): lib_parse returned status -1", m.plain, -1)

# Of a function, in place of the module's keys that it names.
raises(KeyError, "'parse(): error number 3, naïve'", m.parse, 3)
raises(RuntimeError, "parse(): error number 2, naïve", m.parse, 2)
raises(RuntimeError, 'parse(): seven is "right" out', m.parse, 7)


def warned(call, *args):
    """The result of a call, and its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = call(*args)
    assert all(one.category is RuntimeWarning and one.filename == __file__ for one in caught), (
        caught
    )
    return result, [str(one.message) for one in caught]


# Warnings: the results are returned, unless the user wants exceptions.
assert warned(m.half, 4) == (2, [])
assert warned(m.half, 5) == (2, ["half(): error number 30, naïve"])
x = np.array([1.0, 2.0])
assert warned(m.bump_all, x) == (None, ["bump_all(): error number 30, naïve"])
same(x, [2.0, 3.0])
with warnings.catch_warnings():
    warnings.simplefilter("error")
    raises(RuntimeWarning, "half(): error number 30, naïve", m.half, 5)
    strided = np.zeros(4)[::2]
    raises(RuntimeWarning, "bump_all(): error number 30, naïve", m.bump_all, strided)
    same(strided, [0.0, 0.0])  # C worked on a copy, which is not written back
    raises(RuntimeWarning, "half(): error number 30, naïve (item (1,))", m.half, [2, 3, 5])
    raises(RuntimeError, "half(): error number 1, naïve (item (2,))", m.half, [2, 3, -5])
raises(RuntimeError, "bump_all(): error number 2, naïve", m.bump_all, np.zeros(3))

# Of items: the first that warned is named, on any number of threads.
result, messages = warned(m.half, [[2, 4], [5, 7]])
same(result, np.int32([[1, 2], [2, 3]]))
assert messages == ["half(): error number 30, naïve (item (1, 0))"], messages
many = np.full(2_000_000, 2, np.int32)
many[[77_777, 1_234_567]] = 3
for _ in range(3):
    result, messages = warned(m.halves, many)
    assert result.sum() == many.size and len(messages) == 1, messages
    assert messages == ["halves(): error number 30, naïve (item (77777,))"], messages
many[1_500_000] = -2
raises(ZeroDivisionError, "halves(): error number 1, naïve (item (1500000,))", m.halves, many)
assert warned(m.halves, np.int32([[]]))[1] == []

# A return code that is a value.
assert m.count([1, -1, 2]) == 2 and m.count([-1]) == 0
raises(RuntimeError, "count(): lib_count returned status -1", m.count, [])
assert warned(m.count, [np.nan]) == (-2, ["count(): lib_count returned status -2"])
result, messages = warned(m.count_each, [[1.0, 2.0], [np.nan, 1.0], [-1.0, 0.0]])
same(result, np.int64([2, -2, 0]))
assert messages == ["count_each(): lib_count returned status -2 (item (1,))"], messages
raises(
    RuntimeError,
    "count_each(): lib_count returned status -1 (item (0,))",
    m.count_each,
    np.zeros((2, 0)),
)

# errno.
assert m.open_file(0) is None
for number, kind in [
    (errno.ENOENT, FileNotFoundError),
    (errno.EACCES, PermissionError),
    (errno.EDOM, OSError),
]:
    try:
        m.open_file(number)
    except OSError as error:
        assert (
            type(error) is kind and error.errno == number and error.strerror == os.strerror(number)
        ), error
    else:
        raise AssertionError(number)
try:
    m.open_file([0, errno.ENOENT])
except FileNotFoundError as error:
    assert error.strerror == f"{os.strerror(errno.ENOENT)} (item (1,))", error
assert warned(m.open_file, -3) == (None, ["open_file(): lib_open returned status -3"])
raises(BlockingIOError, f"[Errno {errno.EAGAIN}] the lock is gone", m.lock, errno.EAGAIN)

# All 64 bits of a return code.
raises(RuntimeError, "wide(): lib_wide returned status 18446744073709551615", m.wide, 2**64 - 1)
assert warned(m.wide, 1) == (None, ["wide(): lib_wide returned status 1"])

# No result of a call leaks.
x = np.array([1.0, 2.0])
before = sys.getrefcount(x)
for _ in range(100):
    warned(m.bump_all, x)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        raises(RuntimeWarning, "bump_all(): error number 30, naïve", m.bump_all, x)
assert sys.getrefcount(x) == before
