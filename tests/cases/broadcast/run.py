import pickle

import broadcast as m
import numpy as np
from support import raises, same, unaligned

rng = np.random.default_rng(1)
a = rng.integers(-9, 9, (5, 1, 3, 4)).astype(float)
v = rng.integers(-9, 9, (2, 4)).astype(float)

# One item is a plain call; more are an array of results.
assert m.square(3) == 9.0 and isinstance(m.square(np.array(3.0)), float)
x = np.arange(12.0).reshape(3, 4)
for items in (
    x,
    x[:, ::2],
    x.T,
    x[::-1, ::-3],
    x[:0],
    np.broadcast_to(x[0], (7, 4)),
    unaligned(x[0]),
):
    same(m.square(items), np.asarray(items) ** 2)
same(m.square([1, 2, 3]), [1.0, 4.0, 9.0])
same(m.square([[True], [False]]), [[1.0], [0.0]])
same(m.square(np.float32([1, 2])), [1.0, 4.0])
same(m.square(x.astype(">f8")), x**2)
big = rng.random(3_000_000)
same(m.square(big), big * big)
same(m.square(big[::3].reshape(100, -1).T), (big[::3].reshape(100, -1).T) ** 2)

# Cores, with leading dimensions broadcast as NumPy does.
wanted = (a @ v[:, :, None])[..., 0]
same(m.matvec(a, v), wanted)
same(m.matvec(np.asfortranarray(a), v[:, ::-1][:, ::-1]), wanted)
same(m.matvec(a.astype(np.int16), v.astype(np.float32)), wanted)
same(m.matvec(a[0, 0], v), (a[0, 0] @ v[:, :, None])[..., 0])
same(m.matvec(a[0, 0], v[0]), a[0, 0] @ v[0])
same(m.matvec(a.tolist(), v.tolist()), wanted)
for layout in (
    a,
    np.asfortranarray(a),
    np.asfortranarray(a[0, 0])[None, None],
    a[::-1, :, ::-1, ::2],
):
    columns = v[:, : layout.shape[-1]]
    same(m.colvec(layout, columns), (layout @ columns[:, :, None])[..., 0])
same(m.matvec(a[:0], v), wanted[:0])

# Results in Fortran's order, and buffers for results.
p, q = rng.random((6, 2)), rng.random((6, 3))
o = m.outer(p, q)
same(o, p[:, :, None] * q[:, None, :])
assert all(item.flags.f_contiguous for item in o)
buffer = np.zeros((6, 2, 3))
assert m.outer(p, q, a=buffer) is buffer
same(buffer, o)
wide = np.zeros((12, 4))
m.matvec(a[:, 0], v[0], y=wide[1:11:2, :3])
same(wide[1:11:2, :3], (a[:, 0] @ v[0]))
assert not wide[::2].any() and not wide[:, 3].any()
raises(
    ValueError,
    "matvec(): argument 'y': wanted an array of shape (5, 2, 3), got an array of float64 and shape (2, 3)",
    m.matvec,
    a,
    v,
    y=np.zeros((2, 3)),
)

# Strides that C supports.
same(m.dot(x, x[0]), x @ x[0])
same(m.dot(x[:, ::2], x[0, 1::2]), x[:, ::2] @ x[0, 1::2])
same(m.dot(x[:, ::-1], x[0]), x[:, ::-1] @ x[0])
same(m.dot(x.T, x[:, 0]), x.T @ x[:, 0])
assert m.dot(x[:, 1], x[:, 2]) == x[:, 1] @ x[:, 2]

# Types, as in plain calls.
f = np.float32([1, 2])
same(m.add(f, 1), f + 1)
same(m.add(f, 0.1), f + np.float32(0.1))
raises(
    TypeError,
    "add(): argument 'y': wanted an array that casts safely to float32, got an array of float64 and shape (2,)",
    m.add,
    f,
    f.astype(float),
)

# Written in place: strided items, and items that are packed and copied back.
for lies in (x.copy(), np.asfortranarray(x), np.zeros((6, 8))[::2, ::2]):
    lies[...] = x + 1
    before = lies
    assert m.normalize(lies) is None and before is lies
    np.testing.assert_allclose(lies, (x + 1) / (x + 1).sum(1, keepdims=True))
np.testing.assert_allclose(
    m.normalized(np.broadcast_to(x[1], (2, 4))), np.tile(x[1] / x[1].sum(), (2, 1))
)
np.testing.assert_allclose(m.normalized([[1, 3], [2, 2]]), [[0.25, 0.75], [0.5, 0.5]])
y = np.ones((4, 6))[::2]
m.strictly(y)
same(y, np.full((2, 6), 1 / 6))
raises(
    ValueError,
    "strictly(): argument 'x': the items must be C-contiguous, aligned and in native byte order",
    m.strictly,
    np.ones((4, 6))[:, ::2],
)
counts = np.arange(6).reshape(2, 3)
m.count(counts, [1, 2, 3])
same(counts, np.arange(6).reshape(2, 3) + [1, 2, 3])
m.count(counts[1])
same(counts[1], [5, 7, 9])
raises(
    ValueError,
    "count(): argument 'n': leading dimensions (3,) cannot be broadcast to (2, 3): C writes to it, so each item "
    "needs its own",
    m.count,
    np.zeros(3, int),
    np.zeros((2, 3), np.int8),
)
same(m.counted([[1], [2]], np.arange(3)), np.arange(3) + [[1], [2]])
same(m.counted([1, 2]), [6, 7])
same(m.counted(None, [1, 2]), [2, 3])

