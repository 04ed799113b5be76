"""Divisions of many elements by one value, which loops compute by products.

Purpose: each element has the bits of NumPy's division, also where the products fail: infinities,
denormal numbers, quotients that overflow or underflow.
Invariant: arrays are longer than the fewest elements for which a loop uses products.
Reason: the products round like a division only if no step overflows or underflows.
"""

import fishplate.graph as g
import numpy as np
import pytest

DTYPES = ["float32", "float64"]
COUNT = 1000


def same(got, wanted):
    """Whether arrays have the same bits, all NaNs being one."""
    dtype = f"u{wanted.dtype.itemsize}"
    equal = (got.view(dtype) == wanted.view(dtype)) | np.isnan(got) & np.isnan(wanted)
    return got.dtype == wanted.dtype and got.shape == wanted.shape and bool(equal.all())


def special(dtype):
    limits = np.finfo(dtype)
    least = limits.smallest_subnormal
    sizes = [
        limits.max,
        limits.max / 3,
        limits.tiny,
        limits.tiny * 3,
        least,
        least * 3,
        1,
        0,
        np.inf,
    ]
    return np.array([*sizes, *(-size for size in sizes), np.nan], dtype)


def numbers(dtype, seed=0):
    """Numbers of moderate size; half of them have mantissas near all zeros or all ones."""
    random = np.random.default_rng(seed)
    epsilon = np.finfo(dtype).eps
    near = 1 + random.integers(0, 64, COUNT) * epsilon * random.choice([1, -0.5], COUNT)
    mantissas = np.where(random.random(COUNT) < 0.5, near, random.uniform(1, 2, COUNT))
    return (mantissas * 2.0 ** random.integers(-20, 20, COUNT)).astype(dtype) * random.choice(
        np.array([1, -1], dtype), COUNT
    )


def quotients(dtype):
    x, s = g.vector("x", dtype=dtype), g.scalar("s", dtype=dtype)
    return g.function([x, s], x / s)


@pytest.mark.parametrize("dtype", DTYPES)
def test_quotients_have_the_bits_of_divisions(dtype):
    f, x = quotients(dtype), numbers(dtype)
    for divisor in np.concatenate([np.abs(numbers(dtype, 1)), numbers(dtype, 2)[:50]]):
        assert same(f(x, divisor), x / divisor), divisor


@pytest.mark.parametrize("dtype", DTYPES)
def test_one_special_element(dtype):
    f, x = quotients(dtype), numbers(dtype)
    for element in special(dtype):
        for place in (0, 500, COUNT - 1):
            x[place] = element
            for divisor in np.array([3, 0.7, 1e-30, 1e30], dtype):
                with np.errstate(all="ignore"):
                    assert same(f(x, divisor), x / divisor), (element, place, divisor)


@pytest.mark.parametrize("dtype", DTYPES)
def test_special_divisors(dtype):
    f = quotients(dtype)
    limits = np.finfo(dtype)
    powers = 2.0 ** np.arange(np.log2(limits.tiny) - 8, np.log2(limits.max), 7)
    x = np.concatenate([numbers(dtype), special(dtype)])
    for divisor in np.concatenate([special(dtype), powers.astype(dtype), -powers.astype(dtype)]):
        with np.errstate(all="ignore"):
            for dividends in (x, x[:COUNT]):
                assert same(f(dividends, divisor), dividends / divisor), divisor


@pytest.mark.parametrize("size", [0, 1, 63, 64, 65, 1000])
def test_sizes(size):
    x = numbers("float64")[:size]
    assert same(quotients("float64")(x, 0.3), x / 0.3)


@pytest.mark.parametrize("element", [2.0, np.inf, 1e-310])
def test_quotients_in_the_memory_of_their_dividends(element):
    x, s = g.vector("x"), g.scalar("s")
    f = g.function([x, s], (x.cumsum() / s).cumsum())
    array = numbers("float64")
    array[0] = element
    assert same(f(array, 3.0), (array.cumsum() / 3.0).cumsum())


@pytest.mark.parametrize("dtype", DTYPES)
def test_rows_are_divided_by_their_own_values(dtype):
    x, m = g.matrix("x", dtype=dtype), g.vector("m", dtype=dtype)
    largest = x.max(axis=1, keepdims=True)
    scaled = g.function([x, m], [x / largest, (x - m) / largest * m])
    by_columns = g.function([x, m], x / m[:, None])
    array = np.stack([numbers(dtype, row) for row in range(25)])
    for row, element in enumerate(special(dtype)):
        array[row, 7 * row] = element
    array[20], array[21] = 0, -1
    middle, column = numbers(dtype, 3), numbers(dtype, 4)[: len(array)]
    with np.errstate(all="ignore"):
        most = array.max(axis=1, keepdims=True)
        first, second = scaled(array, middle)
        assert same(first, array / most)
        assert same(second, (array - middle) / most * middle)
        assert same(by_columns(array, column), array / column[:, None])


def test_divisors_that_loops_compute():
    x, a, b = g.vector("x"), g.scalar("a"), g.scalar("b")
    f = g.function([x, a, b], [x / (a + b) + x / b, (x * a) / (a + b)])
    array = numbers("float64")
    got = f(array, 0.1, 0.7)
    assert same(got[0], array / (0.1 + 0.7) + array / 0.7)
    assert same(got[1], (array * 0.1) / (0.1 + 0.7))


def test_loops_with_functions_of_the_math_library_divide(tmp_path):
    x, s = g.vector("x"), g.scalar("s")
    sources = []
    for number, result in enumerate([x / s, g.exp(x) / s, s / x]):
        paths = g.function([x, s], result, name=f"f{number}").export(tmp_path / f"f{number}.a")
        sources.append(next(path for path in paths if path.suffix == ".c").read_text())
    assert ["fp_quotient_float64(x0" in source for source in sources] == [True, False, False]
