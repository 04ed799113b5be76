import threading
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import ragged as m
from support import raises, same

rng = np.random.default_rng(4)


def lists(values, *offsets, content="values"):
    """Values in lists, the offsets of the outermost level first."""
    for level in reversed(offsets):
        values = SimpleNamespace(**{content: values, "offsets": np.asarray(level)})
    return values


def plain(x):
    """Lists of Python, from an array with offsets."""
    if not hasattr(x, "offsets"):
        return x.tolist()
    content = plain(x.values if hasattr(x, "values") else x.content)
    return [content[i:j] for i, j in zip(x.offsets[:-1], x.offsets[1:], strict=True)]


x = lists(np.arange(6.0), [0, 3, 3, 6])
f = lists(np.float32([1, 2, 4, 8, 16, 32]), [0, 3, 4, 6])

# Values as items: the same lists come back. Lists as items: one value for each.
assert plain(m.square(x)) == [[0, 1, 4], [], [9, 16, 25]]
assert m.square(f).values.dtype == np.float32
same(m.sum(x), [3.0, 0.0, 12.0])
same(m.dot(x, x), [5.0, 0.0, 50.0])
deep = lists(np.arange(6.0), [0, 2, 2, 3], [0, 3, 3, 6])
assert plain(m.square(deep)) == [[[0, 1, 4], []], [], [[9, 16, 25]]]
assert plain(m.sum(deep)) == [[3, 0], [], [12]]

# Results with lists of their own.
assert plain(m.steps(f)) == [[1, 2], [], [16]]
assert m.steps(f).offsets.dtype == np.int64
assert plain(m.pad(7, x)) == [[7, 0, 1, 2, 7], [7, 7], [7, 3, 4, 5, 7]]
assert plain(m.pad(7, deep)) == [[[7, 0, 1, 2, 7], [7, 7]], [], [[7, 3, 4, 5, 7]]]
buffer = np.zeros(12)
result = m.pad(7, x, y=buffer)
assert result.values is buffer and buffer.tolist() == [7, 0, 1, 2, 7, 7, 7, 7, 3, 4, 5, 7]
wide = np.zeros(24)
m.pad(7, x, y=wide[::2])
same(wide[::2], buffer)
raises(
    ValueError,
    "pad(): argument 'y': dimension 0 is 3, but must be 12",
    m.pad,
    7,
    x,
    y=np.zeros(3),
)
p = lists(np.arange(12.0).reshape(6, 2), [0, 1, 1, 6])
low, high = m.box(p)
same(low, [[0.0, 1.0], [0.0, 0.0], [2.0, 3.0]])
same(high, [[0.0, 1.0], [0.0, 0.0], [10.0, 11.0]])
a = m.outer(x, [1.0, 10.0])
assert plain(a) == [[[0, 0], [1, 10], [2, 20]], [], [[3, 30], [4, 40], [5, 50]]]

# One value for each list, and one for all; lists for each list of lists.
assert plain(m.pad([7, 8, 9], x)) == [[7, 0, 1, 2, 7], [8, 8], [9, 3, 4, 5, 9]]
assert plain(m.pad([7, 8, 9], deep)) == [[[7, 0, 1, 2, 7], [7, 7]], [], [[9, 3, 4, 5, 9]]]
each = lists(np.array([7.0, 8, 9]), [0, 2, 2, 3])
assert plain(m.pad(each, deep)) == [[[7, 0, 1, 2, 7], [8, 8]], [], [[9, 3, 4, 5, 9]]]
assert plain(m.pad([7], x))[1] == [7, 7]
assert plain(m.scaled(lists(np.ones(4), [0, 2, 2, 4]), [1, 2, 3])) == [[1, 1], [], [3, 3]]
same(m.weigh(x, x), [5.0, 0.0, 50.0])
same(m.weigh(x), [3.0, 0.0, 12.0])
same(m.weigh(lists(np.arange(6.0), [0, 3, 6]), np.array([1.0, 2, 3])), [8.0, 26.0])
same(m.weigh(np.array([1.0, 2, 3]), lists(np.arange(6.0), [0, 3, 6])), [8.0, 26.0])
same(m.weigh_ones(x), [3.0, 0.0, 12.0])

