"""A graph raises where NumPy raises; where C leaves a value open, all linkers return the same."""

import fishplate.graph as g
import numpy as np
import pytest
from support import same

LINKERS = ["perform", "c", "c-opwise"]
pytestmark = pytest.mark.parametrize("linker", LINKERS)

NEGATIVE = "Integers to negative integer powers are not allowed"


# ---- Powers of integers --------------------------------------------------------------------------


def test_negative_powers_of_integers(linker):
    i, p = (g.vector(name, dtype="int64") for name in "ip")
    outputs = {
        "alone": i**p,
        "in a loop": 2 * i**p + 1,
        "in a sum": (i**p).sum(),
        "in rows": ((i**p) - (i**p).max()).sum(),
        "of a number": 2**p,
    }
    for what, output in outputs.items():
        f = g.function([i, p], output, linker=linker, on_unused_input="ignore")
        with np.errstate(all="ignore"):
            f([2, 3, -1], [2, 0, 3])
        for powers in ([2, -1, 0], [-400, 1, 1], [0, 0, -1]):
            with pytest.raises(ValueError, match=NEGATIVE) as caught:
                f([2, 1, 1], powers)
            # The power itself fails.
            note = caught.value.__notes__[0]
            assert "pow" in note.splitlines()[0], (what, note)
            assert 'test_as_numpy.py", line' in note
    same(g.function([i, p], i**p, linker=linker)([2, 3, -1], [2, 0, 3]), [4, 1, -1])


def test_negative_powers_in_many_elements(linker):
    i = g.matrix("i", dtype="int32")
    f = g.function([i], (i**i).T + 1, linker=linker)
    a = np.full((300, 400), 2, "int32")
    same(f(a), (a**a).T + 1)
    for place in [(0, 0), (299, 399), (150, 7)]:
        b = a.copy()
        b[place] = -1
        with pytest.raises(ValueError, match=NEGATIVE):
            f(b)
        with pytest.raises(ValueError, match=NEGATIVE):
            f(np.asfortranarray(b)[::-1])


def test_negative_powers_of_numbers(linker):
    i, p = g.scalar("i", dtype="int64"), g.scalar("p", dtype="int64")
    f = g.function([i, p], i**p + 1, linker=linker)
    assert f(3, 4) == 82
    with pytest.raises(ValueError, match=NEGATIVE):
        f(2, -1)
    # Through floats, as a function of doubles.
    x = g.scalar("x")
    h = g.function([x], (2 ** x.astype("int64")).astype("float64"), linker=linker)
    assert h(3.0) == 8
    with pytest.raises(ValueError, match=NEGATIVE):
        h(-3.0)


def test_powers_that_cannot_be_negative(linker):
    u = g.vector("u", dtype="uint8")
    same(g.function([u], u**u, linker=linker)([2, 3]), [4, 27])
    same(g.function([u], 2 ** u.astype("int64"), linker=linker)([2, 3]), [4, 8])
    f = g.vector("f")
    same(g.function([f], f**-1, linker=linker)([2.0]), [0.5])


# ---- Floats as integers --------------------------------------------------------------------------

FLOATS = [0.0, -0.0, 2.9, -2.5, 255.0, 256.5, -1.0, 3e9, -3e9, 2.0**31, -(2.0**31), 1e10, 2.0**63]
FLOATS += [-(2.0**63), 1.8e19, 2.0**64, -1e30, 1e30, np.inf, -np.inf, np.nan]


def defined(x, dtype):
    """The result that docs/graph.md specifies, computed with Python's integers."""
    bits = np.iinfo(dtype).bits
    low, high = (-(2**31), 2**31) if dtype == "int32" else (-(2**63), 2**63)
    if dtype == "uint64":
        high = 2**64
    whole = low if np.isnan(x) or np.isinf(x) or not low <= int(x) < high else int(x)
    whole %= 2**bits
    return whole - 2**bits if dtype[0] == "i" and whole >= 2 ** (bits - 1) else whole


@pytest.mark.parametrize("source", ["float64", "float32", "complex128"])
def test_floats_as_integers(linker, source):
    x = g.vector("x", dtype=source)
    dtypes = [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]
    f = g.function([x], [x.real.astype(dtype) for dtype in dtypes], linker=linker)
    # Alone, and in vectors.
    for repeat in (1, 7):
        values = np.array(FLOATS * repeat, source)
        for dtype, got in zip(dtypes, f(values), strict=True):
            wanted = [defined(float(value.real), dtype) for value in values]
            assert got.dtype == dtype and got.tolist() == wanted, (dtype, got, wanted)


def test_reciprocals_of_zero(linker):
    for dtype in ("int32", "int64", "uint8", "uint64"):
        i = g.vector("i", dtype=dtype)
        least = defined(np.inf, dtype)
        got = g.function([i], g.reciprocal(i), linker=linker)([0, 1, 2])
        assert got.tolist() == [least, 1, 0]


# ---- Axes ----------------------------------------------------------------------------------------


