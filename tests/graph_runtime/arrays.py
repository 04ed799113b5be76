"""Arrays of any layout, for property tests."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st


def values(rng: np.random.Generator, shape: tuple[int, ...], dtype: str) -> np.ndarray:
    if dtype == "bool":
        return rng.integers(0, 2, size=shape).astype(bool)
    if dtype.startswith("complex"):
        return (rng.normal(size=shape) + 1j * rng.normal(size=shape)).astype(dtype)
    if dtype.startswith("float"):
        return rng.normal(size=shape).astype(dtype)
    return rng.integers(0, 100, size=shape).astype(dtype)


@st.composite
def lying(draw, shape: tuple[int, ...], dtype: str) -> np.ndarray:
    """An array of a shape: its axes in any order, every other element, backwards, misaligned."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    order = draw(st.permutations(range(len(shape))))
    steps = [draw(st.sampled_from([1, 1, 1, 2, 3, -1, -2])) for _ in shape]
    room = [shape[axis] * abs(steps[axis]) for axis in order]
    array = values(rng, tuple(room), dtype)
    if draw(st.sampled_from([False, False, False, True])):
        raw = np.empty(array.nbytes + 1, np.uint8)[1:]
        odd = raw.view(np.dtype(dtype)).reshape(array.shape)
        odd[...] = array
        array = odd
    array = array.transpose(np.argsort(order)) if shape else array
    array = array[tuple(slice(None, None, step) for step in steps)]
    return array[tuple(slice(0, size) for size in shape)]


@st.composite
def shapes(draw, ndim: int, most: int = 6) -> tuple[int, ...]:
    return tuple(draw(st.lists(st.integers(0, most), min_size=ndim, max_size=ndim)))


@st.composite
def broadcasting(draw, shape: tuple[int, ...], dtype: str, rank: int) -> np.ndarray:
    """An array of a rank that broadcasts to `shape`."""
    own = tuple(draw(st.sampled_from([size, size, 1])) for size in shape[len(shape) - rank :])
    return draw(lying(own, dtype))
