"""Maps: broadcasting, any strides, any type, output memory passed or reused."""

from __future__ import annotations

import numpy as np
import pytest
from arrays import broadcasting, shapes, values
from hypothesis import given, settings
from hypothesis import strategies as st
from kernels import GRAPH, HEAD, TYPES, Failed, map_text, operand


def arguments(*kinds: tuple[str, int]) -> list[tuple]:
    return [(f"x{k}", dtype, (None,) * rank) for k, (dtype, rank) in enumerate(kinds)]


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_maps_agree_with_numpy(linker, data):
    dtype = data.draw(st.sampled_from(["float64", "float32", "int8", "int16", "complex128"]))
    ndim = data.draw(st.integers(1, 4))
    ranks = [ndim, data.draw(st.sampled_from([0, ndim, max(ndim - 1, 0)]))]
    f = linker.link(
        map_text([(dtype, "a + 2 * b"), ("bool", "a == b")], [(dtype, r) for r in ranks], ndim),
        arguments(*[(dtype, r) for r in ranks]),
        [(dtype, ndim, None), ("bool", ndim, None)],
    )
    shape = data.draw(shapes(ndim, data.draw(st.sampled_from([3, 9, 80]))))
    a, b = (data.draw(broadcasting(shape, dtype, rank)) for rank in ranks)
    if ranks[1] == 0:
        b = b[()]
    total, same = f(a, b)
    wanted = a + np.asarray(2, dtype) * b
    assert total.dtype == np.dtype(dtype)
    np.testing.assert_array_equal(total, wanted)
    np.testing.assert_array_equal(same, a == b)


@pytest.mark.parametrize("order", ["C", "F", "K"])
def test_a_result_lies_as_its_inputs_do(linker, order):
    f = linker.link(
        map_text([("float64", "a * b")], [("float64", 3)] * 2, 3),
        arguments(("float64", 3), ("float64", 3)),
        [("float64", 3, None)],
    )
    x = np.ones((4, 5, 6))
    x = {"C": x, "F": np.asfortranarray(x), "K": x.transpose(1, 0, 2)}[order]
    assert f(x, x[:, :, :1]).strides == (x * x).strides
    assert f(x, x).strides == (x * x).strides


def test_inputs_that_disagree_give_c_order(linker):
    f = linker.link(
        map_text([("float64", "a * b")], [("float64", 2)] * 2, 2),
        arguments(("float64", 2), ("float64", 2)),
        [("float64", 2, None)],
    )
    x = np.random.default_rng(0).normal(size=(300, 300))
    result = f(x.T, x)
    assert result.flags.c_contiguous
    np.testing.assert_array_equal(result, x.T * x)


def test_32_dimensions(linker):
    f = linker.link(
        map_text([("float64", "a + b")], [("float64", 32)] * 2, 32),
        arguments(("float64", 32), ("float64", 32)),
        [("float64", 32, None)],
    )
    shape = tuple(2 if k % 3 == 0 else 1 for k in range(32))
    x = np.random.default_rng(0).normal(size=shape)
    y = x.transpose(*reversed(range(32)))
    np.testing.assert_array_equal(f(x, y), x + y)


def test_sizes_that_do_not_broadcast_are_named(linker):
    f = linker.link(
        map_text([("float64", "a + b")], [("float64", 2), ("float64", 1)], 2),
        arguments(("float64", 2), ("float64", 1)),
        [("float64", 2, None)],
    )
    with pytest.raises(
        Failed, match=r"\(3, 4\) and \(5,\).* axis 1 is 4 in one and 5 in the other"
    ) as e:
        f(np.ones((3, 4)), np.ones(5))
    assert (e.value.node, e.value.kind) == (7, "shape")
    assert e.value.operands == (("float64", (3, 4), (32, 8)), ("float64", (5,), (8,)))


def test_short_rows_share_blocks(linker):
    f = linker.link(
        map_text([("float32", "a + b * c")], [("float32", 3)] * 3, 3),
        arguments(*[("float32", 3)] * 3),
        [("float32", 3, None)],
    )
    rng = np.random.default_rng(0)
    for shape in [(50, 40, 3), (500, 2, 7), (1000, 1, 33), (3, 5, 2)]:
        x = values(rng, shape, "float32")
        y = values(rng, (shape[0], 1, shape[2]), "float32")
        z = values(rng, (*shape[:2], 2 * shape[2]), "float32")[:, :, ::2]
        np.testing.assert_allclose(f(x, y, z), x + y * z, rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(f(x[:, ::-1], y, x), x[:, ::-1] + y * x, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("alike", [True, False])
def test_a_temporary_is_taken_over_where_it_can_be(linker, alike):
    """(a * a) * b, where the second map writes over the first one's result."""
    kind = TYPES["float64"][0]
    f = linker.link(
        f"""{HEAD}
static void times(char *const *p, fp_size n)
{{
    {kind} *o = ({kind} *)p[0];
    const {kind} *a = (const {kind} *)p[1], *b = (const {kind} *)p[2];
    fp_size i;
    _Pragma("GCC ivdep")
    for (i = 0; i < n; i++) {{ o[i] = a[i] * b[i]; }}
}}
static const fp_operand one[] = {{{operand("float64", 2, "FP_TEMPORARY")}, {operand("float64", 2)},
                                  {operand("float64", 2)}}};
static const fp_operand two[] = {{{operand("float64", 2, "FP_TEMPORARY", 2)},
                                  {operand("float64", 2)}, {operand("float64", 2)}}};
static const fp_operand copy = {operand("float64", 2)};
static const fp_map first = {{1, 1, 2, 2, 16, one, times, 0, 0}};
static const fp_map second = {{2, 1, 2, 2, 16, two, times, 0, 0}};
{GRAPH}
{{
    FP_VIEW(2) t, u;
    void *const a[] = {{&t, in[0], in[0]}}, *const b[] = {{&u, &t, in[1]}};
    fp_view *o = (fp_view *)out[0];
    if (!rt->map(call, &first, a) || !rt->map(call, &second, b)) {{
        return 0;
    }}
    *(fp_size *)out[1] = t.data == 0;
    rt->drop(call, t.data);
    o->dims[0] = u.shape[0];
    o->dims[1] = u.shape[1];
    return rt->make(call, 3, copy, o) && rt->copy(call, 3, copy, o, 2, (fp_view *)(void *)&u);
}}
""",
        arguments(("float64", 2), ("float64", 2)),
        [("float64", 2, None), ("int64", 0, None)],
    )
    a = np.arange(12.0).reshape(3, 4).T if alike else np.arange(4.0).reshape(1, 4)
    b = np.ones((4, 3)) if alike else np.arange(20.0).reshape(5, 4)
    result, taken = f(a, b)
    np.testing.assert_array_equal(result, a * a * b)
    assert taken == alike
