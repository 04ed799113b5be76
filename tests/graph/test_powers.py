"""Powers by constants: products and roots, as accurate as docs/graph.md states.

Purpose: special values are NumPy's, and errors are within the documented bounds.
Invariant: the reference for errors is `pow` of long doubles.
Reason: a product rounds more often than `pow`, and a square root differs from it at -inf and -0.0.
"""

import fishplate.graph as g
import numpy as np
import pytest
from support import by_turns, same

LINKERS = ["perform", "c", "c-opwise"]

#: By exponent the greatest error in units in the last place.
UNITS = {
    0.5: 0.5,
    -1: 0.5,
    2: 0.5,
    3: 1.5,
    1.5: 1.5,
    -0.5: 1.5,
    4: 2.5,
    -2: 2.5,
    -3: 2.5,
    2.5: 2.5,
    -1.5: 2.5,
    5: 3.5,
    3.5: 3.5,
    -2.5: 3.5,
    6: 4,
    0.25: 4,
    -4: 4,
    1: 0,
    0: 0,
}

ODD = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, -2.0, -2.5, -1e-3, -1e30, 1e-30]


def special(dtype):
    limits = np.finfo(dtype)
    sizes = [limits.max, limits.tiny, limits.smallest_subnormal, limits.smallest_subnormal * 3]
    return np.array([*ODD, *sizes, *(-size for size in sizes)], dtype)


def error(got, x, power):
    """The error in units in the last place of results that are normal numbers."""
    with np.errstate(all="ignore"):
        exact = x.astype(np.longdouble) ** np.longdouble(power)
        unit = np.spacing(exact.astype(x.dtype)).astype(np.longdouble)
    return np.abs(got.astype(np.longdouble) - exact) / unit


def powers_of(x, linker, **options):
    variable = g.vector("x", dtype=x.dtype)
    f = g.function([variable], [variable**power for power in UNITS], linker=linker, **options)
    return zip(UNITS, f(x), strict=True)


FLOATS = by_turns(LINKERS, ["float32", "float64"], ["float64"])


@pytest.mark.parametrize(("dtype", "linker"), FLOATS)
def test_special_values_are_those_of_numpy(dtype, linker):
    x = special(dtype)
    for repeat in (1, 9):
        for power, got in powers_of(np.tile(x, repeat), linker):
            with np.errstate(all="ignore"):
                wanted = x**power
            assert got.dtype == wanted.dtype
            got = got.reshape(repeat, -1)
            same(
                got, np.broadcast_to(wanted, got.shape), rtol=1e-5 if dtype == "float32" else 1e-14
            )
            exact = ~np.isfinite(wanted) | (wanted == 0)
            assert (np.signbit(got) == np.signbit(wanted))[:, exact & ~np.isnan(wanted)].all(), (
                power
            )


@pytest.mark.parametrize(("dtype", "linker"), FLOATS)
@pytest.mark.parametrize("exact", [False, True])
def test_errors_are_within_the_documented_bounds(dtype, exact, linker):
    random = np.random.default_rng(5)
    sizes = random.uniform(-6, 6, 20_000) if dtype == "float32" else random.uniform(-60, 60, 20_000)
    x = (random.uniform(1, 2, 20_000) * 2.0 ** np.rint(sizes)).astype(dtype)
    x[::2] *= -1
    for power, got in powers_of(x, linker, exact_math=exact):
        known = x > 0 if power % 1 else x == x
        most = min(UNITS[power], 1) if exact else UNITS[power]
        found = float(error(got[known], x[known], power).max())
        assert found <= most + 0.01, (power, found)
        assert np.isnan(got[~known]).all()


@pytest.mark.parametrize("linker", LINKERS)
def test_exponents_of_every_kind_are_the_same(linker):
    """Numbers, NumPy's scalars, arrays of rank 0, and constants that only rewrites find."""
    x, i = g.vector("x"), g.vector("i", dtype="int32")
    data = special("float64")
    halves = [0.5, np.float64(0.5), np.array(0.5), g.as_variable(0.5)]
    f = g.function([x], [np.power(x, halves[1])] + [x**half for half in halves], linker=linker)
    with np.errstate(all="ignore"):
        for got in f(data):
            same(got, np.sqrt(data))
    found = g.function([x], x ** (g.as_variable(1.5) * 2), linker=linker)(data)
    with np.errstate(all="ignore"):
        same(found, data**3.0, rtol=1e-14)
    same(g.function([i], i**0.5, linker=linker)([4, 9]), [2.0, 3.0])
    assert g.function([i], i**0.5, linker=linker)([4]).dtype == np.float64
    # An array of halves is an exponent for each element: C's pow, as in NumPy.
    many = g.function([x], x ** np.full(len(data), 0.5), linker=linker)(data)
    with np.errstate(all="ignore"):
        same(many, data ** np.full(len(data), 0.5), rtol=1e-14)


@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_roots_of_complex_numbers(dtype, linker):
    z = g.vector("z", dtype=dtype)
    data = np.array([complex(-1, -0.0), complex(-1, 0.0), 3 + 4j, 0, complex(-np.inf, 1)], dtype)
    got = g.function([z], z**0.5, linker=linker)(data)
    same(got, data**0.5, rtol=1e-6)


INTEGERS = ["int8", "uint8", "int32", "int64", "uint64"]


@pytest.mark.parametrize(("dtype", "linker"), by_turns(LINKERS, INTEGERS, ["int64"]))
def test_powers_of_integers_wrap_around(dtype, linker):
    i = g.vector("i", dtype=dtype)
    data = np.array([0, 1, 2, 3, 100, 255, -1, -7]).astype(dtype)
    powers = [0, 1, 2, 3, 4, 5, 7, 31, 63, 64, 65]
    f = g.function([i], [i**power for power in powers], linker=linker)
    for power, got in zip(powers, f(data), strict=True):
        same(got, data**power)


@pytest.mark.parametrize("linker", LINKERS)
def test_powers_of_numbers(linker):
    s = g.scalar("s")
    f = g.function([s], [s**0.5, s**3, s**-1, s**1.5, s**-2], linker=linker)
    assert f(4.0) == [2.0, 64.0, 0.25, 8.0, 0.0625]


def test_no_call_of_pow_is_left():
    x = g.vector("x")
    for power in UNITS:
        rewrites, _, steps = g.function([x], x**power + 1).explain().partition("steps:")
        assert ("pow" in steps) == (power in (0, 6, 0.25, -4)), (power, steps)
        assert ("powers:" in rewrites) == (UNITS[power] > 0.5 and "pow" not in steps)
    kept = g.function([x], x**3, exclude=["powers"]).explain()
    assert "pow" in kept.partition("steps:")[2]
