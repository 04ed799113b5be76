from types import SimpleNamespace

import numpy as np
import overlaps as m
from numpy.lib.stride_tricks import sliding_window_view
from support import raises, same


def numbers(*shape):
    return np.arange(float(np.prod(shape))).reshape(shape)


# A buffer that is also read, in part or as a whole, in another order, of one item or of many.
for function in (m.rev, m.rev_plain, m.strided):
    want = numbers(6)[::-1].copy()
    for view in (lambda a: a, lambda a: a[::-1]):
        a = numbers(6)
        result = function(a, y=view(a))
        assert (result[0] if function is m.strided else result) is not None
        same(np.array(view(a)), want)
    a = numbers(8)
    function(a[:-1], y=a[1:])
    same(a, np.array([0.0, 6, 5, 4, 3, 2, 1, 0]))
    a = numbers(8)
    function(a[::2], y=a[1::2])
    same(a, np.array([0.0, 6, 2, 4, 4, 2, 6, 0]))
    a = numbers(8)
    function(a[::2], y=a[:4])
    same(a, np.array([6.0, 4, 2, 0, 4, 5, 6, 7]))
a = numbers(4, 3)
assert m.rev(a, y=a) is a
same(a, numbers(4, 3)[:, ::-1].copy())
for take in (
    lambda a: (a[:-1], a[1:]),
    lambda a: (a[1:], a[:-1]),
    lambda a: (a[1:], a[-2::-1]),
    lambda a: (a[1:, ::-1], a[:-1]),
):
    a, plain = numbers(4, 3), numbers(4, 3)
    x, y = take(a)
    assert m.rev(x, y=y) is y
    take(plain)[1][...] = take(numbers(4, 3))[0][:, ::-1]
    same(a, plain)
square = numbers(3, 3)
m.rev(square.T, y=square)
same(square, numbers(3, 3).T[:, ::-1].copy())
a = numbers(2, 3)
assert "copied" in m.explain.rev(a, y=a) and "y      used in place" in m.explain.rev(a, y=a.copy())
buffer = bytearray(numbers(4).tobytes())
x = np.frombuffer(buffer)
assert m.rev_plain(x, y=memoryview(buffer).cast("d")).obj is buffer
same(x, numbers(4)[::-1].copy())

# Lists: a buffer takes the flat values.
a = numbers(7)
m.rev_lists(SimpleNamespace(values=a[:6], offsets=[0, 2, 6]), y=a[1:])
same(a, np.array([0.0, 1, 0, 5, 4, 3, 2]))

# Several outputs: each is complete, and the last one wins.
for shape in ((4,), (2, 4)):
    a, y = numbers(*shape), np.zeros(shape)
    m.two(a, y=y, z=y)
    same(y, numbers(*shape)[..., ::-1] - 1)
    m.two(a, y=a, z=y)
    same(a, numbers(*shape)[..., ::-1] + 1)
    same(y, numbers(*shape)[..., ::-1] - 1)

# Items that overlap one another, as NumPy has it.
a = numbers(4)
m.twice(sliding_window_view(a, 2, writeable=True))
same(a, np.array([0.0, 2, 4, 6]))
a = numbers(4)
m.add(numbers(2), sliding_window_view(a, 2, writeable=True))
same(a, np.array([1.0, 2, 3, 3]))
a = numbers(2, 3)
m.add(a, a)
same(a, numbers(2, 3) + numbers(2, 3)[:, ::-1])
a = numbers(3, 3)
m.add(a[:-1], a[1:])
same(a, np.vstack([numbers(3, 3)[:1], numbers(3, 3)[1:] + numbers(3, 3)[:-1, ::-1]]))
a = numbers(5)
m.next(a[:-1], a[1:])
same(a, np.array([0.0, 1, 2, 3, 4]))
a = numbers(5)
m.next(a, a)
same(a, numbers(5) + 1)
a = numbers(2, 2)
m.next(a.T, a)
same(a, numbers(2, 2).T + 1)

