import collections
import gc
import sys

import cplusplus_containers as m
import numpy as np
from support import raises, same


def same_rows(got, wanted):
    assert isinstance(got, list) and len(got) == len(wanted), got
    for one, other in zip(got, wanted):
        same(one, other)


# Strings.
assert m.words("to be or not") == ["to", "be", "or", "not"] and m.words("") == []
assert m.words("ü" * 100 + " b") == ["ü" * 100, "b"]
assert m.sort(["b", "a", "c"]) == ["a", "b", "c"] and m.sort(()) == []
assert m.split("to be") == (["to", "be"], 2)
assert m.first_word("to be") == "to" and m.first_word("") == ""
assert m.binary() == ["a\0b", ""]
for _ in range(20):
    raises(UnicodeDecodeError, "...broken(): the result: no UTF-8", m.broken)
raises(TypeError, "sort(): argument 'words': wanted a sequence, got str", m.sort, "ab")
raises(TypeError, "sort(): argument 'words[1]': wanted a str, got int", m.sort, ["a", 1])
raises(
    ValueError, "sort(): argument 'words[1]': ...surrogates not allowed", m.sort, ["a", "\ud800"]
)

# Optional values.
assert m.root(-1) is None and m.root(4) == 2 and isinstance(m.root(4), float)
assert m.positive() is None and m.positive(None) is None
same(m.positive([1, -2, 3]), [1.0, 3.0])
same(m.positive(np.arange(-2, 2)), [1.0])
same(m.positive([]), np.empty(0))
assert m.digits([1, None, 255]) == [255, None, 1]
raises(
    OverflowError,
    "digits(): argument 'values[1]': 256 is out of range for uint8 (0 to 255)",
    m.digits,
    [1, 256],
)
raises(
    TypeError,
    "digits(): argument 'values[0]': wanted an integer (uint8), got float",
    m.digits,
    [1.5],
)

# Rows: lists of arrays, and arrays of two dimensions.
same_rows(m.transposed([[1, 2, 3], [4, 5], np.array([6.0])]), [[1.0, 4.0, 6.0], [2.0, 5.0], [3.0]])
same_rows(m.transposed(np.arange(6.0).reshape(2, 3)), [[0.0, 3.0], [1.0, 4.0], [2.0, 5.0]])
same_rows(m.transposed(np.arange(6.0).reshape(2, 3).T[::-1]), [[2.0, 1.0, 0.0], [5.0, 4.0, 3.0]])
assert m.transposed([]) == []
assert m.total([[[1, 2]], [], [[3], [], [4.5]]]) == 10.5
assert m.total(np.ones((3, 4, 5))) == 60
raises(TypeError, "transposed(): argument 'rows': wanted a sequence, got float", m.transposed, 1.5)
raises(TypeError, "transposed(): argument 'rows': wanted a sequence, got dict", m.transposed, {})
raises(TypeError, "total(): argument 'x[0][1]': ...", m.total, [[[1], ["a"]]])
raises(TypeError, "transposed(): argument 'rows[1]': ...", m.transposed, [[1], [1j]])

# Maps.
assert m.counted(["a", "b", "a"]) == {"a": 2, "b": 1} and m.counted([]) == {}
scaled = m.scaled({"x": [1, 2], "y": np.array([3.0])}, 2)
assert set(scaled) == {"x", "y"}
same(scaled["x"], [2.0, 4.0])
same(scaled["y"], [6.0])
assert m.inverted({"a": 1, "b": -(2**63)}) == {1: "a", -(2**63): "b"}
assert m.inverted(collections.OrderedDict(a=np.int64(1))) == {1: "a"}
assert m.poles() == {"a": 1j, "b": 2 - 1j}
raises(TypeError, "counted(): argument 'words': ...", m.counted, {"a": 1})
raises(TypeError, "inverted(): argument 'ids': wanted a dict, got list", m.inverted, [1])
raises(TypeError, "inverted(): argument 'ids.keys()[0]': wanted a str, got int", m.inverted, {1: 1})
raises(
    OverflowError, "inverted(): argument 'ids.values()[1]': ...", m.inverted, {"a": 1, "b": 2**63}
)
raises(IndexError, "negative", m.failing, -1)
assert m.failing(3) == {3: 3}

# Variants: the first alternative of exactly the value's type, else the first that it is converted to.
for value, kind in [
    (1, "int"),
    (np.int8(1), "int"),
    (True, "int"),
    (1.5, "double"),
    (np.float32(1.5), "double"),
    (2**40, "double"),
    ("a", "string"),
    ([1, 2], "vector"),
    (np.arange(3), "vector"),
    ([], "vector"),
]:
    assert m.kind(value) == kind, value
raises(
    TypeError,
    "kind(): argument 'value': wanted an int, a float, a str, an array, got dict",
    m.kind,
    {},
)
raises(TypeError, "kind(): argument 'value': wanted ..., got None", m.kind, None)
assert m.parsed("") is None and m.parsed("12") == 12 and m.parsed("ab") == "ab"

