"""Graphs reach Rust unchanged."""

import fishplate.graph as g
import numpy as np
import pytest
from fishplate.graph.core.graph import FunctionGraph
from fishplate.graph.link.native import failure, is_native, translate
from hypothesis import given, settings
from support import variable
from test_random_graphs import evaluate, feasible, programs


def kinds(native, numbers):
    return [native.kind(number) for number in numbers]


def test_a_graph():
    x, y = g.matrix("x"), g.tensor("y", "float32", (3,))
    z = (x.T + y) * 2.5
    native = translate(FunctionGraph([x, y], [z, x]))
    assert kinds(native, native.outputs()) == [("float64", [None, 3]), ("float64", [None, None])]
    rows = native.nodes()
    assert [row[0] for row in rows] == ["transpose [1, 0]", "cast to float64", "add", "mul"]
    assert [row[3] for row in rows] == [[0], [1], [2], [3]]
    ((_, data),) = native.constants()
    assert np.frombuffer(data, "float64").tolist() == [2.5]


@given(programs())
@settings(max_examples=40, deadline=None)
def test_random_graphs_arrive(program):
    arrays, steps = program
    steps, _ = feasible(arrays, steps)
    inputs = [variable(array, True) for array in arrays]
    results = evaluate(list(inputs), steps)
    graph = FunctionGraph(inputs, results)
    assert is_native(graph)
    native = translate(graph)
    types = [(v.type.dtype, list(v.type.shape)) for v in graph.outputs]
    assert kinds(native, native.outputs()) == types


def test_ops_without_native_code():
    class Other(g.Type):
        def filter(self, data, strict=False, allow_downcast=None):
            return data

    x, y = Other()("x"), g.vector("y")
    assert not is_native(FunctionGraph([x], [x]))
    assert is_native(FunctionGraph([y], [y * 2]))
    with pytest.raises(TypeError, match="is not a tensor"):
        translate(FunctionGraph([x], [x]))
    with pytest.raises(ValueError, match="neither given nor computed"):
        translate(FunctionGraph([], [y]))
    copied = g.DeepCopyOp()(y)
    with pytest.raises(TypeError, match="DeepCopyOp is not a native op"):
        translate(FunctionGraph([y], [copied]))


def test_failures():
    x, y = g.vector("x"), g.vector("y")
    z = x + y
    raised = failure("f", FunctionGraph([x, y], [z]), lambda: [[0]])
    fitting = (((2,), (8,)), ((2,), (8,)))
    operands = (("float64", (2,), (8,)), ("float64", (2,), (16,)))
    error = raised(0, "memory", "no memory", operands, fitting)
    assert type(error) is MemoryError and str(error) == "no memory"
    assert "In node 0 of f(): add(x, y)" in error.__notes__[0]
    assert "input 1 (y): float64[?], got float64, shape (2,), strides (16,)" in error.__notes__[0]
    assert "z = x + y" in error.__notes__[0]


def test_the_node_that_does_not_take_its_inputs_is_found():
    x, y = g.vector("x"), g.vector("y")
    z = g.exp(x) * 2 + y
    raised = failure("f", FunctionGraph([x, y], [z]), lambda: [[0, 1, 2]])
    error = raised(0, "shape", "somewhere", (), (((2,), (8,)), ((3,), (16,))))
    assert type(error) is ValueError
    assert "axis 0 is 2 in an earlier input and 3 in input 2" in str(error)
    assert "In node 2 of f(): add(" in error.__notes__[0]
    assert "input 1 (y): float64[?], got float64, shape (3,), strides (16,)" in error.__notes__[0]
