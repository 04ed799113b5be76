"""Copies and pickles of variables and nodes.

Purpose: a variable is copied or pickled with everything from which it is computed.
Invariant: neither pickle nor copy recurses along the graph; shared parts stay shared, also in a
pickle of several variables.
Reason: a chain of 100,000 nodes is an ordinary graph, and Python's recursion limit is a thousand.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .order import toposort

if TYPE_CHECKING:
    from .nodes import Apply, Variable


class _Listed(threading.local):
    """The nodes that are being pickled in order, so that none needs to pickle those before it."""

    def __init__(self) -> None:
        self.groups: list[set[Apply]] = []


_listed = _Listed()


class _Before:
    """The nodes that must be pickled before a node; unpickled, they are a list."""

    def __init__(self, node: Apply) -> None:
        self.node = node

    def _nodes(self) -> Iterator[Apply | None]:
        nodes = toposort(self.node.inputs)
        group = set(nodes)
        _listed.groups.append(group)
        try:
            yield from nodes
            yield None  # when this is called, the last node has been pickled
        finally:
            _listed.groups.remove(group)

    def __reduce__(self) -> tuple[Any, ...]:
        return list, (), None, self._nodes()


def reduce_node(node: Apply) -> tuple[Any, ...]:
    """The arguments from which pickle creates a node and its outputs."""
    before = None if any(node in group for group in _listed.groups) else _Before(node)
    outputs = [(type(output), _without(output, "owner", "index")) for output in node.outputs]
    state = _without(node, "inputs", "outputs")
    return _make_node, (before, type(node), state, node.inputs, outputs)


def reduce_output(variable: Variable) -> tuple[Any, ...] | None:
    """The arguments from which pickle creates a variable that a node computes; None for any
    other."""
    node, index = variable.owner, variable.index
    if node is None or index is None or node.outputs[index] is not variable:
        return None
    return _output_of, (node, index)


def _without(thing: object, *names: str) -> dict[str, Any]:
    return {name: value for name, value in vars(thing).items() if name not in names}


def _make(kind: type, state: dict[str, Any]) -> Any:
    made: Any = object.__new__(kind)
    made.__dict__.update(state)
    return made


def _make_node(
    _before: object,
    kind: type[Apply],
    state: dict[str, Any],
    inputs: list[Variable],
    outputs: list[tuple[type[Variable], dict[str, Any]]],
) -> Apply:
    node: Apply = _make(kind, state)
    node.inputs = list(inputs)
    node.outputs = [_make(*output) for output in outputs]
    for index, output in enumerate(node.outputs):
        output.owner, output.index = node, index
    return node


def _output_of(node: Apply, index: int) -> Variable:
    return node.outputs[index]
