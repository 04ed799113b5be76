import array
import inspect

import c_strings as m
import numpy as np
from support import raises, same

# Strings are UTF-8 and end at a NUL.
assert m.length("") == 0 and m.length("abc") == 3 and m.length("äé€😀") == 2 + 2 + 3 + 4
assert m.known("äh") == 3 and m.length("x" * 100_000) == 100_000


class Str(str):
    pass


assert m.length(Str("sub")) == 3 and m.length(np.str_("np")) == 2
raises(
    ValueError,
    "length(): argument 's': the string contains an embedded NUL",
    m.length,
    "a\0b",
)
raises(
    ValueError,
    "length(): argument 's': 'utf-8' codec can't encode character '\\ud800'...",
    m.length,
    "\ud800",
)
for wrong in (b"abc", 1, None, ["a"], np.array("a")):
    raises(TypeError, "length(): argument 's': wanted a text (str), got ...", m.length, wrong)

assert m.is_null() == m.is_null(None) == 1 and m.is_null("") == 0
assert m.first() == m.first(None) == ord("r") and m.first("w") == ord("w")
assert str(inspect.signature(m.first)) == "(mode='r')"
assert m.first_of_macro() == ord("r") and m.first_of_macro("x") == ord("x")
assert m.null_by_default() == 1 and m.null_by_default("") == 0
assert m.version() == 1 and m.same("a", "a") == 1 and m.same("a", "b") == 0

# Which prototype is meant.
assert m.chosen(2) == 4 and m.chosen("2.5") == 2.5 and m.chosen(b"2.5") == 3
assert (
    m.chosen(bytearray(5)) == m.chosen(np.zeros(5, np.uint8)) == m.chosen(memoryview(b"12345")) == 5
)
raises(TypeError, "chosen(): no overload takes (list); it takes:...", m.chosen, ["a"])

# Strings and bytes that C wrote.
assert m.greet("you") == "hello you" and m.greet("you", 6) == "hello" and m.greet("ä", 1) == ""
assert m.fill(5, ord("a")) == "aaaaa" and m.fill(5, ord("a"), 1) == "aaaa" and m.fill(0, 1) == ""
assert m.fill_upto(5, ord("b")) == "bbbb" and m.fill_upto(1, ord("b")) == ""
raises(
    RuntimeError,
    "fill_upto(): argument 'buffer': computed length `result - 1` is -1, but the...",
    m.fill_upto,
    0,
    1,
)
raises(
    UnicodeDecodeError,
    "...0xff in position 0: fill(): argument 'buffer': no UTF-8",
    m.fill,
    3,
    0xFF,
)

# Bytes are used in place.
assert m.total(b"") == 0 and m.total(b"\1\2\0\3") == 6
assert (
    m.total(bytearray(b"\1\2"))
    == m.total(memoryview(b"\1\2"))
    == m.total(array.array("B", [1, 2]))
    == 3
)
assert m.total(np.array([1, 255], np.uint8)) == 256 == m.total(np.array([1, -1], np.int8))
assert m.total(np.zeros(0, np.uint8)) == 0 and m.total(np.array([1, 9, 2], np.uint8)[:2]) == 10
for wrong in (
    "abc",
    1,
    None,
    [1, 2],
    np.zeros(3),
    np.zeros((2, 2), np.uint8),
    array.array("i", [1]),
):
    raises(
        TypeError,
        "total(): argument 'data': wanted bytes or an object with a buffer of bytes, got ...",
        m.total,
        wrong,
    )
raises(
    ValueError,
    "total(): argument 'data': the bytes must be contiguous",
    m.total,
    np.zeros(6, np.uint8)[::2],
)
assert m.total_or_null() == m.total_or_null(None) == 0 and m.total_or_null(b"a") == 97

got = m.reversed(b"abc")
assert got == b"cba" and type(got) is bytes
assert m.reversed(b"") == b"" and m.reversed(b"a") == b"a" and m.reversed(bytearray(b"ab")) == b"ba"
given = b"abcd"
assert m.mirrored(given) == b"dcba" and given == b"abcd"
assert m.mirrored(bytearray(b"xy")) == b"yx" and m.mirrored(b"") == b""
buffer = bytearray(b"abc")
assert m.mirror(buffer) is None and buffer == b"cba"
# A finished call holds no buffer: it can be resized.
for function in (m.total, m.total_or_null, m.reversed, m.mirrored, m.mirror, m.pack):
    function(buffer)
    buffer.append(1)
