import warnings

import missing_values as m
import numpy as np
from support import raises, same

MASKED = np.ma.array([1.0, 2.0, 3.0], mask=[0, 1, 0])
WHOLE = np.ma.array([1.0, 2.0, 3.0], mask=[0, 0, 0])
MISSING = "argument '{}': it has missing values"


def refuses(name, function, *args, **keywords):
    raises(
        ValueError, f"{function.__name__}(): {MISSING.format(name)}", function, *args, **keywords
    )


# A missing scalar of an item has its default.
same(m.power([2, 3, 4], [3, None, 0]), np.array([8.0, 9, 1]))
same(m.power([2, 3], (None, None)), np.array([4.0, 9]))
same(m.power(3, [[None], [1]]), np.array([[9.0], [3]]))
same(m.power([2, 3, 4], np.ma.array([3, 9, 0], mask=[0, 1, 0])), np.array([8.0, 9, 1]))
same(m.power([2, 3, 4], np.ma.array([3, 9, 0.0])), np.array([8.0, 3**9, 1]))
same(m.power([2, 3, 4], [3, np.ma.masked, 0]), np.array([8.0, 9, 1]))
same(m.shift([2, 3], [3, np.ma.masked]), np.array([4005, 31033]))
same(m.power([2, 3], [[1, 2], np.ma.array([0, 9], mask=[0, 1])]), np.array([[2.0, 9], [1, 9]]))
same(m.power([2, 3], by=np.ma.array([9, 9], mask=True)), np.array([4.0, 9]))
by = np.ma.array(np.arange(12.0).reshape(3, 4) % 3, mask=np.arange(12).reshape(3, 4) % 5 == 0)
want = np.where(by.mask, 2.0, by.data)
same(m.power(2, by), 2.0**want)
same(m.power([2, 3, 4, 5], by.T[:, ::-1].T), np.array([2.0, 3, 4, 5]) ** want[::-1])
same(m.power(np.full((2, 3, 1), 3.0), by), np.broadcast_to(3.0**want, (2, 3, 4)))

# Defaults that depend on an item's values are computed for each item.
x = np.arange(7)
by, then = [1, None, 3, None, None, 6, 7], [None, None, 2, 3, None, None, 6]
want = [
    x
    + (10 * x if by is None else by)
    + 1000 * ((10 * x if by is None else by) + 1 if t is None else t)
    for x, by, t in zip(x, by, then)
]
same(m.shift(x, by, then), np.array(want))
same(
    m.shift(x, by),
    np.array([i + (b or 10 * i) + 1000 * ((b or 10 * i) + 1) for i, b in zip(x, by)]),
)
many = 300_000
mask = np.arange(many) % 7 < 3
by = np.ma.array(np.arange(many), mask=mask)
x = np.arange(many)[::-1]
b = np.where(mask, 10 * x, by.data)
same(m.shift(x, by), x + b + 1000 * (b + 1))

same(m.by([1, None, 3]), np.array([1.0, -1, 3]))
same(m.by([1, None, None], [None, 5, None]), np.array([1.0, 5, -1]))
same(m.counted([10, None, 20]), np.array([11, 6, 21]))
same(m.counted([[10], [None]], [1, None, 2]), np.array([[11, 11, 12], [6, 6, 7]]))
for args, given in [
    (([1, 2, 3], [5, None, None]), [5, 10, 15]),
    (([1, 2],), [5, 10]),
    ((2, np.ma.array([1, 7], mask=[0, 1])), [1, 10]),
]:
    n, right = m.given(*args)
    same(n, np.array(given))
    same(right, np.equal(given, 5 * np.array(args[0])).astype(np.int32))

n, right = m.computed([1, 2])
same(n, np.array([5, 10]))
same(right, np.int32([1, 1]))

# After a call that writes, missing items have values.
for count, five in ((m.count_up, [5, 5]), (m.count_there, [10, 15])):
    n = np.ma.array([10, 99, 99], np.int64, mask=[0, 1, 1])
    assert count(n, [1, 2, 3]) is None
    assert n.tolist() == [11, five[0] + 2, five[1] + 3]
    whole = np.ma.array(np.arange(12).reshape(3, 4), np.int64, mask=np.arange(12).reshape(3, 4) % 2)
    count(whole.T[::-2], 1)
    assert whole.tolist() == [[0, 6, 2, 6], [4, 6, 6, 6], [8, 6, 10, 6]]
    one = np.ma.array(7, np.int64, mask=True)
    count(one, 2)
    assert one.tolist() == {m.count_up: 7, m.count_there: 12}[count]
    whole = np.ma.array([1, 2], np.int64)
    count(whole)
    assert whole.tolist() == [2, 3]
    hard = np.ma.array([1, 2], np.int64, mask=[0, 1], hard_mask=True)
    refuses("n", count, hard)
    fixed = np.ma.array([1, 2], np.int64, mask=[0, 1])
    fixed.flags.writeable = False
    raises(ValueError, f"{count.__name__}(): argument 'n': the array is read-only", count, fixed)
    n = np.ma.array([10, 99], np.int64, mask=[0, 1])
    raises(TypeError, f"{count.__name__}(): argument 'times': ...", count, n, "x")
    raises(ValueError, f"{count.__name__}(): ...", count, n, [1, 2, 3])
    assert n.tolist() == [10, None] and n.data.tolist() == [10, 99]

