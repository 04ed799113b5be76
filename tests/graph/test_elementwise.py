"""Functions of elements, against NumPy: values, dtypes, broadcasting."""

import itertools
import math
import warnings

import fishplate.graph as g
import numpy as np
import pytest
from support import DTYPES, LINKERS, check, run, same, values, variable

UNARY = (
    "negative absolute sign square reciprocal conj exp exp2 expm1 log log2 log10 log1p sqrt cbrt "
    "sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh floor ceil trunc rint "
    "isnan isinf isfinite signbit logical_not invert real imag angle"
).split()

BINARY = (
    "add subtract multiply true_divide floor_divide mod fmod equal not_equal less less_equal "
    "greater "
    "greater_equal logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor maximum "
    "minimum fmax fmin arctan2 hypot copysign nextafter logaddexp"
).split()

# Functions that C's library and ours do not have for complex numbers.
REAL_ONLY = set("maximum minimum fmax fmin less less_equal greater greater_equal".split())

# Close to zero in float32, the last bits differ between one loop and another.
CLOSE = {"float32": 1e-5, "float64": 1e-12, "complex64": 1e-5, "complex128": 1e-12}


def numpys(name, *arrays):
    """NumPy's result; in float32 where it would compute in float16. None: it is not defined."""
    function = getattr(np, name)
    with np.errstate(all="ignore"):
        try:
            result = np.asarray(function(*arrays))
            if isinstance(function, np.ufunc):
                types = [a.dtype for a in arrays]
                loop = function.resolve_dtypes((*types, *[None] * function.nout))
            else:
                loop = (result.dtype,)
            if any(dtype == np.float16 for dtype in loop):
                result = np.asarray(function(*(a.astype("float32") for a in arrays)))
        except TypeError:
            return None
    return result


def compare(name, arrays, linker):
    wanted = numpys(name, *arrays)
    is_complex = any(a.dtype.kind == "c" for a in arrays)
    if wanted is None or (is_complex and name in REAL_ONLY):
        with pytest.raises(TypeError, match="is not defined for"):
            getattr(g, name)(*map(variable, arrays))
        return
    close = CLOSE.get(str(wanted.dtype))
    check(getattr(g, name), lambda *_: wanted, *arrays, rtol=close, linker=linker)


@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("name", UNARY)
def test_of_one(name, linker):
    for dtype in DTYPES:
        for shape in ((3, 4), ()):
            array = values(dtype, shape)
            if name == "reciprocal" and array.dtype.kind in "biu":
                array = np.where(array == 0, 1, array)  # of an integer 0 it is not defined
            compare(name, [array.astype(dtype)], linker)


@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("name", BINARY)
def test_of_two(name, linker):
    for number, (a, b) in enumerate(itertools.product(DTYPES, DTYPES)):
        compare(name, [values(a, (3, 1), number), values(b, (4,), number + 1)], linker)


@pytest.mark.parametrize("linker", LINKERS)
def test_powers(linker):
    for a, b in itertools.product(["int32", "int64", "float32", "float64"], repeat=2):
        x, y = values(a, 6, 1), np.abs(values(b, 6, 2))
        check(g.power, np.power, x, y, rtol=1e-6, linker=linker)
    check(lambda x: x**2, lambda x: x**2, values("float32", 5), linker=linker)
    check(lambda x: 2**x, lambda x: 2**x, values("uint8", 5), linker=linker)


@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_edges(dtype, linker):
    parts = [0.0, -0.0, 1, -1, 2, -2.5, 3, np.inf, -np.inf, np.nan]
    odd = np.array([complex(x, y) for x in parts for y in parts], dtype)
    for name in ("sign", "reciprocal", "exp2", "expm1", "log2", "log10", "log1p", "square"):
        compare(name, [odd], linker)
    powers = np.array([0, 1, 2, 3, 4, 7, -1, -2, 0.5, 1j, 1 + 1j], dtype)
    compare("power", [odd[np.isfinite(odd), None], powers], linker)
    whole = np.array([1 + 1j, -2 + 3j, 4], dtype)
    for power in (2, 3, 5):  # products of integers are exact
        check(lambda x, n=power: x**n, lambda x, n=power: x**n, whole, linker=linker)


@pytest.mark.parametrize("linker", LINKERS)
def test_negative_powers_of_integers(linker):
    x = g.vector("x", "int64")
    for power in (-1, np.array([1, -2]), g.constant(-3)):
        with pytest.raises(ValueError, match="cast it to float64, or give a float"):
            x**power
    check(lambda x: x**-1.0, lambda x: x**-1.0, np.array([1, 2, -4]), linker=linker)


