"""Graphs are divided into parts, whose results are those of the whole."""

import fishplate.graph as g
import numpy as np
from fishplate.graph.core.graph import FunctionGraph
from fishplate.graph.link.evaluate import Evaluation
from fishplate.graph.link.segments import Segments, cut
from hypothesis import given, settings
from hypothesis import strategies as st
from support import same, variable
from test_random_graphs import evaluate, feasible, programs


def op(node):
    return str(node.op)


def joined(graph, kind_of):
    segments = cut(graph, kind_of)
    order = {node: index for index, node in enumerate(graph.nodes)}
    parts = [Evaluation(segment.graph, "f", numbers=order) for segment in segments]
    return segments, Segments(graph, parts)


def test_parts():
    x, y = g.vector("x"), g.vector("y")
    a, b = g.exp(x), g.exp(y)
    c = a + b
    d = g.exp(c)
    graph = FunctionGraph([x, y], [d, c, g.constant(1.0), x])
    segments, linked = joined(graph, op)
    assert [s.kind for s in segments] == ["exp", "add", "exp"]
    assert [len(s.graph.nodes) for s in segments] == [2, 1, 1]
    assert segments[0].graph.inputs == [x, y] and segments[0].graph.outputs == [a, b]
    assert segments[1].graph.outputs == [c]
    results = linked.run([np.zeros(2), np.zeros(2)])
    for got, wanted in zip(results, [np.exp([2, 2]), [2, 2], 1.0, [0, 0]], strict=True):
        same(got, wanted)


def test_one_kind_is_one_part():
    x = g.vector("x")
    y = x
    for _ in range(50):
        y = g.exp(-y) * x
    graph = FunctionGraph([x], [y])
    assert len(cut(graph, lambda node: "c")) == 1
    assert len(cut(graph, id)) == len(graph.nodes) == 150


def test_nothing_to_compute():
    x = g.vector("x")
    segments, linked = joined(FunctionGraph([x], [x, x]), op)
    assert segments == [] and linked.run([5]) == [5, 5]


def test_inputs_in_the_middle():
    x = g.vector("x")
    y = x * 2
    segments, linked = joined(FunctionGraph([y], [g.exp(y)]), op)
    assert [s.kind for s in segments] == ["exp"]
    same(linked.run([np.zeros(2)])[0], [1, 1])


class AddInPlace(g.Op):
    destroy_map = {0: [0]}

    def make_node(self, x, y):
        return g.Apply(self, [x, y], [x.type()])

    def perform(self, node, inputs, storage):
        inputs[0] += inputs[1]
        storage[0][0] = inputs[0]


def test_destroyed_inputs_are_read_first():
    x = g.vector("x")
    y = x * 2
    read = y.T.reshape(3) * 10
    destroyed = AddInPlace()(y, x)
    for outputs in ([read, destroyed], [read + destroyed]):
        graph = FunctionGraph([x], outputs)
        # The part with the op in place could run first.
        for kind_of in (op, lambda node: str(node.op) in ("mul", "AddInPlace"), id):
            _, linked = joined(graph, kind_of)
            results = linked.run([np.ones(3)])
            same(results[0], [20] * 3 if len(outputs) == 2 else [23] * 3)


@given(programs(), st.integers(1, 4))
@settings(max_examples=40, deadline=None)
def test_random_graphs_in_parts(program, count):
    arrays, steps = program
    steps, wanted = feasible(arrays, steps)
    inputs = [variable(array) for array in arrays]
    graph = FunctionGraph(inputs, evaluate(list(inputs), steps))
    place = {node: index for index, node in enumerate(graph.nodes)}
    segments, linked = joined(graph, lambda node: place[node] % count)
    found = [node for segment in segments for node in segment.graph.nodes]
    assert len(found) == len(set(found)) and set(found) == set(graph.nodes)
    for got, want in zip(linked.run(arrays), wanted, strict=True):
        same(got, want)