def test_squeeze_wants_sizes_or_axes(linker):
    x = g.matrix("x")
    for squeeze in (g.squeeze, np.squeeze, lambda x: x.squeeze()):
        with pytest.raises(ValueError, match="axis 0 of .* is not known .* axis=0"):
            squeeze(x)
    y = g.matrix("y", shape=(5, 1))
    same(g.function([y], y.squeeze(), linker=linker)(np.ones((5, 1))), np.ones(5))
    same(g.function([x], x.squeeze(1), linker=linker)(np.ones((5, 1))), np.ones(5))


def test_axes_of_numbers(linker):
    s = g.scalar("s")
    for axis in (0, -1, None, ()):
        outputs = [s.sum(axis), s.prod(axis), s.max(axis), s.min(axis)]
        wanted = [getattr(np.float64(3), n)(axis) for n in "sum prod max min".split()]
        assert g.function([s], outputs, linker=linker)(3.0) == wanted
    # NumPy has no mean of a number over an axis.
    with pytest.raises(ValueError, match="out of range"):
        s.mean(0)
    outputs = [s.argmax(0), g.any(s, 0), g.all(s, -1), g.squeeze(s, 0), g.softmax(s)]
    assert g.function([s], outputs, linker=linker)(3.0) == [0, True, True, 3, 1]
    for wrong in (1, -2, (0,)):
        with pytest.raises(ValueError, match="out of range"):
            s.sum(wrong)


def test_clip_takes_bounds_that_bound_nothing(linker):
    for dtype in ("uint8", "int8", "uint64"):
        x = g.vector("x", dtype=dtype)
        data = np.array([0, 1, 100], dtype)
        for low, high in [(-1, 1), (-1000, 1000), (1, 10**30), (None, 1), (0, 255)]:
            if dtype == "int8" and low == -1:
                continue
            if dtype == "uint64" and high == 255:
                continue
            wanted = np.clip(data, low, high)
            got = g.function([x], g.clip(x, low, high), linker=linker)(data)
            assert got.dtype == wanted.dtype
            same(got, wanted)
        with pytest.raises(OverflowError):
            g.clip(x, None, -1000)


# ---- Indexes -------------------------------------------------------------------------------------


INDEXES = [
    (None, slice(1, None)),
    (slice(1, None), None),
    (None, 1),
    (None, slice(None), None, slice(0, 2)),
    None,
    (Ellipsis, None),
    [0, 2],
    (slice(None), [3, -1]),
    (slice(1, None), [[0, 1], [2, 3]]),
    (None, [1, 2]),
    ([1, 2], None),
    ([0, 1], 2),
    (2, slice(1, None), None),
    (2, None, [1, 0]),
    np.arange(12).reshape(3, 4) % 5 > 2,
    np.array([True, False, True]),
]


@pytest.mark.parametrize("mode", ["set", "inc"])
def test_new_axes_of_replaced_items(linker, mode):
    x = g.matrix("x")
    data = np.arange(12.0).reshape(3, 4)
    function = {"set": g.set_subtensor, "inc": g.inc_subtensor}[mode]
    for index in INDEXES:
        part = data[index]
        for value in (np.array(7.0), np.full(part.shape, 5.0), np.full(part.shape[-1:], 2.0)):
            wanted = data.copy()
            if mode == "set":
                wanted[index] = value
            else:
                np.add.at(wanted, index, value)
            v = g.tensor("v", "float64", (None,) * value.ndim)
            f = g.function([x, v], function(x[index], v), linker=linker)
            same(f(data, value), wanted)


# ---- Empty arrays --------------------------------------------------------------------------------


def test_logsumexp_of_nothing(linker):
    m = g.matrix("m")
    outputs = [g.logsumexp(m, 1), g.logsumexp(m, 1, keepdims=True), g.logsumexp(m)]
    f = g.function([m], outputs, linker=linker)
    for got in f(np.ones((3, 0))):
        assert (np.asarray(got) == -np.inf).all()
    same(f(np.zeros((2, 4)))[0], np.log([4.0, 4.0]), 1e-15)
    same(f(np.array([[-np.inf, -np.inf], [np.inf, 1]]))[0], [-np.inf, np.inf])
    assert np.isnan(f(np.array([[np.nan, 1]]))[0]).all()
    assert f(np.array([[1e300, 1e300]]))[0] == 1e300


def test_extremes_of_nothing(linker):
    m = g.matrix("m")
    for name in ("argmax", "argmin", "max", "min"):
        for axis in (0, 1, None):
            for keepdims in (False, True):
                f = g.function([m], getattr(g, name)(m, axis, keepdims), linker=linker)
                # With other outputs, so that the loops are shared.
                both = [getattr(g, name)(m, axis, keepdims), g.sum(m, axis, keepdims=keepdims)]
                h = g.function([m], both, linker=linker)
                for shape in [(0, 3), (3, 0), (0, 0)]:
                    empty = np.zeros(shape)
                    try:
                        wanted = getattr(np, name)(empty, axis, keepdims=keepdims)
                    except ValueError:
                        for function in (f, h):
                            with pytest.raises(ValueError, match=f"arg{name[-3:]}|{name[:3]}"):
                                function(empty)
                        continue
                    same(f(empty), wanted)
                    same(h(empty)[0], wanted)
    with pytest.raises(ValueError, match="max"):
        g.function([m], g.softmax(m), linker=linker)(np.zeros((0, 0)))


