"""Graphs of built-in ops, handed to Rust.

Purpose: a graph as the native part of the package has it.
Invariant: variables become numbers, in the order in which they are met; a node's site is its place
in `FunctionGraph.nodes`, whatever rewrites make of it.
Reason: rewriting and linking are Rust's; what a node was in Python is only needed for messages.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from fishplate import _native

from .builtin import Builtin
from .core import Apply, Constant, Variable
from .errors import Operand, annotate
from .graph import FunctionGraph
from .tensor import TensorType


def is_native(graph: FunctionGraph) -> bool:
    """Whether all nodes are built-in ops, and all variables tensors."""
    return all(isinstance(node.op, Builtin) for node in graph.nodes) and all(
        isinstance(variable.type, TensorType) for variable in graph.variables()
    )


def translate(graph: FunctionGraph) -> _native.Graph:
    """The same graph in Rust.

    Parameters
    ----------
    graph : FunctionGraph
        A graph of which `is_native` holds.
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
        if not isinstance(op, Builtin):
            raise TypeError(f"{op} is not a built-in op")
        outputs = made.apply(op.name, op.params, numbers(node.inputs), site)
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


def failure(name: str, nodes: Sequence[Apply]) -> Callable[..., BaseException]:
    """What makes an exception of what a linked graph notes when it fails.

    Parameters
    ----------
    name : str
        The function's name.
    nodes : sequence of Apply
        The nodes by site.
    """

    def raised(
        site: int,
        kind: str,
        text: str,
        operands: Sequence[tuple[str, tuple[int, ...], tuple[int, ...]]],
    ) -> BaseException:
        found: Any = getattr(builtins, kind, RuntimeError)
        error: BaseException = found(text)
        if 0 <= site < len(nodes):
            values = [Operand(*operand) for operand in operands]
            node = nodes[site]
            annotate(error, node, site, values if len(values) == node.nin else None, name)
        return error

    return raised
