"""Functions over axes, against NumPy."""

import fishplate.graph as g
import numpy as np
import pytest
from support import DTYPES, LINKERS, check, run, same, values

AXES = [None, 0, 1, -1, (0, 2), (1,), (0, 1, 2), ()]


@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("name", ["sum", "prod", "min", "max", "mean", "any", "all", "var", "std"])
def test_axes_and_dtypes(name, linker):
    for number, dtype in enumerate(DTYPES):
        x = values(dtype, (2, 3, 4), number)
        if x.dtype.kind == "c" and name in ("min", "max"):
            with pytest.raises(TypeError, match=f"{name} is not defined for"):
                run(getattr(g, name), x, linker=linker)
            continue
        close = 1e-5 if x.dtype.kind in "fc" or name in ("mean", "var", "std") else None
        for axis in AXES:
            for keepdims in (False, True):
                check(
                    lambda x, a=axis, k=keepdims: getattr(g, name)(x, axis=a, keepdims=k),
                    lambda x, a=axis, k=keepdims: getattr(np, name)(x, axis=a, keepdims=k),
                    x,
                    rtol=close,
                    linker=linker,
                ) if dtype in ("bool", "float32") or axis in (None, 1) else None


@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("name", ["argmin", "argmax"])
def test_positions(name, linker):
    for dtype in DTYPES[:-2]:
        x = values(dtype, (3, 4, 2))
        for axis in (None, 0, -1):
            for keepdims in (False, True):
                check(
                    lambda x, a=axis, k=keepdims: getattr(g, name)(x, axis=a, keepdims=k),
                    lambda x, a=axis, k=keepdims: getattr(np, name)(x, axis=a, keepdims=k),
                    x,
                    linker=linker,
                )


@pytest.mark.parametrize("linker", LINKERS)
def test_nan_and_nothing(linker):
    x = np.array([[1.0, np.nan, 3.0], [2.0, 0.0, -1.0]])
    for name in ("min", "max", "argmin", "argmax", "sum", "any", "all"):
        check(getattr(g, name), getattr(np, name), x, linker=linker)
    empty = np.zeros((0, 3))
    for name in ("sum", "prod", "any", "all"):
        check(
            lambda x, n=name: getattr(g, n)(x, 0),
            lambda x, n=name: getattr(np, n)(x, 0),
            empty,
            linker=linker,
        )
    for name in ("min", "max", "argmin"):
        with pytest.raises(ValueError):
            run(lambda x, n=name: getattr(g, n)(x), empty, linker=linker)


@pytest.mark.parametrize("linker", LINKERS)
def test_accumulators(linker):
    x = values("int8", (3, 4))
    for dtype in ("int16", "float32", "float64"):
        check(
            lambda x, d=dtype: x.sum(dtype=d), lambda x, d=dtype: x.sum(dtype=d), x, linker=linker
        )
        check(
            lambda x, d=dtype: x.prod(0, dtype=d), lambda x, d=dtype: x.prod(0, dtype=d), x,
            linker=linker,
        )  # fmt: skip
    y = values("float32", (3, 4))
    close = {"rtol": 1e-6, "linker": linker}
    check(lambda x: x.mean(1, dtype="float64"), lambda x: x.mean(1, dtype="float64"), y, **close)
    check(lambda x: x.var(0, ddof=1), lambda x: x.var(0, ddof=1), y, **close)
    check(lambda x: x.std(ddof=1), lambda x: x.std(ddof=1), y, **close)


@pytest.mark.parametrize("linker", LINKERS)
def test_compositions(linker):
    x = values("float64", (3, 4))

    def softmax(x, axis):
        e = np.exp(x - x.max(axis, keepdims=True))
        return e / e.sum(axis, keepdims=True)

    check(g.softmax, lambda x: softmax(x, -1), x, rtol=1e-14, linker=linker)
    check(lambda x: g.softmax(x, 0), lambda x: softmax(x, 0), x, rtol=1e-14, linker=linker)
    check(g.log_softmax, lambda x: np.log(softmax(x, -1)), x, rtol=1e-13, linker=linker)
    for axis in (None, 0, (0, 1)):
        check(
            lambda x, a=axis: g.logsumexp(x, a),
            lambda x, a=axis: np.log(np.exp(x).sum(a)),
            x,
            rtol=1e-13,
            linker=linker,
        )
    same(run(g.logsumexp, np.array([1000.0, 1000.0]), linker=linker), 1000 + np.log(2), 1e-15)
    same(run(g.logsumexp, np.array([-np.inf, -np.inf]), linker=linker), -np.inf)
    check(g.relu, lambda x: np.maximum(x, 0), x, linker=linker)
    check(g.softplus, lambda x: np.log1p(np.exp(x)), x, rtol=1e-14, linker=linker)


def test_refusals():
    x = g.matrix("x")
    with pytest.raises(ValueError, match="axis 2 is out of range for 2 dimensions"):
        x.sum(2)
    with pytest.raises(ValueError, match="an axis is named twice"):
        x.sum((0, -2))
    with pytest.raises(TypeError, match="argmax takes one axis or None"):
        x.argmax((0, 1))


