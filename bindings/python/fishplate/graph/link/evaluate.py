"""Linker "perform": every node in Python.

Purpose: a graph as a list of steps over numbered slots.
Invariant: slots belong to one call, so that concurrent calls do not interfere; a value is released
after its last use.
Reason: it runs without a compiler, and all other linkers are compared with it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..core.graph import FunctionGraph
from ..core.nodes import Apply, Constant, Variable
from ..errors import annotate, made_at
from ..tensors.builtin import Builtin
from ..tensors.type import TensorType, describe

if TYPE_CHECKING:
    from ..show.profile import Profile


class _Step(NamedTuple):
    number: int
    node: Apply
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    dead: tuple[int, ...]


class Evaluation:
    """A graph that is computed node by node.

    Parameters
    ----------
    graph : FunctionGraph
        The graph, protected against aliasing.
    name : str
        The function's name, for messages.
    profile : Profile, optional
        The record for times.
    numbers : mapping, optional
        The numbers of the nodes in messages and the profile; by default their indices.
    """

    def __init__(
        self,
        graph: FunctionGraph,
        name: str,
        profile: Profile | None = None,
        numbers: Mapping[Apply, int] | None = None,
    ) -> None:
        self.graph = graph
        self.name = name
        self.profile = profile
        slots: dict[Variable, int] = {v: i for i, v in enumerate(graph.variables())}
        self._slots: list[Any] = [v.data if isinstance(v, Constant) else None for v in slots]
        self._inputs = [slots[v] for v in graph.inputs]
        self._outputs = [slots[v] for v in graph.outputs]
        kept = {*self._outputs, *(i for v, i in slots.items() if isinstance(v, Constant))}
        self._steps: list[_Step] = []
        if numbers is None:
            numbers = {node: index for index, node in enumerate(graph.nodes)}
        for node in reversed(graph.nodes):
            inputs = tuple(slots[v] for v in node.inputs)
            outputs = tuple(slots[v] for v in node.outputs)
            dead = tuple({*inputs, *outputs} - kept)
            kept.update(inputs)
            self._steps.append(_Step(numbers[node], node, inputs, outputs, dead))
        self._steps.reverse()
        for node in graph.nodes:
            if not node.op.has_perform():
                both = "no perform" if node.op.has_c_code(node) else "neither C code nor perform"
                raise NotImplementedError(
                    f"{node.op} ({type(node.op).__qualname__}) has {both}, to compute {node}\n"
                    f"{made_at(node.made_at)}"
                )

    def run(self, inputs: Sequence[Any]) -> list[Any]:
        """The values of the outputs for these values of the inputs."""
        slots = self._slots.copy()
        for slot, value in zip(self._inputs, inputs, strict=True):
            slots[slot] = value
        profile = self.profile
        for number, node, takes, gives, dead in self._steps:
            values = [slots[slot] for slot in takes]
            storage: list[list[Any]] = [[None] for _ in gives]
            start = time.perf_counter_ns() if profile else 0
            try:
                node.op.perform(node, values, storage)
                _check(node, storage)
            except Exception as error:
                annotate(error, node, number, values, self.name)
                raise
            if profile:
                profile.add(number, time.perf_counter_ns() - start, [cell[0] for cell in storage])
            for slot, cell in zip(gives, storage, strict=True):
                slots[slot] = cell[0]
            for slot in dead:
                slots[slot] = None
        return [slots[slot] for slot in self._outputs]


def _check(node: Apply, storage: Sequence[list[Any]]) -> None:
    for index, cell in enumerate(storage):
        if cell[0] is None and not node.outputs[index].type.is_valid_value(None):
            raise ValueError(f"perform of {node.op} has not set output {index}")
        kind = node.outputs[index].type
        if isinstance(kind, TensorType) and not isinstance(node.op, Builtin):
            cell[0] = _checked(node, index, kind, cell[0])


def _checked(node: Apply, index: int, kind: TensorType, value: Any) -> Any:
    """The result of `perform`, if it has its type; a number in the form of the type."""
    if kind.shape:
        if isinstance(value, np.ndarray) and value.dtype == kind.numpy_dtype:
            fits = len(kind.shape) == value.ndim
            sizes = zip(kind.shape, value.shape, strict=False)
            if fits and all(wanted is None or wanted == size for wanted, size in sizes):
                return value
    elif type(value) is kind.scalar_class:
        return value
    elif isinstance(value, (np.ndarray, np.generic)):
        if value.ndim == 0 and value.dtype == kind.numpy_dtype:
            return kind.from_numpy(value)
    elif isinstance(value, (bool, int, float, complex)):
        return kind.filter(value)
    raise TypeError(
        f"perform of {node.op} gave {describe(value)} for output {index}, which must be {kind}"
    )