# An argument that may not be copied is refused.
a = numbers(3, 3)
raises(
    ValueError,
    "add_strictly(): argument 'y': it overlaps with argument 'x' in memory, and may not be copied",
    m.add_strictly,
    a[:-1],
    a[1:],
)
raises(
    ValueError,
    "add_strictly(): argument 'y': its items overlap in memory, and may not be copied",
    m.add_strictly,
    np.ones(2),
    sliding_window_view(numbers(4), 2, writeable=True),
)
same(a, numbers(3, 3))
m.add_strictly(a[:1], a[1:])

# The buffer is filled first.
for shape in ((4,), (2, 4)):
    a = numbers(*shape)
    m.started(a, y=a)
    same(a, numbers(*shape)[..., ::-1] + 7)

# A buffer may be larger than the batch: inputs are broadcast to it.
for x in (numbers(4), numbers(3, 4), numbers(1, 4), numbers(2, 1, 4)):
    y = np.zeros((2, 3, 4))
    assert m.rev(x, y=y) is y
    same(y, np.broadcast_to(x[..., ::-1], y.shape))
    buffer = bytearray(y.nbytes)
    assert m.rev(x, y=memoryview(buffer).cast("d", (2, 3, 4))) is not None
    same(np.frombuffer(buffer).reshape(y.shape), y)
    y, z = np.zeros((2, 3, 4)), np.zeros((2, 3, 4))
    m.two(x, y=y, z=z)
    same(y - z, np.full(y.shape, 2.0))
y = numbers(3, 4)
m.rev(y[1], y=y)
same(y, np.broadcast_to(numbers(3, 4)[1][::-1], (3, 4)))
same(m.two(numbers(4), y=np.zeros((2, 4)))[1], np.broadcast_to(numbers(4)[::-1] - 1, (2, 4)))
assert m.rev(numbers(4), y=np.zeros((0, 4))).shape == (0, 4)
for x, y in (
    (numbers(3, 4), np.zeros((2, 4))),
    (numbers(3, 4), np.zeros((1, 4))),
    (numbers(2, 3, 4), np.zeros((3, 4))),
):
    raises(ValueError, "rev(): argument 'y': wanted an array of shape (...", m.rev, x, y=y)
raises(
    ValueError,
    "rev(): argument 'y': wanted an array of shape (3, 4), got ...",
    m.rev,
    numbers(3, 4),
    y=np.zeros(4),
)
raises(
    ValueError,
    "two(): argument 'z': wanted an array of shape (2, 4), ...",
    m.two,
    numbers(4),
    y=np.zeros((2, 4)),
    z=np.zeros(4),
)

x = np.uint8([1, 2, 3])
m.shout(memoryview(x), y=x)
assert x.tolist() == [3, 2, 1]

# Without overlap there are no copies.
a = numbers(4, 6)
assert "y      used in place" in m.explain.rev(a[:2], y=a[2:])
assert "y      used in place" in m.explain.rev(a[:, :3], y=a[:, 3:])

# Numbers of a batch go into a buffer too: C results, and pointer outputs.
a, out = numbers(3, 2), np.zeros(3)
assert m.dot(a, a, result=out) is out
same(out, np.array([1.0, 13, 41]))
assert m.dot(a[0], a[1], result=None) == 3 and m.half(4.0) == 2
one = np.zeros(())
assert m.dot(a[0], a[1], result=one) is one and one == 3
for shape in ((2, 3), (2, 1, 3)):
    same(m.dot(a, a, result=np.zeros(shape)), np.broadcast_to([1.0, 13, 41], shape).copy())
