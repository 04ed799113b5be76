"""Folds over any axes of arrays of any layout."""

from __future__ import annotations

import numpy as np
import pytest
from arrays import lying, shapes, values
from hypothesis import given, settings
from hypothesis import strategies as st
from kernels import Failed, argmin_text, mean_text, min_text, sum_text


def link(linker, text, dtype, ndim, axes, keep, result=None, each=True):
    rank = ndim if keep else ndim - bin(axes).count("1")
    more = {} if each else {"each": False}
    return linker.link(
        text(dtype, ndim, axes, keep=keep, **more),
        [("x", dtype, (None,) * ndim)],
        [(result or dtype, rank, None)],
    )


def axes_of(bits: int, ndim: int) -> tuple[int, ...]:
    return tuple(axis for axis in range(ndim) if bits >> axis & 1)


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_folds_agree_with_numpy(linker, data):
    ndim = data.draw(st.integers(1, 3))
    bits = data.draw(st.integers(0, 2**ndim - 1))
    keep, each = data.draw(st.booleans()), data.draw(st.booleans())
    axes = axes_of(bits, ndim)
    x = data.draw(lying(data.draw(shapes(ndim, data.draw(st.sampled_from([4, 40])))), "float64"))
    total = link(linker, sum_text, "float64", ndim, bits, keep, each=each)(x)
    wanted = np.sum(x, axis=axes, keepdims=keep)
    np.testing.assert_allclose(total, wanted, rtol=1e-12, atol=1e-12)
    assert np.shape(total) == wanted.shape
    least = link(linker, min_text, "float64", ndim, bits, keep, each=each)
    if 0 in [x.shape[axis] for axis in axes]:
        with pytest.raises(Failed, match="zero-size array .* min which has no identity"):
            least(x)
    else:
        np.testing.assert_array_equal(
            least(x), np.min(x, axis=axes, keepdims=keep) if x.size else wanted
        )


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_the_first_extreme_in_c_order_wins(linker, data):
    bits = data.draw(st.integers(1, 7))
    x = data.draw(lying(data.draw(shapes(3, 30)), "int8")) // 30
    f = link(linker, argmin_text, "int8", 3, bits, False, "int64")
    if not x.size:
        return
    axes = axes_of(bits, 3)
    stay = [axis for axis in range(3) if axis not in axes]
    rows = x.transpose(*stay, *axes).reshape([x.shape[axis] for axis in stay] + [-1])
    np.testing.assert_array_equal(f(x), rows.argmin(-1))


@pytest.mark.parametrize("shape", [(300_000,), (3, 100_000), (100_000, 3), (2000, 40), (40, 5000)])
def test_pieces_and_threads_change_nothing(linker, entry, shape):
    x = values(np.random.default_rng(0), shape, "float64")
    ndim = len(shape)
    for bits in range(1, 2**ndim):
        f = link(linker, mean_text, "float64", ndim, bits, False)
        entry.set_num_threads(1)
        alone = f(x)
        entry.set_num_threads(7)
        together = f(x)
        entry.set_num_threads(0)
        np.testing.assert_array_equal(alone, together)
        np.testing.assert_allclose(alone, x.mean(axis=axes_of(bits, ndim)), rtol=1e-11, atol=1e-14)


def test_sums_of_many_err_little(linker):
    x = np.full(10_000_000, 0.1, "float32")
    f = link(linker, sum_text, "float32", 1, 1, False)
    assert abs(float(f(x)) - 1e6) < 2e3  # each piece alone, not one long chain
