"""Random graphs return the same as the expressions in NumPy."""

import fishplate.graph as g
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import LINKERS, same, variable

DTYPES = ["bool", "int8", "int32", "int64", "uint8", "uint64", "float32", "float64", "complex128"]
SHAPES = [(), (1,), (3,), (2, 1), (2, 3), (1, 3), (4, 2, 3)]

# Functions of one or two, exact in every dtype that they are defined for.
ONE = [
    "negative", "absolute", "square", "floor", "conj", "logical_not", "real", "isnan", "sign",
]  # fmt: skip
TWO = [
    "add", "subtract", "multiply", "maximum", "minimum", "less", "equal", "not_equal",
    "greater_equal",
    "logical_and", "logical_xor", "bitwise_or",
]  # fmt: skip
SHAPE = [
    lambda x: x.T,
    lambda x: x.reshape(-1),
    lambda x: x[None],
    lambda x: x[..., ::-1] if x.ndim else x,
    lambda x: x[0] if x.ndim else x,
    lambda x: x[1:] if x.ndim else x,
    lambda x: x.sum(),
    lambda x: x.sum(-1, keepdims=True) if x.ndim else x,
    lambda x: x.any(0) if x.ndim else x,
    lambda x: np.stack([x, x]),
    lambda x: np.concatenate([x, x], axis=-1) if x.ndim else x,
    lambda x: x.astype("float64") if np.dtype(x.dtype).kind != "c" else x,
]


@st.composite
def programs(draw):
    """Arrays, and instructions that each use existing values."""
    arrays = []
    for _ in range(draw(st.integers(1, 3))):
        dtype, shape = draw(st.sampled_from(DTYPES)), draw(st.sampled_from(SHAPES))
        seed = draw(st.integers(0, 1000))
        low = 0 if dtype[0] in "bu" else -4
        arrays.append(np.random.default_rng(seed).integers(low, 5, shape).astype(dtype))
    steps = []
    for count in range(draw(st.integers(1, 12))):
        there = len(arrays) + count
        pick = st.integers(0, there - 1)
        kind = draw(st.sampled_from(["one", "two", "two", "weak", "shape", "where"]))
        if kind == "one":
            steps.append((kind, draw(st.sampled_from(ONE)), draw(pick)))
        elif kind == "two":
            steps.append((kind, draw(st.sampled_from(TWO)), draw(pick), draw(pick)))
        elif kind == "weak":
            number = draw(st.sampled_from([2, 3, 0.5, 1.5]))
            steps.append((kind, draw(st.sampled_from(TWO)), draw(pick), number))
        elif kind == "shape":
            steps.append((kind, draw(st.integers(0, len(SHAPE) - 1)), draw(pick)))
        else:
            steps.append((kind, None, draw(pick), draw(pick), draw(pick)))
    return arrays, steps


def small(value):
    """Keeps values exact and arrays small."""
    return np.size(value) <= 5000 and bool(np.all(np.abs(np.asarray(value, complex)) < 2**20))


def evaluate(values, steps):
    """Runs instructions on arrays, or on variables: both take NumPy's functions."""
    for kind, which, *rest in steps:
        operands = [values[i] for i in rest] if kind != "weak" else [values[rest[0]], rest[1]]
        if kind == "shape":
            made = SHAPE[which](*operands)
        elif kind == "where":
            made = np.where(*operands)
        else:
            made = getattr(np, which)(*operands)
        values.append(made)
    return values


def feasible(arrays, steps):
    """The instructions that NumPy supports, and their results.

    A copy replaces an instruction that NumPy refuses, computes in float16 or lets overflow.
    """
    values, kept = list(arrays), []
    for step in steps:
        try:
            with np.errstate(all="ignore"):
                (made,) = evaluate(list(values), [step])[len(values) :]
            good = np.asarray(made).dtype != np.float16 and small(made) and _has_order(step, values)
        except (TypeError, ValueError, OverflowError, IndexError):
            good = False
        if not good:
            step = ("where", None, 0, 0, 0)
            made = np.where(values[0], values[0], values[0])
        kept.append(step)
        values.append(made)
    return kept, values


def _has_order(step, values):
    """Complex numbers have no order here."""
    if step[0] in ("two", "weak") and step[1] in ("maximum", "minimum", "less", "greater_equal"):
        return all(np.asarray(values[i]).dtype.kind != "c" for i in step[2:] if isinstance(i, int))
    return True


@pytest.mark.parametrize("linker", LINKERS)
@given(programs())
@settings(max_examples=60, deadline=None)
def test_random_graphs(linker, program):
    arrays, steps = program
    steps, wanted = feasible(arrays, steps)
    for static in (False, True):
        inputs = [variable(array, static) for array in arrays]
        results = evaluate(list(inputs), steps)
        f = g.function(inputs, results, linker=linker)
        for got, want in zip(f(*arrays), wanted, strict=True):
            assert np.asarray(got).dtype == np.asarray(want).dtype
            same(got, want)