@pytest.mark.parametrize("linker", LINKERS)
def test_shifts(linker):
    for a, b in itertools.product(["int8", "uint8", "int64", "uint16"], repeat=2):
        x, y = values(a, 6, 1), np.abs(values(b, 6, 2))
        check(g.left_shift, np.left_shift, x, y, linker=linker)
        check(g.right_shift, np.right_shift, x, y, linker=linker)


@pytest.mark.parametrize("linker", LINKERS)
def test_weak_numbers(linker):
    for dtype in DTYPES:
        x = values(dtype, 4)
        check(lambda x: x * 2, lambda x: x * 2, x, linker=linker)
        check(lambda x: 2.5 + x, lambda x: 2.5 + x, x, linker=linker) if x.itemsize > 1 else None
        check(lambda x: g.where(x, x, 1), lambda x: np.where(x, x, 1), x, linker=linker)
    with pytest.raises(OverflowError):
        g.vector("x", "uint8") + 300
    # NumPy computes with a float16 here.
    check(lambda x: x + 0.5, lambda x: x.astype("float32") + 0.5, values("float32", 3))


@pytest.mark.parametrize("linker", LINKERS)
def test_numbers_out_of_range_compare(linker):
    x = values("uint8", 5)
    for name in ("eq", "ne", "lt", "le", "gt", "ge"):
        other = {"eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal"}.get(name)
        other = other or {"gt": "greater", "ge": "greater_equal"}[name]
        for number in (300, -1, 3):
            check(
                lambda x, n=number, f=name: getattr(g, f)(x, n),
                lambda x, n=number, f=other: getattr(np, f)(x, n),
                x,
                linker=linker,
            )


@pytest.mark.parametrize("linker", LINKERS)
def test_signed_and_unsigned_compare_exactly(linker):
    x = np.array([-1, 0, 5, 2**63 - 1], "int64")
    y = np.array([2**64 - 1, 0, 4, 2**63], "uint64")
    for name in ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"):
        check(getattr(g, name), getattr(np, name), x[:, None], y, linker=linker)
        check(getattr(g, name), getattr(np, name), y[:, None], x, linker=linker)


@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_special_values(dtype, linker):
    odd = np.array([0.0, -0.0, 1, -1, np.inf, -np.inf, np.nan, 1e-30, 700, -700], dtype)
    for name in UNARY:
        if name != "invert":
            compare(name, [odd], linker)
    for name in BINARY:
        if not name.startswith("bitwise"):
            compare(name, [odd[:, None], odd], linker)


@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
def test_functions_that_numpy_lacks(dtype, linker):
    x = np.array([-3, -2.5, -1, -0.5, 0, 0.5, 1, 2, 5, 20], "float64").astype(dtype)
    out = np.result_type(dtype, "float32") if dtype != "int32" else np.dtype("float64")

    def each(function):
        return np.array([function(value) for value in x.tolist()], out)

    def poles(function):
        def safe(value):
            return function(value) if value > 0 or value != int(value) else math.inf

        return safe

    close = 1e-5 if out == "float32" else 1e-12
    check(g.erf, lambda x: each(math.erf), x, rtol=close, linker=linker)
    check(g.erfc, lambda x: each(math.erfc), x, rtol=close, linker=linker)
    check(g.lgamma, lambda x: each(poles(math.lgamma)), x, rtol=close, linker=linker)
    check(g.sigmoid, lambda x: each(lambda v: 1 / (1 + math.exp(-v))), x, rtol=close, linker=linker)
    fine = x[(x > 0) | (x != np.round(x))]
    wanted = np.array([math.gamma(value) for value in fine.tolist()], out)
    check(g.gamma, lambda x: wanted, fine, rtol=close, linker=linker)


@pytest.mark.parametrize("linker", LINKERS)
def test_gamma_at_the_edges(linker):
    x = np.array([0.0, -0.0, -1.0, 200.0, math.inf, -math.inf])
    wanted = [math.inf, -math.inf, math.nan, math.inf, math.inf, math.nan]
    same(run(g.gamma, x, linker=linker), wanted)
    wanted = [math.inf] * 3 + [math.lgamma(200)] + [math.inf] * 2
    same(run(g.lgamma, x, linker=linker), wanted, 1e-14)


