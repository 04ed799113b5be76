"""Cumulative sums and products."""

from __future__ import annotations

import numpy as np
from arrays import lying
from hypothesis import given, settings
from hypothesis import strategies as st
from kernels import accumulate_text


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_sums_and_products_agree_with_numpy(linker, data):
    operator, each = data.draw(st.sampled_from([("+", np.add), ("*", np.multiply)]))
    # Complex products of C may round another way.
    dtypes = ["float64", "int8", *(["complex128"] if operator == "+" else [])]
    dtype = data.draw(st.sampled_from(dtypes))
    ndim = data.draw(st.integers(1, 4))
    axis = data.draw(st.integers(0, ndim - 1))
    f = linker.link(
        accumulate_text(dtype, ndim, axis, operator),
        [("x", dtype, (None,) * ndim)],
        [(dtype, ndim, None)],
    )
    x = data.draw(lying(tuple(data.draw(st.integers(0, 6)) for _ in range(ndim)), dtype))
    np.testing.assert_array_equal(f(x), each.accumulate(x, axis, dtype))


def test_threads_change_nothing(linker, entry):
    rng = np.random.default_rng(0)
    for shape, axis in [((999, 500), 1), ((500, 999), 0), ((3, 200, 700), 1), ((2, 1, 300_000), 2)]:
        x = rng.normal(size=shape)
        f = linker.link(
            accumulate_text("float64", len(shape), axis),
            [("x", "float64", (None,) * len(shape))],
            [("float64", len(shape), None)],
        )
        for threads in (1, 3, 7):
            entry.set_num_threads(threads)
            assert f(x).tobytes() == x.cumsum(axis).tobytes(), (shape, threads)
    entry.set_num_threads(0)
