"""Shapes, joins, indexing, products and fills, against NumPy."""

import fishplate.graph as g
import numpy as np
import pytest
from support import DTYPES, LINKERS, check, run, same, values

X = values("float64", (3, 4, 5))


@pytest.mark.parametrize("linker", LINKERS)
def test_rearrangements(linker):
    both = [
        lambda x: x.T,
        lambda x: x.transpose(1, 0, 2),
        lambda x: x.transpose((2, 0, 1)),
        lambda x: x.swapaxes(0, -1),
        lambda x: x.reshape(4, 15),
        lambda x: x.reshape((-1, 6)),
        lambda x: x.reshape(x.shape[1], -1),
        lambda x: x.ravel(),
        lambda x: x.flatten(),
        lambda x: x.copy(),
        lambda x: x[None].squeeze(0),
        lambda x: np.moveaxis(x, 0, -1),
        lambda x: np.moveaxis(x, (0, 2), (1, 0)),
        lambda x: np.expand_dims(x, (0, 2)),
        lambda x: np.broadcast_to(x, (2, 3, 4, 5)),
        lambda x: np.atleast_1d(x.sum()),
        lambda x: np.atleast_2d(x[0, 0]),
        lambda x: np.concatenate([x, x[:, :, :2]], axis=2),
        lambda x: np.concatenate([x, x], axis=None),
        lambda x: np.stack([x, 2 * x], axis=1),
        lambda x: np.stack([x.sum(), x.max()]),
        lambda x: np.vstack([x[0, 0], x[1, 1]]),
        lambda x: np.hstack([x[0, 0], x[1, 1]]),
        lambda x: np.hstack([x[0], x[1]]),
    ]
    for function in both:
        check(function, function, X, linker=linker)
    check(lambda x: g.flatten(x, 2), lambda x: x.reshape(3, 20), X, linker=linker)
    check(lambda x: g.join(1, x, x), lambda x: np.concatenate([x, x], 1), X, linker=linker)
    check(lambda x: g.shape(x), lambda x: np.array(x.shape), X, linker=linker)


@pytest.mark.parametrize("linker", LINKERS)
def test_mixed_dtypes_join(linker):
    for a in DTYPES:
        for b in ("int8", "float32"):
            x, y = values(a, (2, 3)), values(b, (4, 3))
            check(
                lambda x, y: g.concatenate([x, y]),
                lambda x, y: np.concatenate([x, y]),
                x,
                y,
                linker=linker,
            ) if np.result_type(x, y) != np.float16 else None


@pytest.mark.parametrize("linker", LINKERS)
def test_basic_indexing(linker):
    s = np.s_
    for index in [
        s[0], s[-1], s[1, 2], s[1:], s[:-1], s[::2], s[::-1], s[5:0:-2], s[1:3, 0], s[..., 0],
        s[0, ..., 1:], s[:, None], s[None, 0, None], s[...], s[()], s[2:1], s[100:], s[-100:2],
        s[0, 0, 0], s[:, :, ::-3], s[..., None],
    ]:  # fmt: skip
        check(lambda x, i=index: x[i], lambda x, i=index: x[i], X, linker=linker)


@pytest.mark.parametrize("linker", LINKERS)
def test_indices_that_are_variables(linker):
    i, j = g.scalar("i", "int64"), g.scalar("j", "int32")
    x = g.tensor3("x")
    f = g.function([x, i, j], [x[i], x[i:j], x[:, j, i:], x[-i:]], linker=linker)
    for a, b in [(0, 1), (1, 2), (-1, 3), (2, -4)]:
        if not -4 <= b < 4:
            continue
        for got, wanted in zip(
            f(X, a, np.int32(b)), [X[a], X[a:b], X[:, b, a:], X[-a:]], strict=True
        ):
            same(got, wanted)
    with pytest.raises(IndexError):
        f(X, 3, np.int32(0))


@pytest.mark.parametrize("linker", LINKERS)
def test_arrays_as_indices(linker):
    rows = np.array([2, 0, -1, 2])
    table = np.array([[0, 1], [2, -3]])
    for index in [
        (rows,), (slice(None), rows), (Ellipsis, rows), (table,), (0, rows), (rows, 0),
        (slice(1, None), table), (rows, slice(None), 0), (0, slice(None), rows),
        (None, rows), (rows, None), (slice(None), rows, slice(None, None, 2)), (0, Ellipsis, rows),
        (Ellipsis, rows, slice(1, 3)),
    ]:  # fmt: skip
        check(lambda x, i=index: x[i], lambda x, i=index: x[i], X, linker=linker)
    check(lambda x, i: x[i], lambda x, i: x[i], X, rows, linker=linker)
    check(lambda x, i: x[:, i], lambda x, i: x[:, i], X, rows.astype("uint8") % 4, linker=linker)
    check(lambda x: x[[0, 2]], lambda x: x[[0, 2]], X, linker=linker)
    check(lambda x: g.take(x, rows), lambda x: np.take(x, rows), X, linker=linker)
    check(lambda x: x.take(rows, 1), lambda x: x.take(rows, 1), X, linker=linker)
    with pytest.raises(IndexError):
        run(lambda x: x[np.array([3])], X, linker=linker)