# Results have the layout of the inputs, where these agree.
cube = rng.random((3, 4, 5))
for axes in ((0, 1, 2), (2, 1, 0), (1, 2, 0), (2, 0, 1)):
    moved = cube.transpose(axes)
    squares = m.square(moved)
    same(squares, moved**2)
    assert squares.strides == moved.strides, (axes, squares.strides)
    same(m.square(moved[::-1, :1]), moved[::-1, :1] ** 2)
assert m.square(x.T[::-1]).flags.f_contiguous
same(m.normalized(cube.transpose(1, 0, 2)), m.normalized(cube).transpose(1, 0, 2))

# Separate loops: numbers that all items share, contiguous results.
f = np.arange(100, dtype=np.float32)
same(m.add(f, 2), f + 2)
same(m.add(2, f), f + 2)
same(m.add(f[:, None], f[:7]), f[:, None] + f[:7])
same(m.add(f[::-2], f[::2]), f[::-2] + f[::2])
same(m.add(f[::-2], f[:50]), f[::-2] + f[:50])
same(m.add(f[:10].reshape(2, 5).T, f[:2]), f[:10].reshape(2, 5).T + f[:2])

# Values that all items share, and errors in one item.
same(m.ramp(3, [1.0, 2.0]), [[0.0, 1.0, 2.0], [0.0, 2.0, 4.0]])
same(m.ramp([3, 3], [1.0, 2.0]), [[0.0, 1.0, 2.0], [0.0, 2.0, 4.0]])
same(m.ramp([[2], [2]], [1.0, 2.0]), np.array([[[0.0, 1.0], [0.0, 2.0]]] * 2))
raises(
    ValueError,
    "ramp(): argument 'n': its value is 3 for one item and 4 for another, but it determines a shape that all items share",
    m.ramp,
    [3, 4],
    1.0,
)
raises(
    RuntimeError,
    "ramp(): ramp returned status 3 (item (1, 0))",
    m.ramp,
    2,
    [[1.0, 1.0], [-1.0, 1.0]],
)
raises(
    RuntimeError,
    "ramp(): ramp returned status 3 (item (1, 0))",
    m.ramp,
    2,
    np.array([[1.0, 1.0], [-1.0, 1.0], [1.0, 1.0]], order="F"),
)
raises(
    OverflowError,
    "doubled(): argument 'small': its value is out of range for int8 (item (2,))",
    m.doubled,
    [1, 2, 100],
)
same(m.doubled([1, 2]), np.int32([4, 8]))

# Defaults, which may vary per item.
same(m.times([1.0, 2.0]), [2.0, 8.0])
same(m.times([1.0, 2.0], None), [2.0, 8.0])
same(m.times([1.0, 2.0], [[1], [10]]), [[1.0, 2.0], [10.0, 20.0]])
same(m.norm([1j, 3 + 4j]), [1.0, 25.0])
same(m.weigh(x), x.sum(1))
same(m.weigh(x, w=x[0]), x @ x[0])
same(m.weigh(x[0], w=x), x @ x[0])

# Integers that no type of NumPy can represent are numbers in lists too, of any rank.
huge = 2**70
same(m.square([huge, 2]), [m.square(huge), 4.0])
same(m.square([[huge], [0.5]]), [[m.square(huge)], [0.25]])
same(m.norm([huge, 3 + 4j]), [m.norm(huge), 25.0])
same(m.add([[huge]], 1), [[np.float32(huge)]])
same(m.matvec([[huge, 0], [0, 2]], [1, 1]), [float(huge), 2.0])
for function, value, dtype in (
    (m.square, 10**400, "float64"),
    (lambda x: m.add(x, 1), 10**40, "float32"),
):
    try:
        function([[1], [value]])
    except OverflowError as error:
        assert f"element 1 is out of range for {dtype}" in str(error), error
    else:
        raise AssertionError(f"{value} is too large for {dtype}")

# Errors name the invalid argument.
raises(
    ValueError,
    "matvec(): argument 'x': leading dimensions (3,) do not broadcast with (5, 2) of argument 'a'",
    m.matvec,
    np.zeros((5, 2, 3, 4)),
    np.zeros((3, 4)),
)
raises(
    ValueError,
    "matvec(): argument 'a': wanted an array of at least 2 dimensions, got an array of float64 and shape (4,)",
    m.matvec,
    v[0],
    v,
)
raises(
    ValueError,
    "matvec(): argument 'x': dimension 0 of shape (3,) is 3, but n is 4",
    m.matvec,
    a,
    np.zeros((2, 3)),
)

# Signatures of generalized ufuncs; functions are pickled by name.
assert m.signature.matvec == "(m,n),(n)->(m)" and m.signature.square == "()->()"
assert m.signature.ramp == "(),()->(n)"
assert pickle.loads(pickle.dumps(m.matvec)) is m.matvec
same(np.vectorize(m.matvec, signature=m.signature.matvec)(a, v), wanted)
