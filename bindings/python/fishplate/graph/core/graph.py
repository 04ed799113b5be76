"""A graph between given inputs and outputs.

Purpose: the nodes between them, in an order in which they can be computed; and graphs with some
variables replaced.
Invariant: a node comes after those that compute its inputs.
Reason: linkers, pictures and pickles process a list, not a web of objects.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .nodes import Apply, Variable
from .order import toposort


class FunctionGraph:
    """A computation of outputs from inputs.

    Parameters
    ----------
    inputs : sequence of Variable
        The inputs. Nothing that they depend on is computed.
    outputs : sequence of Variable
        The results.
    nodes : sequence of Apply, optional
        The nodes in between, in the required order; by default they are collected.

    Attributes
    ----------
    nodes : list of Apply
        All nodes in between, in an order in which they can be computed.
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
        """Every variable once: inputs, then inputs and outputs of nodes, then outputs."""
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

    def leaves(self) -> list[Variable]:
        """The variables that are used and not computed, in order of traversal: inputs too."""
        given = set(self.inputs)
        found: dict[Variable, None] = {}
        for group in (*(node.inputs for node in self.nodes), self.outputs):
            for variable in group:
                if variable.owner is None or variable in given:
                    found[variable] = None
        return list(found)

    def clients(self) -> dict[Variable, list[tuple[Apply, int]]]:
        """For each variable the nodes that use it, and as which input."""
        found: dict[Variable, list[tuple[Apply, int]]] = {}
        for node in self.nodes:
            for index, variable in enumerate(node.inputs):
                found.setdefault(variable, []).append((node, index))
        return found


def replace(
    outputs: Sequence[Variable], replacements: Mapping[Variable, Variable]
) -> list[Variable]:
    """`outputs`, with variables replaced simultaneously: replacements are not changed
    themselves."""
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
    """The variables in a sequence; raises for any other element."""
    variables = list(value)
    for variable in variables:
        if not isinstance(variable, Variable):
            raise TypeError(f"{role} must be variables, not {type(variable).__name__}")
    return variables