numbers = np.arange(4, dtype=np.uint8)
m.mirror(numbers)
same(numbers, np.array([3, 2, 1, 0], np.uint8))
raises(
    TypeError,
    "mirror(): argument 'data': wanted bytes that can be written to, such as a bytearray...",
    m.mirror,
    b"abc",
)
raises(
    ValueError, "mirror(): argument 'data': the bytes are read-only", m.mirror, memoryview(b"abc")
)
buffer.append(1)  # no reference remains

# Variable-length outputs.
assert m.pack(b"aaaab") == b"\4a\1b" and m.pack(b"") == b"" and m.pack(b"abc") == b"\1a\1b\1c"
assert m.pack(bytearray(1000)) == b"\xff\0" * 3 + bytes([1000 - 3 * 255, 0])
dest, length = m.pack_into(100, b"zzz")
assert dest == b"\3z" and length == 2
raises(RuntimeError, "pack_into(): pack returned status 5", m.pack_into, 3, b"ab")

y, n, result = m.upto(10, 3.5)
same(y, np.arange(4.0))
assert n == 4 and result == 7 and y.flags.owndata
same(m.upto(3, 100)[0], np.arange(3.0))
same(m.upto_alone(8, 0), np.zeros(0))
same(m.upto_alone(0, 1), np.zeros(0))
mine = np.full(6, -1.0)
got = m.upto_alone(6, 2, y=mine)
same(got, np.arange(2.0))
assert got.base is mine and list(mine) == [0, 1, -1, -1, -1, -1]
spread = np.full(12, -1.0)[::2]
same(m.upto_alone(6, 2, y=spread), np.arange(2.0))
assert list(spread[:3]) == [0, 1, -1]
same(m.evens([1, 2, 3, 4]), np.array([2, 4], np.int32))
same(m.evens([]), np.zeros(0, np.int32))
same(m.rows(3, 2), np.arange(4.0).reshape(2, 2))
same(m.rows(1, 2), np.zeros((0, 2)))
same(m.rows_fortran(3, 2), np.array([[0.0, 3.0], [1.0, 4.0]]))
same(m.lie(3, 3), np.zeros(3))
for says in (4, -1, 2**31 - 1, -(2**31)):
    raises(
        RuntimeError,
        f"lie(): argument 'y': computed length `n` is {says}, but the capacity is 3",
        m.lie,
        3,
        says,
    )
raises(
    RuntimeError,
    "lie_of_sum(): argument 'y': computed length `n + 9223372036854775807` "
    "overflowed, divided by zero or was read beyond an array",
    m.lie_of_sum,
    3,
    1,
)

# Size queries.
same(m.words("a new  word"), np.array([0, 2, 7]))
same(m.words(""), np.zeros(0, int))
raises(RuntimeError, "words(): words returned status 3", m.words, "why?")
same(m.first_words("one two three", 2), np.array([0, 4]))
same(m.first_words("one", 2), np.array([0]))
assert m.unpack(b"\x03a") == m.unpack_to(b"\x03a") == b"aaa" and m.unpack(b"\x00a") == b""
raises(
    ValueError,
    "unpack(): argument 'to': dimension 0 overflowed, divided by zero or was read beyond an array",
    m.unpack,
    b"a",
)
assert m.weigh("one two", [1.0, 2.5]) == 3.5 and m.weigh("", np.zeros(0)) == 0
raises(
    ValueError,
    "weigh(): argument 'weights': dimension 0 of shape (1,) is 1, but count is 2",
    m.weigh,
    "one two",
    [1.0],
)
assert m.joined("a", "b" * 300) == "a " + "b" * 300

# One for all items.
assert m.scaled(2.0) == 2 and m.scaled(2.0, "k") == 2000
same(m.scaled([1.0, 2.0], "k"), np.array([1000.0, 2000.0]))
same(m.scaled([1.0, 2.0]), np.array([1.0, 2.0]))
same(m.scaled_k([[1.0], [2.0]]), np.array([[1000.0], [2000.0]]))
same(m.scaled_k([1.0], "m"), np.array([1.0]))
raises(
    TypeError,
    "scaled_k(): argument 'unit': wanted a text (str), got list",
    m.scaled_k,
    [1.0],
    ["k"],
)
