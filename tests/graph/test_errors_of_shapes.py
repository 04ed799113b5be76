"""A value whose shape alone is needed fails with every linker."""

from __future__ import annotations

import fishplate.graph as g
import numpy as np
import pytest

LINKERS = ("c", "c-opwise", "perform")


def f8(*shape):
    return np.ones(shape)


a, b, x, y = g.matrix("a"), g.matrix("b"), g.vector("x"), g.vector("y")
three = g.TensorType("float64", (3,))("three")
n, i = g.scalar("n", dtype="int64"), g.vector("i", dtype="int64")

#: The inputs, the value, arguments for which it cannot be computed, and others for which it can.
FAILING = {
    "matmul": ([a, b], a @ b, (f8(2, 3), f8(4, 5)), (f8(2, 3), f8(3, 5))),
    "matmul of a vector": ([a, x], a @ x, (f8(2, 3), f8(4)), (f8(2, 3), f8(3))),
    "transposed": ([a, b], g.exp((a @ b).T), (f8(2, 3), f8(4, 5)), (f8(2, 3), f8(3, 5))),
    "add": ([x, y], x + y, (f8(2), f8(3)), (f8(2), f8(2))),
    "add to a known size": ([x, three], x + three, (f8(4), f8(3)), (f8(1), f8(3))),
    "summed": ([a, x], (a + x).sum(axis=1), (f8(2, 3), f8(4)), (f8(2, 3), f8(3))),
    "index": ([a, n], a[n], (f8(2, 3), 2), (f8(2, 3), 1)),
    "take": ([x, i], x[i], (f8(2), np.array([0, 2])), (f8(2), np.array([0, 1]))),
    "power": ([i], i**i, (np.array([-1]),), (np.array([1]),)),
    "reshape": ([x, n], x.reshape((n, 2)), (f8(5), 3), (f8(6), 3)),
    "full": ([n], g.zeros((n,)), (-1,), (2,)),
    "broadcast": ([x, n], g.broadcast_to(x, (n,)), (f8(2), 3), (f8(2), 2)),
    "concatenate": ([a, b], g.concatenate([a, b]), (f8(2, 3), f8(2, 4)), (f8(2, 3), f8(1, 3))),
    "maximum of nothing": ([a], a.max(axis=1), (f8(2, 0),), (f8(2, 1),)),
    "put": (
        [x, y, i],
        g.inc_subtensor(x[i], y),
        (f8(2), f8(1), np.array([2])),
        (f8(2), f8(1), np.array([1])),
    ),
    "put by a mask": ([a, x], g.set_subtensor(a[x > 0], 1), (f8(2, 3), f8(3)), (f8(3, 2), f8(3))),
    "put too many": (
        [x, y, i],
        g.set_subtensor(x[i], y),
        (f8(2), f8(2), np.array([0, 1, 1])),
        (f8(2), f8(1), np.array([0, 1, 1])),
    ),
    "set": ([x, y], g.set_subtensor(x[:2], y), (f8(3), f8(3)), (f8(3), f8(2))),
}


def outcome(function, arguments):
    try:
        return [np.asarray(one).tolist() for one in function(*arguments)]
    except (ValueError, IndexError) as error:
        return type(error), str(error)


@pytest.mark.parametrize("name", FAILING)
@pytest.mark.parametrize("also", [False, True], ids=["alone", "with its value"])
def test_shapes_of_failing_ops(name, also):
    inputs, value, bad, good = FAILING[name]
    outputs = [g.zeros_like(value), value.size, *([value] if also else [])]
    options = {"on_unused_input": "ignore"}
    functions = {one: g.function(inputs, outputs, linker=one, **options) for one in LINKERS}
    seen = {linker: outcome(function, bad) for linker, function in functions.items()}
    if name == "add to a known size" and not also:
        # The size is known when the graph is built: no linker computes the value.
        assert list(seen.values()) == [[[0.0, 0.0, 0.0], 3]] * len(LINKERS)
    else:
        assert all(isinstance(found, tuple) for found in seen.values()), seen
        assert len({found[0] for found in seen.values()}) == 1, seen
    results = [outcome(function, good) for function in functions.values()]
    assert isinstance(results[0], list) and results.count(results[0]) == len(LINKERS), results
