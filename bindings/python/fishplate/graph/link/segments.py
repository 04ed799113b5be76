"""Splits graphs into parts that are linked in different ways.

Purpose: ops with C code run in C, although others in the same graph have none.
Invariant: parts are in an order in which they can be run, also if ops destroy their inputs; their
nodes are the graph's own, each in one part.
Reason: each transition between parts costs a way through Python, so there are few: a part includes
every node that can be computed by then.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from ..core.graph import FunctionGraph
from ..core.nodes import Apply, Constant, Variable
from .alias import waits

if TYPE_CHECKING:
    from ..show.profile import Profile


class Runnable(Protocol):
    """The result of a linker."""

    graph: FunctionGraph

    def run(self, inputs: Sequence[Any]) -> list[Any]:
        """The values of the outputs for these values of the inputs."""
        ...


class Segment(NamedTuple):
    """Nodes of one kind.

    Parameters
    ----------
    kind : hashable
        The result of `kind_of` for each of them.
    graph : FunctionGraph
        From the inputs of the part to the outputs that are needed elsewhere.
    """

    kind: Hashable
    graph: FunctionGraph


def cut(graph: FunctionGraph, kind_of: Callable[[Apply], Hashable]) -> list[Segment]:
    """Splits a graph.

    Parameters
    ----------
    graph : FunctionGraph
        The graph.
    kind_of : callable
        Returns how a node is linked; nodes of one kind can be in one part.
    """
    groups = _grouped(graph, kind_of)
    group_of = {node: index for index, (_, nodes) in enumerate(groups) for node in nodes}
    # The outputs of each part that are needed elsewhere, and its inputs, in order.
    makes: list[dict[Variable, None]] = [{} for _ in groups]
    takes: list[dict[Variable, None]] = [{} for _ in groups]
    given = set(graph.inputs)

    def maker(variable: Variable) -> int | None:
        if variable in given or variable.owner is None:
            return None
        return group_of[variable.owner]

    for node in graph.nodes:
        user = group_of[node]
        for variable in node.inputs:
            source = maker(variable)
            if source == user or (source is None and isinstance(variable, Constant)):
                continue
            takes[user][variable] = None
            if source is not None:
                makes[source][variable] = None
    for output in graph.outputs:
        source = maker(output)
        if source is not None:
            makes[source][output] = None
    return [
        Segment(kind, FunctionGraph(list(takes[index]), list(makes[index]), nodes))
        for index, (kind, nodes) in enumerate(groups)
    ]


def _grouped(
    graph: FunctionGraph, kind_of: Callable[[Apply], Hashable]
) -> list[tuple[Hashable, list[Apply]]]:
    """The nodes in groups of one kind; each group includes all that can be computed by then."""
    there = set(graph.nodes)
    given = set(graph.inputs)
    left: dict[Apply, int] = {}
    # Memory that is destroyed must have been read.
    before = waits(graph)
    users: dict[Apply, list[Apply]] = {}
    ready: dict[Hashable, list[Apply]] = {}
    for node in graph.nodes:
        makers = {
            variable.owner
            for variable in node.inputs
            if variable.owner in there and variable not in given
        }
        makers |= before.get(node, set())
        left[node] = len(makers)
        for maker in makers:
            if maker is not None:
                users.setdefault(maker, []).append(node)
        if not makers:
            ready.setdefault(kind_of(node), []).append(node)
    groups: list[tuple[Hashable, list[Apply]]] = []
    while ready:
        kind, queue = next(iter(ready.items()))
        del ready[kind]
        done: list[Apply] = []
        while queue:
            node = queue.pop(0)
            done.append(node)
            for user in users.get(node, ()):
                left[user] -= 1
                if left[user] == 0:
                    same = kind_of(user) == kind
                    (queue if same else ready.setdefault(kind_of(user), [])).append(user)
        groups.append((kind, done))
    return groups


class Segments:
    """Parts that run one after the other.

    Parameters
    ----------
    graph : FunctionGraph
        The whole graph.
    parts : sequence of Runnable
        Its segments, linked, in order.
    profile : Profile, optional
        The record for the time of each part, as that of its last node.
    numbers : mapping, optional
        The numbers of nodes there.
    merged : sequence of str
        The nodes that were merged, in words.
    """

    def __init__(
        self,
        graph: FunctionGraph,
        parts: Sequence[Runnable],
        profile: Profile | None = None,
        numbers: Mapping[Apply, int] | None = None,
        merged: Sequence[str] = (),
    ) -> None:
        self.graph = graph
        self.merged = merged
        self.parts = list(parts)
        self.profile = profile
        self._numbers = [numbers[part.graph.nodes[-1]] if numbers else 0 for part in parts]
        slots: dict[Variable, int] = {}
        for variable in graph.inputs:
            slots[variable] = len(slots)
        self._steps: list[tuple[Runnable, list[int], list[int]]] = []
        for part in self.parts:
            takes = [slots[variable] for variable in part.graph.inputs]
            for variable in part.graph.outputs:
                slots.setdefault(variable, len(slots))
            self._steps.append((part, takes, [slots[v] for v in part.graph.outputs]))
        self._constants: list[Any] = [None] * len(slots)
        for variable in graph.outputs:
            if isinstance(variable, Constant) and variable not in slots:
                slots[variable] = len(slots)
                self._constants.append(variable.data)
        self._outputs = [slots[variable] for variable in graph.outputs]
        # A value is released after its last use.
        self._dead: list[list[int]] = []
        kept = set(self._outputs)
        for _, takes, gives in reversed(self._steps):
            dead = {*takes, *gives} - kept
            kept |= dead
            self._dead.append(sorted(dead))
        self._dead.reverse()

    def run(self, inputs: Sequence[Any]) -> list[Any]:
        """The values of the outputs for these values of the inputs."""
        values = self._constants.copy()
        values[: len(inputs)] = inputs
        profile = self.profile
        for index, (part, takes, gives) in enumerate(self._steps):
            start = time.perf_counter_ns() if profile else 0
            results = part.run([values[slot] for slot in takes])
            if profile:
                profile.add(self._numbers[index], time.perf_counter_ns() - start, results)
            for slot, value in zip(gives, results, strict=True):
                values[slot] = value
            for slot in self._dead[index]:
                values[slot] = None
        return [values[slot] for slot in self._outputs]
