"""What the tests of graphs share."""

import fishplate.graph as g
import numpy as np

DTYPES = (
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128"
).split()

#: The linkers that every test of values runs with.
LINKERS = ["perform"]


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
    """A variable that the array can be given for."""
    array = np.asarray(array)
    return g.tensor(None, array.dtype, array.shape if static else (None,) * array.ndim)


def run(function, *arrays, linker="perform", static=False):
    """What a graph function gives for these arrays."""
    inputs = [variable(array, static) for array in arrays]
    outputs = function(*inputs)
    f = g.function(inputs, outputs, linker=linker, on_unused_input="ignore")
    return f(*arrays)


def check(function, expected, *arrays, rtol=None, linker="perform"):
    """Compares a graph function with what NumPy gives, with sizes known and not."""
    with np.errstate(all="ignore"):
        wanted = np.asarray(expected(*arrays))
    for static in (False, True):
        got = np.asarray(run(function, *arrays, linker=linker, static=static))
        assert got.dtype == wanted.dtype, (got.dtype, wanted.dtype)
        same(got, wanted, rtol)


def same(got, wanted, rtol=None):
    """Two arrays are equal, or within `rtol`."""
    got, wanted = np.asarray(got), np.asarray(wanted)
    assert got.shape == wanted.shape, (got.shape, wanted.shape)
    if rtol is None:
        np.testing.assert_array_equal(got, wanted)
    else:
        np.testing.assert_allclose(got, wanted, rtol=rtol, atol=rtol)