# Defaults that depend on the lists.
assert plain(m.grown(x)) == [[0, 1, 2, 3], [], [3, 4, 5, 3]]
assert plain(m.grown(x, 2)) == [[0, 1, 2, 3, 3], [0, 0], [3, 4, 5, 3, 3]]

# Written in place, and copies.
y = lists(np.arange(1.0, 7.0), [0, 3, 3, 6])
copy = m.normalized(y)
assert y.values[0] == 1 and m.normalize(y) is None
same(y.values, copy.values)
np.testing.assert_allclose(y.values, [1 / 6, 2 / 6, 3 / 6, 4 / 15, 5 / 15, 6 / 15])
strided = np.arange(12.0)
z = lists(strided[1::2], [0, 3, 3, 6])
m.normalize(z)
np.testing.assert_allclose(strided[1::2], [1 / 9, 3 / 9, 5 / 9, 7 / 27, 9 / 27, 11 / 27])
same(strided[::2], np.arange(0.0, 12, 2))
raises(
    ValueError,
    "both(): argument 'x': the items must be C-contiguous, aligned and in native byte order",
    m.both,
    z,
)
y = lists(np.arange(1.0, 7.0), [0, 3, 3, 6])
result = m.both(y)
same(result.values, y.values)
assert result.values is not y.values
m.scale([1, 2, 3], y := lists(np.ones(4), [0, 2, 2, 4]))
same(y.values, [1.0, 1.0, 3.0, 3.0])

# Containers: with other attribute names, of another type, of an unsupported type.
assert plain(m.square(lists(np.arange(2.0), [0, 2], content="content"))) == [[0, 1]]
assert hasattr(m.square(lists(np.arange(2.0), [0, 2], content="content")), "content")


@dataclass
class Ragged:
    values: object
    offsets: object

    def __len__(self):
        return len(self.offsets) - 1


class Fixed:
    values = np.arange(3.0)
    offsets = (0, 1, 3)


result = m.square(Ragged(np.arange(3), [0, 1, 3]))
assert isinstance(result, Ragged) and plain(result) == [[0], [1, 4]]
assert isinstance(m.square(Fixed()), SimpleNamespace)

# Dimensions that do not match, and the item at which they differ.
raises(
    ValueError,
    "dot(): argument 'y': dimension 0 is 1, but n is 0, as in argument 'x' (item (1,))",
    m.dot,
    x,
    f,
)
raises(
    ValueError,
    "dot(): argument 'y': its number of lists differs from that of argument 'x'",
    m.dot,
    x,
    lists(np.arange(6.0), [0, 3, 6]),
)
raises(
    ValueError,
    "dot(): argument 'y': list 0 is not as long as that of argument 'x'",
    m.dot,
    deep,
    lists(np.arange(6.0), [0, 1, 2, 3], [0, 3, 3, 6]),
)
raises(
    ValueError,
    "weigh(): argument 'w': dimension 0 is 3, but n is 0, as in argument 'x' (item (1,))",
    m.weigh,
    x,
    np.ones(3),
)
raises(
    ValueError,
    "pad(): argument 's': it has 2 values for 3 lists of argument 'x'",
    m.pad,
    [1, 2],
    x,
)
raises(
    ValueError,
    "pad(): argument 's': ragged arguments have at most one leading dimension, not 2",
    m.pad,
    np.ones((3, 1)),
    x,
)
raises(
    ValueError,
    "less(): argument 'd': dimension 0 is negative (-1) (item (1,))",
    m.less,
    lists(np.float32([1, 2]), [0, 1, 1, 2]),
)
raises(
    ValueError,
    "outer(): argument 'a': it would be ragged in an inner dimension: only the first, in C's order, may "
    "vary per item",
    m.outer,
    [1.0],
    x,
)
raises(
    ValueError,
    "columns(): argument 'p': lists cannot be the first dimension of an item in Fortran's order",
    m.columns,
    p,
)
raises(
    ValueError,
    "box(): argument 'p': its values are of rank 1, but an item is of rank 2: only the first dimension may "
    "be ragged",
    m.box,
    deep,
)
raises(
    ValueError,
    "sum(): argument 'x': its values have 3 dimensions, but an item has 1",
    m.sum,
    lists(np.ones((2, 2, 2)), [0, 2]),
)
raises(
    OverflowError,
    "short_sum(): argument 'x': dimension 0 is 200, which is out of range for n (int8) (item (1,))",
    m.short_sum,
    lists(np.ones(203, np.int32), [0, 3, 203]),
)
raises(
    OverflowError,
    "tiny(): argument 'k': its value is out of range for int8 (item (2, 1))",
    m.tiny,
    lists(np.zeros(206, np.int32), [0, 2, 2, 4], [0, 3, 4, 6, 206]),
)
raises(RuntimeError, "pad(): pad returned status 3 (item (2,))", m.pad, [1, 1, -1], x)
raises(RuntimeError, "pad(): pad returned status 3 (item (2, 0))", m.pad, [1, 1, -1], deep)
raises(
    RuntimeError,
    "positive(): positive returned status 1 (item (2, 1))",
    m.positive,
    lists(np.array([1.0, 1, 1, 1, -1]), [0, 3, 3, 5]),
)
raises(
    ValueError,
    "scale(): argument 'x': C writes to it, so each item needs its own",
    m.scale,
    x,
    np.ones(3),
)
raises(
    TypeError,
    "filled(): argument 'w': it is required if other arguments are ragged",
    m.filled,
    x,
)