# ---- Infinities ----------------------------------------------------------------------------------


def test_log_softmax_of_infinities(linker):
    inf, nan = np.inf, np.nan
    rows = {  # as scipy.special.log_softmax
        (1.0, inf, 2.0): [-inf, nan, -inf],
        (inf, inf, 0.0): [nan, nan, -inf],
        (inf, -inf, 0.0): [nan, -inf, -inf],
        (-inf, -inf, -inf): [nan, nan, nan],
        (nan, inf, 1.0): [nan, nan, nan],
        (-inf, 0.0, 0.0): [-inf, -np.log(2), -np.log(2)],
        (1e300, 0.0, 0.0): [0.0, -1e300, -1e300],
    }
    m, v = g.matrix("m"), g.vector("v")
    same(g.function([m], g.log_softmax(m), linker=linker)(list(rows)), list(rows.values()), 1e-15)
    f = g.function([v], g.log_softmax(v), linker=linker)
    for row, wanted in rows.items():
        same(f(row), wanted, 1e-15)


# ---- Rounding ------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "int8", "uint8", "complex128"])
def test_round(linker, dtype):
    values = [0.0, 0.5, 1.5, 2.5, 1.25, 1.35, 2.675, 15.0, 25.0, 35.0, 99.0, 125.0, 1e22]
    kind = np.dtype(dtype).kind
    if kind != "u":
        values += [-one for one in values]
    if kind in "fc":
        values += [np.inf, -np.inf, np.nan, 1e-310]
    limit = np.iinfo(dtype).max if kind in "iu" else np.inf
    data = np.array([one for one in values if not abs(one) > limit or kind == "f"]).astype(dtype)
    x = g.vector("x", dtype=dtype)
    decimals = [0] if kind == "c" else [0, 1, 2, -1, -2, 5, 22, -22]
    f = g.function([x], [g.round(x, d) for d in decimals], linker=linker)
    for d, got in zip(decimals, f(data), strict=True):
        with np.errstate(all="ignore"):
            wanted = np.round(data, d)
        if kind in "iu" and d < 0:  # beyond the dtype: as docs/graph.md has floats as integers
            exact = [np.round(float(one), d) for one in data]
            wanted = np.array([defined(one, dtype) for one in exact], dtype)
        assert got.dtype == dtype
        same(got, wanted)


def test_round_in_its_spellings(linker):
    x, i, c = g.vector("x"), g.vector("i", dtype="int32"), g.vector("c", dtype="complex64")
    data = np.array([1.25, -0.35, 2.5])
    outputs = [round(x), round(x, 1), x.round(1), np.round(x, 1), np.round(x, decimals=1)]
    for got, d in zip(g.function([x], outputs, linker=linker)(data), [0, 1, 1, 1, 1], strict=True):
        same(got, np.round(data, d))
    assert round(i) is i and g.round(i, 3) is i
    for wrong in ("1", 1.0, g.scalar("n", dtype="int64")):
        with pytest.raises(TypeError, match="decimals are an int that is known"):
            g.round(x, wrong)
    with pytest.raises(TypeError, match=r"round x\.real and x\.imag"):
        g.round(c, 1)
    with pytest.raises(TypeError, match="it is of bools"):
        g.round(g.vector("b", dtype="bool"), 1)
    s = g.scalar("s")
    assert g.function([s], round(s, 2), linker=linker)(2.675) == np.round(2.675, 2)


# ---- Ranks ---------------------------------------------------------------------------------------


def test_ranks(linker):
    shape = (1,) * 31 + (2,)
    x = g.tensor("x", "float64", shape)
    same(g.function([x], x + 1, linker=linker)(np.zeros(shape)), np.ones(shape))
    message = "a tensor has at most 32 dimensions, not 33; reshape to fewer"
    v = g.vector("v")
    for grow in (
        lambda: g.tensor("y", "float64", (None,) * 33),
        lambda: g.constant(np.zeros((1,) * 33)),
        lambda: g.expand_dims(x, 0),
        lambda: x[None],
        lambda: x + np.zeros((1,) * 33),
        lambda: g.reshape(v, (1,) * 33),
        lambda: g.broadcast_to(v, (1,) * 33),
        lambda: g.zeros((1,) * 33),
        lambda: g.stack([x, x]),
        lambda: g.tensordot(x, x, 0),
    ):
        with pytest.raises(ValueError, match="at most 32 dimensions, not (33|64)") as caught:
            grow()
    assert str(caught.value).startswith(message.replace("33", "64"))