@pytest.mark.parametrize("linker", LINKERS)
def test_fma_rounds_once(linker):
    x = np.array([1 + 2**-30, 0.1, -0.0, math.inf, 3.0])
    y = np.array([1 - 2**-30, 10.0, 1.0, 1.0, 1 / 3])
    z = np.array([-1.0, -1.0, -0.0, 1.0, -1.0])
    wanted = [-(2.0**-60), 2.0**-54, -0.0, math.inf, -(2.0**-54)]
    got = run(g.fma, x, y, z, linker=linker)
    same(got, wanted)
    assert np.signbit(got[2])


@pytest.mark.parametrize("linker", LINKERS)
def test_casts(linker):
    for a, b in itertools.product(DTYPES, DTYPES):
        x = np.abs(values(a, 5)) if b.startswith("u") else values(a, 5)
        if np.dtype(a).kind == "c" and np.dtype(b).kind != "c":
            x = np.abs(x).astype(a)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", np.exceptions.ComplexWarning)
            wanted = x.astype(b)
        check(lambda x, b=b: x.astype(b), lambda _, w=wanted: w, x, linker=linker)


@pytest.mark.parametrize("linker", LINKERS)
def test_where_and_clip(linker):
    c, x, y = values("bool", (3, 1)), values("float32", 4), values("int16", (3, 4))
    check(g.where, np.where, c, x, y, linker=linker)
    check(lambda x: g.clip(x, -1, 1), lambda x: np.clip(x, -1, 1), y, linker=linker)
    check(lambda x: x.clip(0), lambda x: np.clip(x, 0, None), x, linker=linker)


@pytest.mark.parametrize("linker", LINKERS)
def test_operators(linker):
    x, y = values("int64", 6, 1), np.abs(values("int64", 6, 2)) + 1
    z = values("float64", 6, 3)
    expressions = [
        lambda x, y, z: x + y * z - x / y,
        lambda x, y, z: (x // y) ** 2 % y,
        lambda x, y, z: (x & y) | (x ^ ~y),
        lambda x, y, z: (x << 2) >> 1,
        lambda x, y, z: -z + abs(+z) + (x < y) + (x <= y) + (x > y) + (x >= y),
        lambda x, y, z: 1 + (2 - (3 * (1.5 / (1 + abs(z))))),
        lambda x, y, z: 7 // y + 7 % y + 2**y,
        lambda x, y, z: (7 & x) | (1 ^ (3 << y)) + (1000 >> y),
        lambda x, y, z: divmod(x, y)[0] + divmod(100, y)[1],
    ]
    for expression in expressions:
        check(expression, expression, x, y, z, rtol=1e-14, linker=linker)


@pytest.mark.parametrize("dtype", ["float64", "int8"])
@pytest.mark.parametrize("m, n", [(1, 1), (3, 1), (40, 3), (5, 16), (3, 63), (7, 200), (600, 500)])
def test_rows_and_columns_repeat(m, n, dtype):
    x, rest = g.matrix("x", dtype=dtype), g.matrix("rest", dtype=dtype)
    row, each = g.vector("row", dtype=dtype), g.vector("each", dtype=dtype)
    expressions = [
        lambda x, rest, row, each: x + row - rest,
        lambda x, rest, row, each: each[:, None] * x,
        lambda x, rest, row, each: (each[:, None] * row + x) * rest,
        lambda x, rest, row, each: each[:, None] + rest,
    ]
    inputs = [x, rest, row, each]
    f = g.function(inputs, [one(*inputs) for one in expressions])
    random = np.random.default_rng(0)

    def array(*shape):
        return random.integers(-5, 5, shape).astype(dtype)

    lying = [array(m, n), array(n, m).T, array(m, 2 * n)[:, ::2]]
    for a, b in itertools.product(lying, [array(m, n), array(m, 1), array(2 * m, 1)[::2]]):
        values = [a, b, array(n), array(2 * m)[::2]]
        for found, one in zip(f(*values), expressions, strict=True):
            same(found, one(*values))


def test_refusals():
    x = g.vector("x", "complex64")
    with pytest.raises(TypeError, match="bitwise_and is not defined for complex64 and complex64"):
        x & x
    with pytest.raises(
        TypeError, match="bitwise_and is not defined for complex64 and a Python int"
    ):
        x & 1
    with pytest.raises(TypeError, match="positive is not defined for bool"):
        +g.vector("x", "bool")
    with pytest.raises(ValueError, match="do not broadcast"):
        g.tensor("x", shape=(2,)) + g.tensor("y", shape=(3,))
    with pytest.raises(TypeError, match="str is not an array of numbers"):
        x + "1"
