"""Graphs as plain data.

Purpose: pickles and copies of functions.
Invariant: a pickle contains lists: pickling does not recurse, however deep a graph is.
Reason: a function is sent as its graph; the receiver links it again, or finds it in the cache.
"""

from __future__ import annotations

from typing import Any, Generic, NamedTuple, TypeVar

from ..core.graph import FunctionGraph
from ..core.nodes import Apply, Variable
from ..core.op import Op
from ..core.places import Place
from ..core.type import Type
from ..tensors.builtin import NativeOp
from ..tensors.type import TensorType


class PlainNode(NamedTuple):
    """A node: variables are numbers."""

    op: int
    inputs: tuple[int, ...]
    outputs: tuple[tuple[int, str | None], ...]
    made_at: Place | None


class PlainGraph(NamedTuple):
    """A graph as lists.

    Variables are numbered: first those that no node computes, then the outputs of each node.
    """

    roots: list[Variable]
    cut: dict[int, tuple[int, str | None]]
    types: list[Type]
    ops: list[Op]
    nodes: list[PlainNode]
    inputs: list[int]
    outputs: list[int]


Thing = TypeVar("Thing")


class _Numbered(Generic[Thing]):
    """Objects by number, without duplicates; user-defined objects need not be hashable."""

    def __init__(self) -> None:
        self.things: list[Thing] = []
        self._numbers: dict[Any, int] = {}

    def number(self, thing: Thing) -> int:
        """The number of an object, which is added if it is new."""
        key = thing if isinstance(thing, (NativeOp, TensorType)) else id(thing)
        if key not in self._numbers:
            self._numbers[key] = len(self.things)
            self.things.append(thing)
        return self._numbers[key]


def to_plain(graph: FunctionGraph) -> PlainGraph:
    """A graph as lists."""
    computed = {output for node in graph.nodes for output in node.outputs}
    leaves = [variable for variable in graph.variables() if variable not in computed]
    number: dict[Variable, int] = {variable: index for index, variable in enumerate(leaves)}
    types: _Numbered[Type] = _Numbered()
    ops: _Numbered[Op] = _Numbered()

    def kind(variable: Variable) -> tuple[int, str | None]:
        return types.number(variable.type), variable.name

    # Inputs that are computed elsewhere are stored without that computation.
    cut = {number[v]: kind(v) for v in leaves if v.owner is not None}
    roots = [variable for variable in leaves if variable.owner is None]
    nodes = []
    for node in graph.nodes:
        outputs = []
        for output in node.outputs:
            number[output] = len(number)
            outputs.append(kind(output))
        inputs = tuple(number[variable] for variable in node.inputs)
        nodes.append(PlainNode(ops.number(node.op), inputs, tuple(outputs), node.made_at))
    return PlainGraph(
        roots,
        cut,
        types.things,
        ops.things,
        nodes,
        [number[v] for v in graph.inputs],
        [number[v] for v in graph.outputs],
    )


def from_plain(plain: PlainGraph) -> FunctionGraph:
    """The graph that was converted to these lists."""
    roots = iter(plain.roots)
    variables: list[Variable] = []
    for index in range(len(plain.roots) + len(plain.cut)):
        if index in plain.cut:
            kind, name = plain.cut[index]
            variables.append(plain.types[kind].make_variable(name))
        else:
            variables.append(next(roots))
    for node in plain.nodes:
        outputs = [plain.types[kind].make_variable(name) for kind, name in node.outputs]
        inputs = [variables[index] for index in node.inputs]
        Apply(plain.ops[node.op], inputs, outputs, made_at=node.made_at)
        variables.extend(outputs)
    return FunctionGraph(
        [variables[index] for index in plain.inputs],
        [variables[index] for index in plain.outputs],
    )