# A number that is missing is a batch of one item.
assert m.power(2, np.ma.masked) == 4 and m.power(3, np.ma.array(0, mask=True)) == 9
assert m.shift(2, np.ma.masked, 1) == 1022
refuses("x", m.power, np.ma.masked)

same(m.flag([False, None, True]), np.int32([0, 1, 1]))
same(m.flag(np.ma.array([False, False], mask=[1, 0])), np.int32([1, 0]))
same(m.narrow([1, 5], [3, None][::-1]), np.int32([101, 8]))
raises(
    OverflowError,
    "narrow(): argument 'by': its value is out of range for int8 (item (2,))",
    m.narrow,
    [1, 5, 2],
    [None, 1, None],
)
raises(
    RuntimeError,
    "checked(): checked returned status 1 (item (3,))",
    m.checked,
    [1, 2, 4, 3],
    [5, 5, None, None],
)

# A list without a dtype has that of its other values.
same(m.either([1, 2], [3, None]), np.int32([3, 14]))
same(m.either([1, 2], [0.25, None]), np.array([0.25, 1.0]))
raises(TypeError, "either(): no overload takes (...", m.either, [1, 2], ["3", None])
raises(TypeError, "power(): argument 'by': ...", m.power, [1, 2], ["3", None])
raises(
    OverflowError,
    "narrow(): argument 'by': element 1 is out of range for int8",
    m.narrow,
    1,
    [None, 300],
)

# Anything else is refused by name, and a mask without masked items is ignored.
for missing in ([1, None, 3], MASKED, [1, np.ma.masked], [[1, None], [1, 2]], [MASKED, MASKED]):
    refuses("x", m.power, missing)
    refuses("x", m.sum, missing)
same(m.power(WHOLE), WHOLE.data**2)
assert m.sum(WHOLE) == 6 and m.sum([[1, 2], [3, 4]], [None, 1]).tolist() == [3, 8]
refuses("x", m.one, np.ma.masked)
refuses("by", m.one, 2, np.ma.masked)
refuses("by", m.one, 2, np.ma.array(1.0, mask=True))
refuses("x", m.one, np.ma.array(1, mask=True))
assert m.one(np.ma.array(3.0)) == 9
refuses("x", m.changed, MASKED)
x = np.ma.array([1.0, 2.0])
m.changed(x)
assert x.tolist() == [-1, -2]
refuses("x", m.text, np.ma.array(np.uint8([1, 2]), mask=[0, 1]))
assert m.text(np.ma.array(np.uint8([1, 2]))) == 1
same(m.flag(np.ma.array(False, mask=True)), np.array(1, np.int32))

# Lists of lists: as before.
same(m.lists([2, 3], [None, 1]), np.array([4.0, 3]))

try:
    import pyarrow
except ImportError:
    pyarrow = None
if pyarrow is not None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        same(m.power([2, 3, 4], pyarrow.array([3, None, 0])), np.array([8.0, 9, 1]))
        same(m.power([2, 3], pyarrow.array([None, None])), np.array([4.0, 9]))
        same(
            m.power([2, 3], pyarrow.chunked_array([[1.5], [None]][::-1], pyarrow.float64())),
            np.array([4.0, 3**1.5]),
        )
        same(m.flag(pyarrow.array([False, None])), np.int32([0, 1]))
        same(m.either([1, 2], pyarrow.array([3, None], pyarrow.int32())), np.int32([3, 14]))
        refuses("x", m.power, pyarrow.array([1.0, None]))
        refuses("x", m.sum, pyarrow.array([1.0, None]))
        lists = pyarrow.array([[1, 2], [3]])
        same(m.lists(lists, 2).flatten().to_numpy(), np.array([1.0, 4, 9]))
        refuses("by", m.lists, lists, [None, 2])