@pytest.mark.parametrize("linker", LINKERS)
def test_masks(linker):
    check(lambda x: x[x > 0], lambda x: x[x > 0], X, linker=linker)
    mask = np.array([True, False, True])
    check(lambda x, m: x[m], lambda x, m: x[m], X, mask, linker=linker)
    check(lambda x: x[mask], lambda x: x[mask], X, linker=linker)


@pytest.mark.parametrize("linker", LINKERS)
def test_parts_are_replaced(linker):
    def numpys(x, v, index, mode):
        x = x.copy()
        if mode == "set":
            x[index] = v
        else:
            x[index] += v
        return x

    s = np.s_
    v = values("float64", (5,), 3)
    for index in [s[0], s[1:, 2], s[:, ::2], s[..., ::-1], s[0, 0], s[:], s[...], s[:, :, :]]:
        for mode, function in (("set", g.set_subtensor), ("inc", g.inc_subtensor)):
            check(
                lambda x, v, i=index, f=function: f(x[i], v),
                lambda x, v, i=index, m=mode: numpys(x, v, i, m),
                X,
                v,
                linker=linker,
            )
    x = np.arange(4)
    same(run(lambda x: g.set_subtensor(x[1], 2.9), x, linker=linker), [0, 2, 2, 3])
    wide = values("float64", (1, 1, 4, 5))
    for function, mode in ((g.set_subtensor, "set"), (g.inc_subtensor, "inc")):
        check(
            lambda x, v, f=function: f(x[1], v),
            lambda x, v, m=mode: numpys(x, v[0, 0], 1, m),
            X,
            wide,
            linker=linker,
        )
    tail = run(lambda x: g.set_subtensor(x[1:][:], 7), x, linker=linker)
    same(tail, [7, 7, 7])
    with pytest.raises(TypeError, match="cannot be added"):
        run(lambda x: g.inc_subtensor(x[1], 2.9), x)
    with pytest.raises(TypeError, match=r"wanted x\[index\]"):
        g.set_subtensor(g.vector("x"), 1)


def test_refused_indices():
    x = g.matrix("x")
    for index, kind, text in [
        ((0, 0, 0), IndexError, "3 indices for .* which has 2 dimensions"),
        ((Ellipsis, Ellipsis), IndexError, "one Ellipsis only"),
        (1.5, IndexError, "an index is an integer"),
        ("a", IndexError, "an index is an integer"),
        (slice(None, None, 0), ValueError, "step of a slice cannot be zero"),
        (slice(None, None, g.scalar("k", "int64")), TypeError, "must be an int, not the variable"),
        (([0], [1]), NotImplementedError, "indexed by 2 arrays"),
        (g.vector("v"), IndexError, "must be integers or bools"),
        (([True, False], 0), NotImplementedError, "a mask must be the only index"),
    ]:
        with pytest.raises(kind, match=text):
            x[index]


@pytest.mark.parametrize("linker", LINKERS)
def test_products(linker):
    m, n = values("float64", (3, 4), 1), values("float64", (4, 5), 2)
    v, w = values("float64", 4, 3), values("float64", 4, 4)
    stack = values("float64", (2, 3, 4), 5)
    close = {"rtol": 1e-13, "linker": linker}
    for a, b in [(m, n), (m, v), (v, n), (v, w), (stack, n), (stack, v), (m, stack.swapaxes(1, 2))]:
        check(lambda x, y: x @ y, np.matmul, a, b, **close)
        check(g.dot, np.dot, a, b, **close)
    check(lambda x: x @ n, lambda x: x @ n, m, **close)
    check(lambda x: m @ x, lambda x: m @ x, n, **close)
    check(g.inner, np.inner, m, m, **close)
    check(g.outer, np.outer, v, m, **close)
    check(lambda x: x.dot(2.0), lambda x: x.dot(2.0), m, **close)
    check(lambda x, y: g.tensordot(x, y, 1), lambda x, y: np.tensordot(x, y, 1), stack, n, **close)
    check(
        lambda x, y: g.tensordot(x, y, ([0, 2], [1, 0])),
        lambda x, y: np.tensordot(x, y, ([0, 2], [1, 0])),
        stack,
        values("float64", (4, 2, 6)),
        **close,
    )
    c = values("float64", (3, 5), 6)
    check(
        lambda a, b, c: g.gemm(2, a, b, 0.5, c), lambda a, b, c: 2 * a @ b + c / 2, m, n, c, **close
    )
    check(
        lambda a, x, y: g.gemv(2, a, x, 0.5, y), lambda a, x, y: 2 * a @ x + y / 2, m, v, c[:, 0],
        **close,
    )  # fmt: skip
    check(g.matmul, np.matmul, m.astype("float32"), n, rtol=1e-6, linker=linker)
    check(g.matmul, np.matmul, values("int32", (2, 3)), values("int64", (3, 2)), linker=linker)


