"""Rows: stages, buffers and states, for rows of any layout."""

from __future__ import annotations

import numpy as np
import pytest
from arrays import lying, shapes
from hypothesis import given, settings
from hypothesis import strategies as st
from kernels import Failed, softmax_text


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_softmax_agrees_with_numpy(linker, entry, data):
    dtype = data.draw(st.sampled_from(["float64", "float32"]))
    ndim = data.draw(st.integers(1, 3))
    inner = data.draw(st.integers(1, ndim))
    f = linker.link(
        softmax_text(dtype, ndim, inner),
        [("x", dtype, (None,) * ndim)],
        [(dtype, ndim, None), (dtype, ndim - inner, None)],
    )
    x = data.draw(lying(data.draw(shapes(ndim, data.draw(st.sampled_from([4, 30])))), dtype))
    axes = tuple(range(ndim - inner, ndim))
    width = np.prod([x.shape[axis] for axis in axes])
    if width == 0:
        with pytest.raises(Failed, match="reduction operation max which has no identity"):
            f(x)
        return
    entry.set_num_threads(data.draw(st.sampled_from([1, 3])))
    result, most = f(x)
    entry.set_num_threads(0)
    if x.size == 0:
        assert result.shape == x.shape
        return
    peak = x.max(axes, keepdims=True)
    wanted = np.exp(x - peak)
    wanted /= wanted.sum(axes, keepdims=True)
    np.testing.assert_allclose(result, wanted, rtol=1e-5 if dtype == "float32" else 1e-12)
    np.testing.assert_array_equal(most, peak.reshape(x.shape[: ndim - inner]))