# Invalid offsets are refused.
for values, offsets, error, text in [
    ([1.0, 2], [0, 3], ValueError, "its offsets reach 3, but it has only 2 values"),
    ([1.0, 2], [0, 2, 1], ValueError, "list 1 goes from offset 2 to 1"),
    ([1.0, 2], [0, 2**62], ValueError, f"its offsets reach {2**62}, but it has only 2 values"),
    ([1.0, 2], [-1, 2], ValueError, "list 0 goes from offset -1 to -1"),
    ([1.0, 2], np.array([0, 2**64 - 1], "u8"), ValueError, "list 0 goes from offset 0 to -1"),
    ([1.0, 2], np.zeros(0, int), ValueError, "it has no offsets: n lists need n + 1"),
    (
        [1.0, 2],
        [0.0, 2.0],
        TypeError,
        "its offsets must be a 1-D array of integers, got an array of float64 and shape (2,)",
    ),
    (
        [1.0, 2],
        [[0, 2]],
        TypeError,
        "its offsets must be a 1-D array of integers, got an array of int64 and shape (1, 2)",
    ),
    (np.array(1.0), [0, 1], ValueError, "its values are one number"),
    (
        lists([1.0], [0, 1]),
        [0, 2],
        ValueError,
        "its offsets reach 2, but it has only 1 inner lists",
    ),
    (
        "text",
        [0, 1],
        TypeError,
        "wanted an array of float64, got str",
    ),
    (
        [1j],
        [0, 1],
        TypeError,
        "wanted an array that casts safely to float64, got an array of complex128 and shape (1,)",
    ),
]:
    x_ = SimpleNamespace(values=values, offsets=offsets)
    raises(error, f"sum(): argument 'x': {text}", m.sum, x_)
raises(
    ValueError,
    "sum(): argument 'x': Ragged has 7 lists, but 3 offsets where there must be one more",
    m.sum,
    type("Ragged", (Ragged,), {"__len__": lambda self: 7})(np.arange(3.0), [0, 1, 3]),
)
endless = SimpleNamespace(offsets=[0, 1])
endless.values = endless
raises(ValueError, "sum(): argument 'x': it has more than 8 levels of lists", m.sum, endless)


class Failing:
    offsets = (0, 1)

    @property
    def values(self):
        raise ZeroDivisionError("inside")


raises(ZeroDivisionError, "inside", m.sum, Failing())

# No lists, and empty lists.
same(m.sum(lists(np.zeros(0), [0])), np.zeros(0))
same(m.sum(lists(np.zeros(0), [0, 0])), np.zeros(1))
assert plain(m.pad(1, lists(np.zeros(0), [0]))) == []
assert plain(m.sum(lists(np.zeros(0), [0], [0]))) == []
low, high = m.box(lists(np.zeros((0, 2)), [0]))
assert low.shape == high.shape == (0, 2)

# `...` and `var...` cannot be combined if only one is allowed.
same(m.sum(np.ones((2, 3))), [3.0, 3.0])
raises(
    ValueError,
    "weigh(): argument 'x': wanted a 1-D array, got an array of float64 and shape (2, 3)",
    m.weigh,
    np.ones((2, 3)),
)
assert m.square(3) == 9 and m.sum([1, 2]) == 3