def test_refused_products():
    with pytest.raises(ValueError, match="matmul"):
        g.tensor("a", shape=(2, 3)) @ g.tensor("b", shape=(4, 5))
    with pytest.raises(ValueError, match="matmul takes no scalars"):
        g.matrix("a") @ 2.0
    with pytest.raises(ValueError, match="axis 1 of a is 3, but axis 0 of b is 4"):
        g.tensordot(g.tensor("a", shape=(2, 3)), g.tensor("b", shape=(4, 5)), 1)


@pytest.mark.parametrize("linker", LINKERS)
def test_fills(linker):
    def made(function):
        return g.function([], function, linker=linker)()

    for got, wanted in [
        (g.arange(5), np.arange(5)),
        (g.arange(2, 9, 3), np.arange(2, 9, 3)),
        (g.arange(5, 0, -2), np.arange(5, 0, -2)),
        (g.arange(0.0, 1.0, 0.25), np.arange(0.0, 1.0, 0.25)),
        (g.arange(3, dtype="float32"), np.arange(3, dtype="float32")),
        (g.arange(np.int8(3)), np.arange(np.int8(3))),
        (g.arange(np.float32(3)), np.arange(np.float32(3))),
        (g.zeros((2, 3)), np.zeros((2, 3))),
        (g.ones(3, "int8"), np.ones(3, "int8")),
        (g.full((2, 2), 7), np.full((2, 2), 7)),
        (g.full((2,), 2.5, "float32"), np.full((2,), 2.5, "float32")),
        (g.full((), 1), np.full((), 1)),
        (g.eye(3), np.eye(3)),
        (g.eye(2, 4, 1, "int64"), np.eye(2, 4, 1, "int64")),
        (g.identity(2), np.identity(2)),
    ]:
        out = np.asarray(made(got))
        assert out.dtype == wanted.dtype
        same(out, wanted)
    n = g.scalar("n", "int64")
    f = g.function([n], [g.arange(n), g.zeros((n, 2)), g.eye(n)], linker=linker)
    for k in (0, 1, 3):
        for out, wanted in zip(f(k), [np.arange(k), np.zeros((k, 2)), np.eye(k)], strict=True):
            same(out, wanted)
    check(g.zeros_like, np.zeros_like, X, linker=linker)
    check(g.ones_like, np.ones_like, values("int8", 3), linker=linker)
    check(
        lambda x: g.full_like(x, 2, "int16"),
        lambda x: np.full_like(x, 2, "int16"),
        X,
        linker=linker,
    )


def test_known_shapes():
    x = g.tensor("x", shape=(3, None, 1))
    assert x.shape[0] == 3 and x.shape[2] == 1 and isinstance(x.shape[1], g.Variable)
    assert x.ndim == 3 and x.dtype == "float64" and x.broadcastable == (False, False, True)
    assert (x + g.tensor("y", shape=(5, 1))).type.shape == (3, 5, 1)
    assert x.T.type.shape == (1, None, 3)
    assert x.sum(1).type.shape == (3, 1)
    assert len(x) == 3 and [v.type.shape for v in x] == [(None, 1)] * 3
    assert g.tensor("x", shape=(3, 4)).size == 12
    assert g.function([x], x.size, linker="perform")(np.zeros((3, 2, 1))) == 6
    assert x.reshape(3, -1).type.shape == (3, None)
    assert g.zeros((2, 3)).type.shape == (2, 3)
    assert g.tensor("x", shape=(10,))[2:-1:3].type.shape == (3,)


def test_reshape_to_a_vector_of_sizes():
    x = g.vector("x")
    f = g.function([x], x.reshape(g.stack([g.constant(2), x.shape[0] // 2])), linker="perform")
    same(f(np.arange(6.0)), np.arange(6.0).reshape(2, 3))
    with pytest.raises(TypeError, match="must have a known number of sizes"):
        x.reshape(g.vector("s", "int64"))
