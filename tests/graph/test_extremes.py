"""Extremes over axes and their indices, against NumPy.

Purpose: the first of equal elements, the first NaN, at every length at which loops change.
Invariant: few values, so that most are equal to others.
Reason: lanes and rows of states find an index in an order of their own.
"""

import fishplate.graph as g
import numpy as np
import pytest
from support import by_turns

LINKERS = ["perform", "c", "c-opwise"]

#: Around the sizes at which loops change: lanes, pairs of lanes, chunks, pieces.
LENGTHS = [1, 9, 16, 31, 32, 33, 63, 64, 65, 95, 97, 400, 4095, 4097, 4160]


def hard_values(dtype, shape, seed):
    """Few values, so that many are equal, and in floats NaNs and infinities in some places."""
    random = np.random.default_rng(seed)
    x = random.integers(0, 3, shape).astype(dtype)
    if np.dtype(dtype).kind == "f":
        x = random.choice([0.0, -0.0, 1.0, -np.inf, np.inf, -7.5], shape).astype(dtype)
        if seed % 3 == 0:
            x.flat[random.integers(0, x.size, 1 + x.size // 40)] = np.nan
        if seed % 3 == 1:
            x[...] = -np.inf
    elif seed % 2:
        x[...] = np.iinfo(dtype).min if np.dtype(dtype).kind != "b" else False
        x.flat[random.integers(0, x.size)] = 1
    return x


DTYPES = "float64 float32 int64 int32 uint16 int8 bool".split()


@pytest.mark.parametrize(("dtype", "linker"), by_turns(LINKERS, DTYPES, ["float32", "int8"]))
def test_extremes_and_their_indices(dtype, linker):
    x = g.matrix("x", dtype=dtype)
    names = ["argmax", "argmin"] + ["max", "min"] * (dtype != "bool")
    asked = [(name, axis) for name in names for axis in (0, 1, None)]
    outputs = [getattr(x, name)(axis) for name, axis in asked]
    f = g.function([x], outputs, linker=linker)
    seed = 0
    for n in LENGTHS:
        for m in (1, 3, 20, 70):
            for turn in (False, True):
                seed += 1
                array = hard_values(dtype, (n, m), seed)
                array = array.T if turn else array
                for given in (array, array[::-1, ::2], np.ascontiguousarray(array)):
                    for (name, axis), got in zip(asked, f(given), strict=True):
                        wanted = getattr(given, name)(axis)
                        np.testing.assert_array_equal(got, wanted, err_msg=f"{name} {axis} {seed}")


@pytest.mark.parametrize("linker", ["perform", "c"])
def test_indices_in_large_arrays(linker):
    x = g.tensor3("x", dtype="float32")
    asked = [(name, axis) for name in ("argmax", "argmin") for axis in (0, 1, 2, None)]
    f = g.function([x], [getattr(x, name)(axis) for name, axis in asked], linker=linker)
    random = np.random.default_rng(3)
    for shape in [(70, 61, 70), (3, 2, 200_000), (300_000, 1, 2), (2, 90_000, 5)]:
        for nan in (False, True):
            array = random.normal(size=shape).round(1).astype("float32")
            if nan:
                array.flat[random.integers(0, array.size, 5)] = np.nan
            for given in (array, array.transpose(2, 1, 0), array[:, ::-1]):
                for (name, axis), got in zip(asked, f(given), strict=True):
                    np.testing.assert_array_equal(got, getattr(given, name)(axis))


@pytest.mark.parametrize("linker", LINKERS)
def test_indices_of_functions_and_beside_sums(linker):
    """In one loop with other reductions, of which some cannot fold a value twice."""
    x, y = g.matrix("x"), g.vector("y")
    v = x * y + 1
    for axis in (0, 1):
        outputs = [v.argmax(axis), v.sum(axis), v.max(axis), v.argmin(axis)]
        f = g.function([x, y], outputs, linker=linker)
        for m, n in [(7, 70), (70, 7), (100, 100), (33, 65)]:
            a, b = hard_values("float64", (m, n), 2), np.arange(n) % 3.0
            a[~np.isfinite(a)] = 2
            w = a * b + 1
            wanted = [w.argmax(axis), w.sum(axis), w.max(axis), w.argmin(axis)]
            for got, want in zip(f(a, b), wanted, strict=True):
                np.testing.assert_array_equal(got, want)