@pytest.mark.parametrize("linker", LINKERS)
def test_axes_that_are_not_together(linker):
    """Runs of every length at which the way to fold changes, of any memory layout."""
    x = g.tensor4("x", dtype="int64")
    chosen = [(0, 2), (1, 3), (0, 3), (0, 1, 3), (0, 2, 3), (1, 2), (0, 1, 2, 3)]
    f = g.function([x], [x.sum(axes) for axes in chosen], linker=linker)
    y = g.tensor4("y")
    h = g.function([y], [y.max(axes) for axes in chosen], linker=linker)
    random = np.random.default_rng(2)
    shapes = [(5, 3, 4, 16), (4, 2, 3, 15), (20, 3, 7, 60), (3, 2, 5, 512), (6, 2, 2, 513)]
    shapes += [(70, 2, 70, 30), (2, 3, 1, 40), (1500, 2, 3, 50), (4, 0, 5, 20), (33, 2, 33, 129)]
    for shape in shapes:
        array = random.integers(-50, 50, shape)
        turned = [array, array.transpose(3, 1, 2, 0), array[::-1, :, ::2], array[..., ::-1]]
        for given in turned:
            for axes, got in zip(chosen, f(given), strict=True):
                np.testing.assert_array_equal(got, given.sum(axes))
            if 0 in shape:
                continue
            floats = given / 4
            floats.flat[random.integers(0, floats.size)] = np.nan
            for axes, got in zip(chosen, h(floats), strict=True):
                np.testing.assert_array_equal(got, floats.max(axes))


def _layer_norm(xp, x, weights, offsets):
    apart = x - x.mean(axis=-1, keepdims=True)
    variance = (apart**2).mean(axis=-1, keepdims=True)
    return apart / xp.sqrt(variance + 1e-5) * weights + offsets


def _weighted_softmax(xp, x, weights, offsets):
    # Saved by the stage before the last one.
    share = xp.exp(x - x.max(axis=-1, keepdims=True))
    return share / share.sum(axis=-1, keepdims=True) * weights + xp.exp(offsets)


@pytest.mark.parametrize("function", [_layer_norm, _weighted_softmax])
def test_rows_with_weights_are_one_step(function):
    types = g.matrix("x"), g.matrix("weights"), g.vector("offsets")
    f = g.function(types, function(g, *types))
    assert f.explain().count("rows of") == 2 and "mul, add" not in f.explain()
    generator = np.random.default_rng(0)
    sizes = [(m, n) for m in (1, 3) for n in (1, 5)]
    for m, n in [*sizes, (0, 5), (70, 300)]:
        for rows, columns in {(m, n), (1, n), (m, 1), (1, 1), (m, 5 if n == 1 else n)}:
            for length in {1, columns, n}:
                x, weights = generator.random((m, n)), generator.random((rows, columns))
                arrays = np.asfortranarray(x), weights, generator.random(length)
                wanted = function(np, *arrays)
                got = f(*arrays)
                assert got.shape == wanted.shape
                np.testing.assert_allclose(got, wanted, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("linker", LINKERS)
def test_rows_of_one_element_with_longer_weights(linker):
    types = g.matrix("x"), g.vector("weights")
    f = g.function(types, types[0] / types[0].sum(axis=1, keepdims=True) * types[1], linker=linker)
    same(f([[2.0], [4.0]], [1.0, 2.0, 3.0]), np.array([[1.0, 2.0, 3.0]] * 2))
    assert f([[2.0], [4.0]], np.zeros(0)).shape == (2, 0)
    with pytest.raises(ValueError, match="broadcast"):
        f([[2.0, 3.0]], [1.0, 2.0, 3.0])
    largest = g.function(types, types[0] / types[0].max(axis=1, keepdims=True) * types[1])
    with pytest.raises(ValueError, match="max which has no identity"):
        largest(np.zeros((2, 0)), [1.0])


@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("name", ["cumsum", "cumprod"])
def test_cumulative_sums(linker, name):
    each = getattr(g, name)
    x = values("float64", (9, 5, 7))
    laid_out = [x, x[::-1, :, ::2], x.transpose(2, 0, 1), x[:1], x[:, :0], x[:, :, :1]]
    for data in laid_out:
        for axis in (None, 0, 1, -1):
            check(
                lambda x, a=axis: each(x, a),
                lambda x, a=axis: getattr(np, name)(x, a),
                data,
                linker=linker,
            )
    for dtype in ("bool", "int8", "uint16", "int64", "uint64", "float32", "complex64"):
        check(each, getattr(np, name), values(dtype, (6,)), linker=linker)
    check(lambda x: each(x, 0, "float32"), lambda x: getattr(np, name)(x, 0, "float32"), x)
    check(lambda x: each(x, 0), lambda x: getattr(np, name)(x, 0), np.float64(2))


def test_cumulative_sums_have_numpys_bits():
    zeros = np.array([-0.0, -0.0])  # the sum of both is one, too
    assert run(g.cumsum, zeros, linker="c").tobytes() == zeros.tobytes()
    # Large enough for several threads.
    for shape, axis in [((4, 100_000), 1), ((100_000, 4), 0), ((300, 9, 300), 1), ((500_000,), 0)]:
        x = np.random.default_rng(0).normal(size=shape).astype("float32")
        result = run(lambda x, a=axis: x.cumsum(a), x, linker="c")
        assert result.tobytes() == x.cumsum(axis).tobytes()


def test_names_of_cumulative_sums():
    x = g.matrix("x")
    for made in (np.cumsum(x, axis=1), x.cumsum(1), np.add.accumulate(x, 1)):
        assert made.owner.op == g.cumsum(x, 1).owner.op
    assert np.multiply.accumulate(x).owner.op == g.cumprod(x, 0).owner.op
    for axis in (2, -3):
        with pytest.raises(ValueError, match=f"axis {axis} is out of range"):
            g.cumsum(x, axis)
    with pytest.raises(TypeError, match="no counterpart"):
        np.maximum.accumulate(x)
