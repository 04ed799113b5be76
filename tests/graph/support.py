"""Helpers that the tests of graphs share."""

import itertools
from collections.abc import Callable
from typing import Any, NamedTuple

import fishplate.graph as g
import numpy as np

DTYPES = (
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128"
).split()

#: The linkers that every test of values runs with.
LINKERS = ["perform", "c"]


def takes_all():
    """Whether this is a run with everything; scripts that import this module never ask."""
    from compilers import ALL

    return ALL


def by_turns(linkers, dtypes, some):
    """The linkers with the dtypes; `c-opwise`, which compiles each op by itself, with `some` only.

    `--all`: with each.
    """
    return [
        (dtype, linker)
        for linker in linkers
        for dtype in dtypes
        if takes_all() or linker != "c-opwise" or dtype in some
    ]


def values(dtype, shape, seed=0):
    """Some values of a dtype, negative ones, zeros and fractions among them."""
    random = np.random.default_rng(seed)
    kind = np.dtype(dtype).kind
    if kind == "b":
        return random.integers(0, 2, shape).astype(bool)
    if kind == "u":
        return random.integers(0, 6, shape).astype(dtype)
    if kind == "i":
        return random.integers(-5, 6, shape).astype(dtype)
    real = random.integers(-8, 9, shape) / 4
    if kind == "c":
        return (real + 1j * random.integers(-8, 9, shape) / 4).astype(dtype)
    return real.astype(dtype)


def variable(array, static=False):
    """A variable that accepts the array."""
    array = np.asarray(array)
    return g.tensor(None, array.dtype, array.shape if static else (None,) * array.ndim)


def run(function, *arrays, linker="perform", static=False):
    """The results of a graph function for these arrays."""
    inputs = [variable(array, static) for array in arrays]
    outputs = function(*inputs)
    f = g.function(inputs, outputs, linker=linker, on_unused_input="ignore")
    return f(*arrays)


class Check(NamedTuple):
    """A graph function, and its expected result."""

    function: Callable[..., Any]
    arrays: tuple[Any, ...]
    wanted: np.ndarray
    rtol: float | None
    linker: str


_pending: list[Check] = []


def check(function, expected, *arrays, rtol=None, linker="perform"):
    """Compares a graph function with NumPy's result, when the test is over.

    A compiler takes long for each graph and not for each node, so all checks of a test are one.
    """
    with np.errstate(all="ignore"):
        wanted = np.asarray(expected(*arrays))
    _pending.append(Check(function, arrays, wanted, rtol, linker))


#: Whether sizes are known in the next checks that are compiled.
_sizes_are_known = itertools.cycle([False, True])


def run_checks():
    """Does the checks, with sizes known and not; one by one if they fail together.

    Compiled functions, which take long, have the two by turns, unless `--all`.
    """
    checks = _pending.copy()
    _pending.clear()
    for linker in {one.linker for one in checks}:
        group = [one for one in checks if one.linker == linker]
        both = takes_all() or linker == "perform"
        for static in (False, True) if both else (next(_sizes_are_known),):
            try:
                _run_together(group, linker, static)
            except Exception:
                for one in group:
                    _run_together([one], linker, static)
                raise


def forget_checks():
    """Forgets the checks of a test that has failed."""
    _pending.clear()


def _run_together(checks, linker, static):
    inputs = [variable(array, static) for one in checks for array in one.arrays]
    rest = iter(inputs)
    outputs = [one.function(*[next(rest) for _ in one.arrays]) for one in checks]
    f = g.function(inputs, outputs, linker=linker, on_unused_input="ignore")
    results = f(*[array for one in checks for array in one.arrays])
    for one, result in zip(checks, results, strict=True):
        got = np.asarray(result)
        assert got.dtype == one.wanted.dtype, (got.dtype, one.wanted.dtype)
        same(got, one.wanted, one.rtol)


def same(got, wanted, rtol=None):
    """Two arrays are equal, or within `rtol`."""
    got, wanted = np.asarray(got), np.asarray(wanted)
    assert got.shape == wanted.shape, (got.shape, wanted.shape)
    if rtol is None:
        np.testing.assert_array_equal(got, wanted)
    else:
        np.testing.assert_allclose(got, wanted, rtol=rtol, atol=rtol)
