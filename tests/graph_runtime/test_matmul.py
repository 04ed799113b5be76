"""Products: NumPy's rules for ranks, any strides, BLAS and own loops."""

from __future__ import annotations

import numpy as np
import pytest
from arrays import lying
from hypothesis import given, settings
from hypothesis import strategies as st
from kernels import TYPES, Failed, matmul_text


def link(linker, dtype, a, b, given=False):
    rank = max(a, b) if a > 1 and b > 1 else max(a, b) - 1
    inputs = [("a", dtype, (None,) * a), ("b", dtype, (None,) * b)]
    if given:
        inputs.append(("c", dtype, (None,) * rank))
    return linker.link(matmul_text(dtype, a, b, given), inputs, [(dtype, rank, None)])


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_products_agree_with_numpy(linker, data):
    dtype = data.draw(st.sampled_from(sorted(TYPES)))
    a, b = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4))
    m, inner, n = (data.draw(st.sampled_from([0, 1, 2, 3, 17, 40])) for _ in range(3))
    batches = [data.draw(st.sampled_from([1, 2, 3])) for _ in range(2)]

    def shape(rank, matrix):
        lead = [data.draw(st.sampled_from([1, size])) for size in batches[2 - max(rank - 2, 0) :]]
        return tuple(lead if rank > 2 else []) + matrix

    x = data.draw(lying(shape(a, (m, inner) if a > 1 else (inner,)), dtype))
    y = data.draw(lying(shape(b, (inner, n) if b > 1 else (inner,)), dtype))
    wanted = np.matmul(x, y)
    result = link(linker, dtype, a, b)(x, y)
    rough = dtype in ("float32", "complex64")
    bound = {"rtol": 1e-3, "atol": 1e-3} if rough else {"rtol": 1e-11, "atol": 1e-11}
    np.testing.assert_allclose(result, wanted, **bound)
    assert np.shape(result) == wanted.shape
    if wanted.ndim and dtype != "bool":
        c = data.draw(lying(wanted.shape, dtype))
        result = link(linker, dtype, a, b, given=True)(x, y, c)
        scaled = np.asarray(2, dtype) * wanted + np.asarray(3, dtype) * c
        np.testing.assert_allclose(result, scaled, **bound)


def test_shapes_that_do_not_multiply_are_named(linker):
    f = link(linker, "float64", 2, 3)
    with pytest.raises(Failed, match=r"\(2, 3\) and \(5, 2, 3\).*axis 1 .* is 3, axis 1 .* 2"):
        f(np.ones((2, 3)), np.ones((5, 2, 3)))
    f = link(linker, "float64", 3, 3)
    with pytest.raises(Failed, match=r"do not broadcast .* axis 0 is 4 in one and 5 in the other"):
        f(np.ones((4, 2, 3)), np.ones((5, 3, 2)))


def test_nothing_multiplied_is_zero(linker):
    f = link(linker, "float64", 2, 2)
    np.testing.assert_array_equal(f(np.ones((30, 0)), np.ones((0, 40))), np.zeros((30, 40)))
