"""A graph between given inputs and outputs.

Purpose: the nodes between them, in an order in which they can be computed; and graphs with some
variables replaced.
Invariant: a node comes after those that compute its inputs.
Reason: what linkers, pictures and pickles work on is a list, not a web of objects.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from .nodes import Apply, Constant, Variable
from .order import toposort


class FunctionGraph:
    """What is computed of what.

    Parameters
    ----------
    inputs : sequence of Variable
        What is given. Nothing before them is computed.
    outputs : sequence of Variable
        What is wanted.
    nodes : sequence of Apply, optional
        The nodes in between, in the order that is wanted; by default they are found.

    Attributes
    ----------
    nodes : list of Apply
        Everything in between, in an order in which it can be computed.
    """

    def __init__(
        self,
        inputs: Sequence[Variable],
        outputs: Sequence[Variable],
        nodes: Sequence[Apply] | None = None,
    ) -> None:
        self.inputs = list(inputs)
        self.outputs = list(outputs)
        self.nodes = toposort(self.outputs, self.inputs) if nodes is None else list(nodes)

    def variables(self) -> Iterator[Variable]:
        """Every variable once: inputs, then what nodes need and make, then outputs."""
        seen: set[Variable] = set()
        for group in self._groups():
            for variable in group:
                if variable not in seen:
                    seen.add(variable)
                    yield variable

    def _groups(self) -> Iterator[Sequence[Variable]]:
        yield self.inputs
        for node in self.nodes:
            yield node.inputs
            yield node.outputs
        yield self.outputs

    def missing(self) -> list[Variable]:
        """What is neither given, nor computed, nor known."""
        known = set(self.inputs)
        return [
            variable
            for variable in self.variables()
            if variable.owner is None
            and not isinstance(variable, Constant)
            and variable not in known
        ]

    def clients(self) -> dict[Variable, list[tuple[Apply, int]]]:
        """For each variable the nodes that take it, and as which input."""
        found: dict[Variable, list[tuple[Apply, int]]] = {}
        for node in self.nodes:
            for index, variable in enumerate(node.inputs):
                found.setdefault(variable, []).append((node, index))
        return found


def ancestors(outputs: Iterable[Variable], inputs: Iterable[Variable] = ()) -> list[Variable]:
    """The variables without owner that `outputs` need, in the order they are met."""
    outputs = list(outputs)
    given = set(inputs)
    found: dict[Variable, None] = {}
    for node in toposort(outputs, given):
        for variable in node.inputs:
            if variable.owner is None or variable in given:
                found[variable] = None
    for output in outputs:
        if output.owner is None or output in given:
            found[output] = None
    return list(found)


def replace(
    outputs: Sequence[Variable], replacements: Mapping[Variable, Variable]
) -> list[Variable]:
    """`outputs`, with variables replaced, all at once: replacements are left as they are."""
    new: dict[Variable, Variable] = dict(replacements)
    for node in toposort(outputs, replacements):
        if any(variable in new for variable in node.inputs):
            clone = node.clone_with_new_inputs([new.get(v, v) for v in node.inputs])
            new.update(
                (old, made)
                for old, made in zip(node.outputs, clone.outputs, strict=True)
                if old not in replacements
            )
    return [new.get(output, output) for output in outputs]


def as_variables(value: Any, role: str) -> list[Variable]:
    """The variables in a sequence; raises where something else is in it."""
    variables = list(value)
    for variable in variables:
        if not isinstance(variable, Variable):
            raise TypeError(f"{role} must be variables, not {type(variable).__name__}")
    return variables
