"""Converts graphs of built-in ops for Rust.

Purpose: a graph in the form of the native part of the package.
Invariant: variables become numbers, in order of traversal; a node's site is its index in
`FunctionGraph.nodes`, whatever rewrites do with it.
Reason: Rust rewrites and links; the Python nodes are only needed for messages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from fishplate import _native

from ..core.graph import FunctionGraph
from ..core.nodes import Apply, Constant, Variable
from ..errors import Operand, annotate
from ..tensors.builtin import Builtin, NativeOp
from ..tensors.type import TensorType


def is_native(graph: FunctionGraph) -> bool:
    """Whether all nodes are built-in ops, and all variables tensors as they are built in."""
    if not all(isinstance(node.op, NativeOp) for node in graph.nodes):
        return False
    # Most variables share their types with others.
    types = {id(variable.type): variable.type for variable in (*graph.inputs, *graph.outputs)}
    for node in graph.nodes:
        for variable in (*node.inputs, *node.outputs):
            types[id(variable.type)] = variable.type
    return all(isinstance(kind, TensorType) and kind.is_built_in() for kind in types.values())


def translate(graph: FunctionGraph) -> _native.Graph:
    """The same graph in Rust.

    Parameters
    ----------
    graph : FunctionGraph
        A graph for which `is_native` holds.
    """
    made = _native.Graph()
    number: dict[Variable, int] = {}
    for variable in graph.inputs:
        kind = _tensor(variable)
        number[variable] = made.input(kind.dtype, kind.shape)

    def numbers(variables: Sequence[Variable]) -> list[int]:
        for variable in variables:
            if variable not in number:
                if not isinstance(variable, Constant):
                    raise ValueError(f"{variable!r} is neither given nor computed")
                number[variable] = _constant(made, variable)
        return [number[variable] for variable in variables]

    for site, node in enumerate(graph.nodes):
        op = node.op
        if not isinstance(op, NativeOp):
            raise TypeError(f"{op} is not a native op")
        outputs = op.add_to(made, numbers(node.inputs), site)
        number.update(zip(node.outputs, outputs, strict=True))
    made.set_outputs(numbers(graph.outputs))
    return made


def _tensor(variable: Variable) -> TensorType:
    if not isinstance(variable.type, TensorType):
        raise TypeError(f"{variable!r} is not a tensor")
    return variable.type


def _constant(made: _native.Graph, variable: Constant) -> int:
    kind = _tensor(variable)
    array = kind.to_numpy(variable.data)
    return made.constant(kind.dtype, array.shape, np.ascontiguousarray(array).tobytes())


# The Python exception for a note's kind.
_KINDS: dict[str, type[Exception]] = {
    "shape": ValueError,
    "value": ValueError,
    "index": IndexError,
    "memory": MemoryError,
    "overflow": OverflowError,
}

Sizes = tuple[tuple[int, ...], tuple[int, ...]]


def failure(
    name: str,
    graph: FunctionGraph,
    find_sites: Callable[[], Sequence[Sequence[int]]],
    numbers: Mapping[Apply, int] | None = None,
) -> Callable[..., BaseException]:
    """Creates exceptions from the notes of a linked graph that failed.

    Parameters
    ----------
    name : str
        The function's name.
    graph : FunctionGraph
        The graph that was linked.
    find_sites : callable
        Returns for each linked step its original nodes.
    numbers : mapping, optional
        The numbers of nodes in messages.
    """

    def tell(error: BaseException, index: int, values: Sequence[Operand] | None) -> None:
        node = graph.nodes[index]
        annotate(error, node, numbers[node] if numbers else index, values, name)

    def raised(
        step: int,
        kind: str,
        text: str,
        operands: Sequence[tuple[str, tuple[int, ...], tuple[int, ...]]],
        inputs: Sequence[Sizes | int | None],
    ) -> BaseException:
        found = _KINDS.get(kind, RuntimeError)
        at_fault = _find(graph, inputs) if found in (ValueError, IndexError) else None
        if at_fault is not None:
            index, error, values = at_fault
            tell(error, index, values)
            return error
        error = found(text)
        sites = find_sites()
        places = sorted(sites[step]) if 0 <= step < len(sites) else []
        if len(places) == 1 and len(operands) == graph.nodes[places[0]].nin:
            values = [Operand(*operand) for operand in operands]
            tell(error, places[0], values)
        else:
            for place in places:
                tell(error, place, None)
        return error

    return raised


def _find(
    graph: FunctionGraph, inputs: Sequence[Sizes | int | None]
) -> tuple[int, Exception, list[Operand]] | None:
    """The first node whose inputs are invalid, found by inferring all types again from the shapes
    of the inputs.
    """
    kinds: dict[Variable, tuple[str, Sequence[int | None]]] = {}
    known: dict[Variable, int | None] = {}
    strides: dict[Variable, tuple[int, ...]] = {}
    for variable, given in zip(graph.inputs, inputs, strict=True):
        dtype = _tensor(variable).dtype
        if isinstance(given, tuple):
            kinds[variable], strides[variable] = (dtype, given[0]), given[1]
        else:
            kinds[variable], known[variable] = (dtype, ()), given
    for index, node in enumerate(graph.nodes):
        for variable in node.inputs:
            if isinstance(variable, Constant) and variable not in kinds:
                value = _tensor(variable).to_numpy(variable.data)
                kinds[variable] = (value.dtype.name, value.shape)
                strides[variable] = value.strides
                if value.dtype == np.int64 and value.ndim == 0:
                    known[variable] = int(value)
        op = node.op
        assert isinstance(op, NativeOp)
        takes = [kinds[variable] for variable in node.inputs]
        values = [known.get(variable) for variable in node.inputs]
        try:
            gives = op.infer(takes, values)
        except (ValueError, IndexError) as error:
            shown = [
                Operand(kind[0], tuple(kind[1]), strides.get(variable))
                for variable, kind in zip(node.inputs, takes, strict=True)
            ]
            return index, error, shown
        kinds.update(zip(node.outputs, gives, strict=True))
        if isinstance(op, Builtin) and op.name == "shape_i":
            known[node.outputs[0]] = takes[0][1][op.params[0]]
    return None