# Tuples, arrays of a fixed size, sets.
assert m.ranked({"a": 1, "b": 3, "c": 2}) == [("b", 3.0), ("c", 2.0), ("a", 1.0)]
assert m.summary(1) == (["x"], None) and m.summary(2) == (["x", "x"], 2)
assert m.area((2, 3), [[1, 0], [0, 1]]) == 6
raises(ValueError, "area(): argument 'size': wanted 2 values, got 3", m.area, (1, 2, 3), [])
message = "area(): argument 'turned': wanted 2 values, got 1"
raises(ValueError, message, m.area, (1, 2), [[1, 2]])
message = "area(): argument 'turned[1]': wanted 2 values, got 3"
raises(ValueError, message, m.area, (1, 2), [[1, 2], [1, 2, 3]])

# Several values for a key.
assert m.lengths(["be", "a", "bee"]) == [("a", 1), ("b", 2), ("b", 3)]
pairs = [("a", 2), ("b", 3), ["a", 1], ("a", 2)]
assert m.values_of(pairs, "a") == [1, 2, 2] and m.values_of([], "a") == []
raises(
    TypeError,
    "values_of(): argument 'all': wanted a sequence, got dict",
    m.values_of,
    {"a": 1},
    "a",
)
message = "values_of(): argument 'all[0]': wanted 2 values, got 1"
raises(ValueError, message, m.values_of, [("a",)], "a")

# The values of all elements choose the alternative of a variant.
assert m.listed([1, 2]) == "ints" and m.listed([1, 2.5]) == "doubles"
assert m.listed(["a", "b"]) == "strings" and m.listed((1.0, 2)) == "doubles"
raises(TypeError, "listed(): argument 'value': ...", m.listed, ["a", 1])
assert m.mapped({"a": 1}) == "ints" and m.mapped({"a": "b"}) == "strings" == m.mapped({"a": ""})
raises(TypeError, "mapped(): argument 'value': wanted a dict, a dict, got dict", m.mapped, {1: 1})
assert m.paired((1, 2)) == "ints" and m.paired((1, "a")) == "int and string" == m.paired([1, "a"])
assert m.paired([1, 2, 3]) == "three"
raises(TypeError, "paired(): argument 'value': ...", m.paired, ("a", 1))
assert m.real_first(1) == "int" and m.real_first(1.0) == "double"
assert m.unique([3, 1, 3]) == [1, 3]
bits = m.bits(3)
same_rows(bits, [[False, False], [True, False], [False, True]])

# Methods, properties, fields.
table = m.Table()
table.set("x", [1, 2])
table.set("y", None)
assert list(table.all) == ["x"]
same(table.all["x"], [1.0, 2.0])
same(table.column("x"), [1.0, 2.0])
assert table.column("y") is None
table.limits = {"low": 1, "high": 2.5}
assert table.limits == {"high": 2.5, "low": 1.0}
table.names = ["a", "b"]
assert table.names == ["a", "b"]
raises(
    TypeError, "Table.names(): argument 'value[0]': ...got None", setattr, table, "names", [None]
)

# Overloads.
assert (
    m.described({"a": 1}) == "a map"
    and m.described([[1, 2], [3]]) == "rows"
    and m.described(2) == "a number"
)
assert m.described(np.ones((2, 2))) == "rows"
raises(TypeError, "described(): no overload ...", m.described, "a")

# Each allocation of C++ fails in turn: nothing leaks, and the next call works.
calls = [
    lambda: m.words("a " + "b" * 50),
    lambda: m.sort(["b" * 50, "a" * 50]),
    lambda: m.split("a " + "b" * 50),
    lambda: m.positive([1, -2, 3]),
    lambda: m.transposed([[1, 2, 3], [4, 5]]),
    lambda: m.counted(["a" * 50, "b", "a" * 50]),
    lambda: m.scaled({"x" * 50: [1, 2], "y": [3]}, 2),
    lambda: m.inverted({"a" * 50: 1, "b": 2}),
    lambda: m.kind("a" * 50),
    lambda: m.ranked({"a" * 50: 1, "b": 3}),
    lambda: m.summary(3),
    lambda: m.unique([3, 1]),
    lambda: m.bits(3),
    lambda: m.digits([1, None]),
    lambda: table.column("x"),
    lambda: table.all,
    lambda: table.limits,
    lambda: table.names,
]
before = m.allocated()
for call in calls:
    m.fail_at(0)
    call()
    for allocation in range(1, 1000):
        m.fail_at(allocation)
        try:
            call()
        except MemoryError:
            assert m.allocated() == before, (allocation, m.allocated())
        else:
            break
    assert allocation > 1 or before == 0  # a sanitizer has its own allocations
m.fail_at(0)

# Values that the caller passes are released.
words = ["b" * 100, "a"]
count = sys.getrefcount(words[0]), sys.getrefcount(words)
for _ in range(100):
    m.sort(words), m.scaled({words[0]: np.ones(100)}, 2), m.transposed([range(50)] * 20)
    raises(TypeError, "...", m.sort, [*words, 1])
assert count == (sys.getrefcount(words[0]), sys.getrefcount(words))
gc.collect()