# `explain`.
assert m.explain.pad(1, deep).splitlines()[2:] == [
    "  kind   C",
    "  s      used in place, from int",
    "  x      used in place, from types.SimpleNamespace",
    "  y      allocated",
    "  work   scratch memory",
    "  items  3, in shape (3,)",
    "  GIL    released",
    "  lists  x: each list is an item",
    "  lists  y: a list for each item",
]
assert m.explain.square(x).splitlines()[-1] == "  lists  x: each value is an item"

# ---- Random calls, compared with loops of Python
# ---------------------------------------------------------


def random_offsets(count, total=None):
    """For `count` lists; the number of values that they use, up to `total` if that is set."""
    if total is None:
        lengths = rng.integers(0, 5, count)
        return np.concatenate([[0], np.cumsum(lengths)])
    cuts = np.sort(rng.integers(0, total + 1, max(count - 1, 0)))
    return np.concatenate([[0], cuts, [total]]) if count > 0 else np.array([0])


def disguised(offsets, values):
    """The same lists: other types, other strides, and values that no list uses."""
    before, behind = rng.integers(0, 3, 2)
    rest = values.shape[1:]
    filler = [np.full((k, *rest), 1e9) for k in (before, behind)]
    values = np.concatenate([filler[0], values, filler[1]])
    offsets = offsets + before
    if rng.random() < 0.3:
        values = np.repeat(values, 2, axis=0)[::2]
    if rng.random() < 0.2:
        values = values.astype(">f8")
    offsets = offsets.astype(rng.choice(["i4", "i8", ">i8", "u4"]))
    return SimpleNamespace(values=values, offsets=offsets)


def mapped(function, depth, *nested):
    """The function over lists within `depth` further ones."""
    if depth == 0:
        return function(*nested)
    return [mapped(function, depth - 1, *items) for items in zip(*nested, strict=True)]


def close(got, wanted):
    if isinstance(wanted, list):
        assert len(got) == len(wanted), (got, wanted)
        for one, other in zip(got, wanted, strict=True):
            close(one, other)
    else:
        np.testing.assert_allclose(got, wanted, rtol=1e-12)


for _ in range(300):
    inner = random_offsets(int(rng.integers(0, 8)))
    depth = int(rng.integers(0, 3))
    above = []
    count = len(inner) - 1
    for _ in range(depth):
        above.insert(0, random_offsets(int(rng.integers(0, 4)) + (count > 0), count))
        count = len(above[0]) - 1
    one, two = rng.random((2, inner[-1]))
    u, v = (lists(disguised(inner, w), *above) for w in (one, two))
    k, n = plain(u), plain(v)
    levels = depth + 1
    results = [
        (m.sum(u), mapped(sum, levels, k)),
        (m.square(u), mapped(lambda a: a * a, levels + 1, k)),
        (
            m.dot(u, v),
            mapped(lambda a, b: sum(i * j for i, j in zip(a, b, strict=True)), levels, k, n),
        ),
        (m.pad(0.5, u), mapped(lambda a: [0.5, *a, 0.5], levels, k)),
        (m.weigh(u, v), plain(m.dot(u, v))),
        (m.weigh_ones(u), mapped(sum, levels, k)),
        (m.outer(u, [2.0, 3]), mapped(lambda a: [[2 * i, 3 * i] for i in a], levels, k)),
        (
            m.normalized(lists(np.ones(inner[-1]), *above, inner)),
            mapped(lambda a: [1 / len(a) for _ in a], levels, k),
        ),
    ]
    for got, wanted in results:
        close(plain(got), wanted)

# Several threads, and several callers at once.
lengths = rng.integers(0, 30, 60_000)
offsets = np.concatenate([[0], np.cumsum(lengths)])
values = rng.random(offsets[-1])
many = lists(values, offsets)
wanted = np.diff(np.concatenate([[0], np.cumsum(values)])[offsets])


def check():
    np.testing.assert_allclose(m.sum(many), wanted, atol=1e-6)
    padded = m.pad(2, many)
    same(padded.offsets, offsets + 2 * np.arange(len(offsets)))
    same(padded.values[padded.offsets[:-1]], np.full(len(lengths), 2.0))


callers = [threading.Thread(target=check) for _ in range(3)]
for caller in callers:
    caller.start()
for caller in callers:
    caller.join()
check()
