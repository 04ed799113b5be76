"""Sharing of memory between variables.

Purpose: add copies to a graph where otherwise memory of others would be changed or returned.
Invariant: the user's memory is neither written nor part of a result unless allowed (`borrow`,
`mutable`); no op writes memory that is read later; constants never change.
Reason: copies, rather than an order of evaluation that avoids them: always correct, and easy to
verify.
"""

from __future__ import annotations

import math
from collections.abc import Collection

from ..core.graph import FunctionGraph
from ..core.nodes import Apply, Constant, Variable
from ..tensors.registered import deep_copy


def protect(
    graph: FunctionGraph,
    shared_inputs: Collection[Variable] = (),
    mutable: Collection[Variable] = (),
    borrowed: Collection[int] = (),
) -> FunctionGraph:
    """`graph` with the copies it needs.

    Parameters
    ----------
    graph : FunctionGraph
        A graph whose ops declare their use of memory in `view_map` and `destroy_map`.
    shared_inputs : collection of Variable
        Inputs whose memory outputs may share.
    mutable : collection of Variable
        Inputs that may also be written.
    borrowed : collection of int
        Positions of outputs that may share any memory.
    """
    memory = _Memory(graph, set(shared_inputs) | set(mutable), set(mutable))
    new: dict[Variable, Variable] = {}
    for position, node in enumerate(graph.nodes):
        inputs = [new.get(variable, variable) for variable in node.inputs]
        copied = memory.conflicts(position, node)
        for index in copied:
            inputs[index] = deep_copy(inputs[index])
        if inputs != node.inputs:
            outs = [out.type.make_variable(out.name) for out in node.outputs]
            clone = Apply(node.op, inputs, outs, made_at=node.made_at)
            new.update(zip(node.outputs, clone.outputs, strict=True))
        memory.made(node, copied)
    outputs = []
    for position, output in enumerate(graph.outputs):
        made = new.get(output, output)
        free = memory.claim(output)
        outputs.append(made if free or position in borrowed else deep_copy(made))
    return FunctionGraph(graph.inputs, outputs)


def waits(graph: FunctionGraph) -> dict[Apply, set[Apply]]:
    """For each node that destroys an input, the nodes that must have read its memory before.

    Parameters
    ----------
    graph : FunctionGraph
        A protected graph, in a valid order.
    """
    found: dict[Apply, set[Apply]] = {}
    if not any(node.op.destroy_map for node in graph.nodes):
        return found
    memory = _Memory(graph, set(), set())
    readers: dict[Variable, set[Apply]] = {}
    for node in graph.nodes:
        destroyed = {index for indices in node.op.destroy_map.values() for index in indices}
        for index in destroyed:
            for root in memory.roots_of(node.inputs[index]):
                found.setdefault(node, set()).update(readers.get(root, ()))
        for variable in node.inputs:
            for root in memory.roots_of(variable):
                readers.setdefault(root, set()).add(node)
        memory.made(node, set())
    return found


class _Memory:
    """For each variable so far, the roots of its memory: the variables that allocated it."""

    def __init__(
        self, graph: FunctionGraph, shared_inputs: set[Variable], mutable: set[Variable]
    ) -> None:
        self.mutable = mutable
        self.inputs = set(graph.inputs)
        self.roots: dict[Variable, frozenset[Variable]] = {}
        self.sharers: dict[Variable, list[Variable]] = {}
        self.last_use: dict[Variable, float] = {}
        # Roots that no output may share: the user's, constants, and those of another output.
        self.taken: set[Variable] = {v for v in graph.inputs if v not in shared_inputs}
        for position, node in enumerate(graph.nodes):
            for variable in node.inputs:
                self.last_use[variable] = position
        for output in graph.outputs:
            self.last_use[output] = math.inf

    def roots_of(self, variable: Variable) -> frozenset[Variable]:
        """The roots of a variable so far; one that no node computes is its own root."""
        if variable not in self.roots:
            self._set(variable, frozenset([variable]))
        return self.roots[variable]

    def _set(self, variable: Variable, roots: frozenset[Variable]) -> None:
        self.roots[variable] = roots
        for root in roots:
            self.sharers.setdefault(root, []).append(variable)

    def conflicts(self, position: int, node: Apply) -> set[int]:
        """The inputs that `node` destroys and that others still need."""
        destroyed = {index for indices in node.op.destroy_map.values() for index in indices}
        return {index for index in destroyed if self._needed(position, node, index)}

    def _needed(self, position: int, node: Apply, destroyed: int) -> bool:
        roots = self.roots_of(node.inputs[destroyed])
        for root in roots:
            if isinstance(root, Constant) or (root in self.inputs and root not in self.mutable):
                return True
            if any(self.last_use.get(sharer, -1) > position for sharer in self.sharers[root]):
                return True
        return any(
            not roots.isdisjoint(self.roots_of(other))
            for index, other in enumerate(node.inputs)
            if index != destroyed
        )

    def made(self, node: Apply, copied: set[int]) -> None:
        """Records the memory of the outputs of `node`."""
        for index, output in enumerate(node.outputs):
            shared = [
                *node.op.view_map.get(index, ()),
                *node.op.destroy_map.get(index, ()),
            ]
            roots: frozenset[Variable] = frozenset([output])
            if shared:
                roots = frozenset().union(
                    *({output} if i in copied else self.roots_of(node.inputs[i]) for i in shared)
                )
            self._set(output, roots)

    def claim(self, output: Variable) -> bool:
        """Whether an output may share its memory; if so, no other output may."""
        roots = self.roots_of(output)
        free = self.taken.isdisjoint(roots) and not any(isinstance(r, Constant) for r in roots)
        self.taken |= roots
        return free
