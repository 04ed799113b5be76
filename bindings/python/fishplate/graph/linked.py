"""Linker "c" for types and ops that bring their own C.

Purpose: a graph of them as one C function, compiled or found compiled, loaded.
Invariant: compiled code calls nothing of Python but what types and ops do themselves, and the
`filter` of a type for an input that its C does not take as it is.
Reason: what Theano's CLinker is to Theano's types and ops.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from fishplate import _native

from .builtin import Builtin
from .compiled import warn_not_kept
from .core import Apply, Constant, Variable
from .errors import annotate, introduce
from .graph import FunctionGraph
from .statistics import count
from .tensor import TensorType

#: The built-in ops that have C of this kind.
BUILTIN = ("deep_copy", "view", "shape", "shape_i")


def has_c(node: Apply) -> bool:
    """Whether a node can be part of such a function: its op and all its types have C."""
    if isinstance(node.op, Builtin):
        able = node.op.name in BUILTIN
    else:
        able = node.op.has_c_code(node)
    return able and all(
        isinstance(variable.type, TensorType) or variable.type.has_c_code()
        for variable in (*node.inputs, *node.outputs)
    )


class LinkedC:
    """A graph of C-coded types and ops as a native function.

    Parameters
    ----------
    graph : FunctionGraph
        A graph of whose nodes `has_c` holds.
    name : str
        The function's name, for messages.
    recycled : collection of int
        The outputs whose memory the next call may use again.

    Attributes
    ----------
    source : str
        The C text.
    """

    def __init__(self, graph: FunctionGraph, name: str, recycled: Sequence[int] = ()) -> None:
        self.graph = graph
        self.name = name
        self._program = _native.CProgram(name)
        self._numbers: dict[Variable, int] = {}
        self._variables: list[Variable | None] = []
        self._translate(recycled)
        self._linked = self._program.link()
        self.source = self._linked.source
        try:
            path, made, not_kept = self._linked.compile()
        except _native.CompileError as error:
            raise _native.CompileError(f"{name}(): the C compiler refuses\n{error}") from None
        count(made)
        if not_kept is not None:
            warn_not_kept(not_kept)
        self._module = _load(path)
        self._call = self.callable(filters=None)

    def callable(self, filters: Sequence[Callable[[Any], Any]] | None) -> Callable[..., Any]:
        """A native function with a state of its own, which gives the only output or a tuple.

        Parameters
        ----------
        filters : sequence of callable, optional
            For each input what makes a valid value of what its C does not take as it is.
        """
        orphans = tuple(self._data[number] for number in self._linked.orphans)
        given = None if filters is None else tuple(filters)
        made: Callable[..., Any] = self._module.instantiate(orphans, given, self._explain)
        return made

    def run(self, inputs: Sequence[Any]) -> list[Any]:
        """The values of the outputs for these values of the inputs, which are valid."""
        result = self._call(*inputs)
        return [result] if len(self.graph.outputs) == 1 else list(result)

    def _translate(self, recycled: Sequence[int]) -> None:
        self._data: dict[int, Any] = {}
        for variable in self.graph.inputs:
            self._number(variable, given=True)
        for node in self.graph.nodes:
            inputs = [self._number(variable) for variable in node.inputs]
            outputs = [self._number(variable, given=True) for variable in node.outputs]
            if isinstance(node.op, Builtin):
                i = node.op.params[0] if node.op.params else None
                if not self._program.built_in(node.op.name, inputs[0], outputs[0], i):
                    raise NotImplementedError(f"{node.op} cannot produce C code")
            else:
                self._program.node(node.op, node, inputs, outputs, self._params(node))
        self._program.set_inputs([self._numbers[variable] for variable in self.graph.inputs])
        self._program.set_outputs(
            [
                (self._number(variable), index in recycled)
                for index, variable in enumerate(self.graph.outputs)
            ]
        )

    def _number(self, variable: Variable, given: bool = False) -> int:
        """The number of a variable; constants that nothing makes become known here."""
        number = self._numbers.get(variable)
        if number is None:
            kind = _kind(variable.type)
            if isinstance(variable, Constant) and not given:
                number = self._program.constant(kind, variable.data, variable.name)
                self._data[number] = variable.data
            elif given:
                number = self._program.variable(kind, variable.name)
            else:
                raise TypeError(f"nothing makes {introduce(variable)}")
            self._numbers[variable] = number
            self._variables.append(variable)
        return number

    def _params(self, node: Apply) -> int | None:
        """The constant that holds the op's parameters."""
        kind = node.op.params_type
        if kind is None:
            return None
        data = kind.filter(node.op.get_params(node))
        number = self._program.constant(_kind(kind), data, None)
        self._data[number] = data
        self._variables.append(None)
        return number

    def _explain(self, error: BaseException, block: int) -> None:
        """Adds to an exception what failed."""
        position = self._linked.position(block)
        if position is None:
            return
        number, index, method = position
        if index is not None:
            annotate(error, self.graph.nodes[index], index, None, self.name)
        elif number is not None:
            variable = self._variables[number]
            what = "the parameters of an op" if variable is None else introduce(variable)
            error.add_note(f"In {method} of {what}, in {self.name}()")


def _kind(kind: Any) -> Any:
    """What Rust knows a type by."""
    return (kind.dtype, tuple(kind.shape)) if isinstance(kind, TensorType) else kind


def _load(path: Path) -> Any:
    """The extension module of a library; all of them are called `linked`."""
    loader = importlib.machinery.ExtensionFileLoader("linked", str(path))
    spec = importlib.util.spec_from_file_location("linked", str(path), loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module
