"""Merges equal nodes, in graphs with user-defined ops.

Purpose: equal computations are executed once, in built-in and user-defined ops alike.
Invariant: nodes are equal if their ops are, by `__eq__` and hash, and their inputs are the same
variables or equal constants.
Reason: Rust merges graphs of built-in ops, and has no access to user-defined ones.
"""

from __future__ import annotations

from collections.abc import Hashable

from ..core.graph import FunctionGraph
from ..core.nodes import Apply, Constant, Variable
from ..tensors.builtin import Builtin, NativeOp
from ..tensors.type import TensorType

# Values that are equal if their spelling is.
_PLAIN = (bool, int, float, complex, str, bytes, type(None))


def merge(graph: FunctionGraph) -> tuple[FunctionGraph, list[str]]:
    """The graph with equal nodes merged, and the merged nodes in words."""
    given = set(graph.inputs)
    new: dict[Variable, Variable] = {}
    known: dict[Hashable, Apply] = {}
    done: list[str] = []
    for node in graph.nodes:
        inputs = [new.get(variable, variable) for variable in node.inputs]
        key = None if given.intersection(node.outputs) else _key(node, inputs)
        equal = None if key is None else known.get(key)
        if equal is not None:
            done.append(f"{node} is computed once")
            new.update(zip(node.outputs, equal.outputs, strict=True))
            continue
        made = node
        if inputs != node.inputs:
            outputs = [out.type.make_variable(out.name) for out in node.outputs]
            made = Apply(node.op, inputs, outputs, made_at=node.made_at)
            new.update(zip(node.outputs, made.outputs, strict=True))
        if key is not None:
            known[key] = made
    if not done:
        return graph, done
    return FunctionGraph(graph.inputs, [new.get(out, out) for out in graph.outputs]), done


def _key(node: Apply, inputs: list[Variable]) -> Hashable | None:
    """The key of equal nodes, or None."""
    if isinstance(node.op, NativeOp) and not isinstance(node.op, Builtin):
        return None  # a C function may do more than compute
    key = (
        node.op,
        tuple(map(_operand, inputs)),
        tuple(output.type for output in node.outputs),
    )
    try:
        hash(key)
    except TypeError:
        return None
    return key


def _operand(variable: Variable) -> Hashable:
    if not isinstance(variable, Constant):
        return variable
    kind, data = variable.type, variable.data
    if isinstance(kind, TensorType):
        array = kind.to_numpy(data)
        return kind, array.shape, array.tobytes()
    return (kind, type(data), repr(data)) if isinstance(data, _PLAIN) else variable
