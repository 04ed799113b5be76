"""Ops whose C code is registered for types."""

import fishplate.graph as g
import numpy as np
import pytest


def test_copies_and_views_are_ops():
    class Bag(g.Type):
        def filter(self, data, strict=False, allow_downcast=None):
            return data

    x = Bag()("x")
    for op in (g.DeepCopyOp(), g.ViewOp()):
        with pytest.raises(g.MethodNotDefined, match="c_code for .*Bag"):
            op.c_code(op.make_node(x), "n", ["V1"], ["V2"], {"fail": "goto fail;"})
    g.register_deep_copy_op_c_code(Bag, "%(oname)s = copy(%(iname)s); %(fail)s", version=3)
    g.register_view_op_c_code(Bag, "%(oname)s = %(iname)s;")
    node = g.DeepCopyOp().make_node(x)
    code = g.DeepCopyOp().c_code(node, "n", ["V1"], ["V2"], {"fail": "goto fail;"})
    assert code == "V2 = copy(V1); goto fail;"
    assert g.DeepCopyOp().c_code_cache_version_apply(node) == (1, 3)
    assert g.ViewOp().c_code_cache_version_apply(node) == ()

    class Derived(Bag):
        pass

    y = Derived()("y")
    assert g.ViewOp().c_code(g.ViewOp().make_node(y), "n", ["a"], ["b"], {"fail": ""}) == "b = a;"
    with pytest.raises(g.MethodNotDefined):
        g.DeepCopyOp().c_code(g.DeepCopyOp().make_node(y), "n", ["a"], ["b"], {"fail": ""})


class Grid(g.Type):
    ndim = 2

    def filter(self, data, strict=False, allow_downcast=None):
        return np.asarray(data)


def test_shapes_of_other_types():
    x = Grid()("x")
    f = g.function([x], [g.Shape()(x), g.Shape_i(1)(x)], linker="perform")
    sizes, second = f(np.zeros((2, 3)))
    assert sizes.tolist() == [2, 3] and second == 3 and type(second) is int
    assert f.graph.outputs[0].type.shape == (2,)
    with pytest.raises(IndexError, match="has 2 dimensions, and so no size 2"):
        g.Shape_i(2)(x)
    with pytest.raises(ValueError, match="counts from 0"):
        g.Shape_i(-1)


def test_code_for_shapes():
    x = Grid()("x")
    sub = {"fail": "goto fail;"}
    g.register_shape_c_code(Grid, "%(oname)s = shape(%(iname)s);", version=1)
    g.register_shape_i_c_code(Grid, "%(oname)s = %(iname)s->n[%(i)s];", "check(%(i)s) %(fail)s ", 2)
    node = g.Shape().make_node(x)
    assert g.Shape().c_code(node, "n", ["a"], ["b"], sub) == "b = shape(a);"
    op = g.Shape_i(1)
    node = op.make_node(x)
    assert op.c_code(node, "n", ["a"], ["b"], sub) == "check(1) goto fail; b = a->n[1];"
    assert op.c_code_cache_version_apply(node) == (1, 2)
    assert op == g.Shape_i(1) != g.Shape_i(0) and hash(op) == hash(g.Shape_i(1))


def test_nothing_is_compiled_for_perform():
    before = g.cache_stats()
    x = g.vector("x")
    g.function([x], x + 1, linker="perform")([1])
    assert g.cache_stats() == before and before._fields == ("compiled", "loaded")
