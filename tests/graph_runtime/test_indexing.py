"""Elements by indices and by masks, and new elements there."""

from __future__ import annotations

import numpy as np
import pytest
from arrays import lying
from hypothesis import given, settings
from hypothesis import strategies as st
from kernels import Failed, mask_text, put_text, take_text


@given(st.data())
@settings(max_examples=200, deadline=None)
def test_indices_agree_with_numpy(linker, data):
    dtype = data.draw(st.sampled_from(["float64", "int8", "complex128", "int16", "float32"]))
    ndim, ranks = data.draw(st.integers(1, 3)), data.draw(st.integers(0, 2))
    axis = data.draw(st.integers(0, ndim - 1))
    f = linker.link(
        take_text(dtype, ndim, ranks, axis),
        [("x", dtype, (None,) * ndim), ("i", "int64", (None,) * ranks)],
        [(dtype, ndim - 1 + ranks, None)],
    )
    x = data.draw(lying(tuple(data.draw(st.integers(1, 5)) for _ in range(ndim)), dtype))
    i = data.draw(lying(tuple(data.draw(st.integers(0, 5)) for _ in range(ranks)), "int64"))
    i = i % (2 * x.shape[axis]) - x.shape[axis]
    wanted = np.take(x, i, axis)
    result = f(x, i)
    np.testing.assert_array_equal(result, wanted)
    assert np.shape(result) == wanted.shape


def test_an_index_out_of_range_is_named(linker):
    f = linker.link(
        take_text("float64", 2, 1, 1),
        [("x", "float64", (None, None)), ("i", "int64", (None,))],
        [("float64", 2, None)],
    )
    for index in (4, -5, 2**62, 2**63 - 1, -(2**63)):
        with pytest.raises(Failed, match=f"index {index} is out of bounds for axis 1 with size 4"):
            f(np.ones((3, 4)), [0, index])


def test_the_first_index_out_of_range_is_named(linker):
    f = linker.link(
        take_text("float64", 1, 2, 0),
        [("x", "float64", (None,)), ("i", "int64", (None, None))],
        [("float64", 2, None)],
    )
    indices = np.zeros((9, 70), "int64")
    indices[4, 33], indices[4, 34], indices[7, 0] = 5, 6, 7
    for given_indices, first in [
        (indices, 5),
        (indices[::-1], 7),
        (indices[:, ::-1], 6),
        (indices.T, 7),
        (np.asfortranarray(indices), 5),
    ]:
        with pytest.raises(Failed, match=f"index {first} is out of bounds for axis 0 with size 5"):
            f(np.ones(5), given_indices)


def test_threads_take_the_same_elements(linker, entry):
    rng = np.random.default_rng(0)
    for shape, axis, places in [
        ((5000,), 0, (70_001,)),
        ((5000,), 0, (300, 401)),
        ((999, 40), 1, (97,)),
        ((40, 99), 0, (1001,)),
        ((9, 3, 50), 1, (7, 130)),
    ]:
        x, index = rng.normal(size=shape), rng.integers(0, shape[axis], places)
        f = linker.link(
            take_text("float64", len(shape), len(places), axis),
            [("x", "float64", (None,) * len(shape)), ("i", "int64", (None,) * len(places))],
            [("float64", len(shape) - 1 + len(places), None)],
        )
        for places_laid_out in (index, index[::-1], np.asfortranarray(index)):
            for threads in (1, 3, 7):
                entry.set_num_threads(threads)
                np.testing.assert_array_equal(f(x, places_laid_out), x.take(places_laid_out, axis))
    entry.set_num_threads(0)


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_masks_agree_with_numpy(linker, data):
    dtype = data.draw(st.sampled_from(["float64", "int8"]))
    ndim = data.draw(st.integers(1, 3))
    ranks = data.draw(st.integers(1, ndim))
    f = linker.link(
        mask_text(dtype, ndim, ranks),
        [("x", dtype, (None,) * ndim), ("m", "bool", (None,) * ranks)],
        [(dtype, ndim - ranks + 1, None)],
    )
    x = data.draw(lying(tuple(data.draw(st.integers(0, 5)) for _ in range(ndim)), dtype))
    mask = data.draw(lying(x.shape[:ranks], "bool"))
    np.testing.assert_array_equal(f(x, mask), x[mask])
    if all(x.shape):
        with pytest.raises(Failed, match="boolean index did not match indexed array along axis 0"):
            f(x, np.ones((x.shape[0] + 1, *x.shape[1:ranks]), bool))


@given(st.data())
@settings(max_examples=200, deadline=None)
def test_new_elements_agree_with_numpy(linker, data):
    dtype = data.draw(st.sampled_from(["float64", "int8", "complex128"]))
    adds, ndim = data.draw(st.booleans()), data.draw(st.integers(1, 3))
    x = data.draw(lying(tuple(data.draw(st.integers(1, 4)) for _ in range(ndim)), dtype))
    if data.draw(st.booleans()):
        kind, axis, ranks = "bool", 0, data.draw(st.integers(1, ndim))
        index = data.draw(lying(x.shape[:ranks], "bool"))
    else:
        kind, axis = "int64", data.draw(st.integers(0, ndim - 1))
        ranks = data.draw(st.integers(0, 2))
        index = data.draw(lying(tuple(data.draw(st.integers(0, 4)) for _ in range(ranks)), "int64"))
        index = index % (2 * x.shape[axis]) - x.shape[axis]
    # In C order: of values for one place the last remains.
    where = (slice(None),) * axis + (np.asarray(index, order="C"),)
    shape = np.shape(x[where])
    shape = shape[data.draw(st.integers(0, len(shape))) :]
    shape = tuple(1 if data.draw(st.booleans()) else size for size in shape)
    value = data.draw(lying(shape, dtype))
    f = linker.link(
        put_text(dtype, ndim, axis, value.ndim, (kind, ranks), "+=" if adds else "="),
        [("x", dtype, (None,) * ndim), ("v", dtype, (None,) * value.ndim)]
        + [("i", kind, (None,) * ranks)],
        [(dtype, ndim, None)],
    )
    wanted = x.copy()
    if adds:
        np.add.at(wanted, where, value)
    else:
        wanted[where] = value
    np.testing.assert_array_equal(f(x, value, index), wanted)


def test_new_elements_that_do_not_fit(linker):
    f = linker.link(
        put_text("float64", 2, 1, 1, ("int64", 1), "="),
        [("x", "float64", (None, None)), ("v", "float64", (None,)), ("i", "int64", (None,))],
        [("float64", 2, None)],
    )
    x = np.zeros((2, 3))
    for value, index, text in [
        ([1.0], [0, 3], "index 3 is out of bounds for axis 1 with size 3"),
        ([1.0, 2.0], [0, 1, 2], r"shapes \(2, 3\) and \(2,\) do not broadcast"),
        ([1.0, 2.0], [0], r"an array of shape \(2,\) cannot be copied to shape \(2, 1\)"),
    ]:
        with pytest.raises(Failed, match=text):
            f(x, value, index)
    np.testing.assert_array_equal(x, 0)
    masked = linker.link(
        put_text("float64", 2, 0, 0, ("bool", 1), "="),
        [("x", "float64", (None, None)), ("v", "float64", ()), ("m", "bool", (None,))],
        [("float64", 2, None)],
    )
    with pytest.raises(Failed, match="boolean index did not match indexed array along axis 0"):
        masked(x, 1.0, [True])