same(m.dot(a[0], a[1], result=np.zeros(2)), np.array([3.0, 3]))
every_other = np.zeros(6)
m.dot(a, a, result=every_other[::2])
same(every_other, np.array([1.0, 0, 13, 0, 41, 0]))
swapped = np.zeros(3, ">f8")
assert m.dot(a, a, result=swapped) is swapped and swapped.tolist() == [1, 13, 41]
assert m.dot(a, a[:0, None], result=np.zeros((0, 3))).shape == (0, 3)
x = np.array([1.25, 2.5, 3.0])
flags, rest = np.zeros(3, np.int32), np.zeros(3)
back = m.split(x, rest=rest, result=flags)
assert back[1] is rest and back[2] is flags
same(back[0], np.array([1.0, 2, 3]))
same(rest, np.array([0.25, 0.5, 0]))
same(flags, np.int32([1, 1, 0]))
same(m.split(whole=np.zeros(2))[1], np.array([0.5, 0.5]))
for text in ("result used in place", "whole  allocated"):
    assert text in m.explain.split(x, result=flags)
assert "result" not in m.explain.split(1.5).split("\n", 1)[1]

# Overloads: the dtype of a buffer counts.
for dtype in (np.float32, np.float64):
    assert m.half([1.0, 2.0], result=np.zeros(2, dtype)).tolist() == [0.5, 1]

# They share memory with an input, or with one another.
a = numbers(3, 2)
m.dot(a, a, result=a[:, 0])
same(a, np.array([[1.0, 1], [13, 3], [41, 5]]))
a = numbers(4)
assert m.half(a, result=a) is a
same(a, numbers(4) / 2)
a = numbers(4)
m.half(a[:-1], result=a[1:])
same(a, np.array([0, 0, 0.5, 1]))
a = numbers(4)
m.half(a, result=a[::-1])
same(a, numbers(4)[::-1] / 2)
for name, want in (("whole", [1.0, 2, 3]), ("rest", [0.25, 0.5, 0])):
    y = x.copy()
    m.split(y, **{name: y})
    same(y, np.array(want))
y = np.zeros(3)
m.split(x, whole=y, rest=y)
same(y, np.array([0.25, 0.5, 0]))
# Two that C changes: each is complete, and one of them wins.
a = numbers(3)
m.swap(a, a)
assert a.tolist() in ([1, 2, 3], [2, 3, 4])

# Invalid output buffers are refused by name.
wanted = "dot(): argument 'result': wanted an array of "
for bad, error, message in (
    (np.zeros(2), ValueError, wanted + "shape (3,), got ..."),
    (np.zeros((3, 1)), ValueError, "dot(): argument 'result': ..."),
    (np.zeros(3, np.float32), TypeError, wanted + "exactly float64, got ..."),
    ([0.0, 0, 0], TypeError, wanted + "float64, which can be written to, got list"),
    (1.0, TypeError, wanted + "float64, which can be written to, got float"),
    (np.broadcast_to(0.0, 3), ValueError, "dot(): argument 'result': ..."),
):
    raises(error, message, m.dot, numbers(3, 2), numbers(3, 2), result=bad)


# Lists: a number for each, and `inplace` values that another argument reads.
def lists(values):
    return SimpleNamespace(values=values, offsets=[0, 2, 6])


a, out = numbers(6), np.zeros(2)
assert m.dot_lists(lists(a), lists(a), result=out) is out
same(out, np.array([1.0, 54]))
m.dot_lists(lists(a), lists(a), result=a[:2])
same(a, np.array([1.0, 54, 2, 3, 4, 5]))
a = numbers(6)
m.half(lists(a), result=a)
same(a, numbers(6) / 2)
raises(
    TypeError,
    "dot_lists(): an output buffer for numbers needs a ragged argument",
    m.dot_lists,
    a,
    a,
    result=np.zeros(()),
)
a = numbers(8)
m.add_lists(lists(a[:6]), lists(a[2:]))
same(a, np.array([0.0, 1, 3, 3, 9, 9, 9, 9]))
for a in (numbers(6), numbers(12)[::2] / 2):
    m.add_lists(lists(a), lists(a))
    same(np.array(a), np.array([1.0, 1, 7, 7, 7, 7]))
a = numbers(7)
raises(
    ValueError,
    "add_lists_strictly(): argument 'y': it overlaps with argument 'x' in memory, and may not be copied",
    m.add_lists_strictly,
    lists(a[1:]),
    lists(a[:-1]),
)
