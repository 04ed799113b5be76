"""Linker "c" for types and ops with their own C code.

Purpose: compile such a graph as one C function, unless it is cached, and load it; built-in ops in
the same graph are native functions that it calls.
Invariant: compiled code calls Python only in the code of types and ops, and through the `filter` of
a type for an input that its C does not accept.
Reason: the counterpart of Theano's CLinker.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fishplate import _native

from ..core.graph import FunctionGraph
from ..core.nodes import Apply, Constant
from ..core.type import Type
from ..tensors.builtin import Builtin
from ..tensors.type import TensorType
from .compiled import Compiled, CompileOptions, warn_not_kept, warn_unversioned
from .statistics import count
from .translation import Translation

if TYPE_CHECKING:
    from pathlib import Path

#: The built-in ops that have C of this kind.
BUILTIN = ("deep_copy", "view", "shape", "shape_i")


def has_c(node: Apply) -> bool:
    """Whether a node can be part of such a function: its op and all its types have C."""
    if isinstance(node.op, Builtin):
        able = node.op.name in BUILTIN and all(_is_tensor_in_c(v.type) for v in node.inputs)
    else:
        able = node.op.has_c_code(node)
    return able and all(type_has_c(v.type) for v in (*node.inputs, *node.outputs))


def _is_tensor_in_c(kind: Type) -> bool:
    return isinstance(kind, TensorType) and kind.is_tensor_in_c()


def type_has_c(kind: Type) -> bool:
    """Whether values of a type can be handled in C."""
    return isinstance(kind, TensorType) or kind.has_c_code()


def refuses(node: Apply) -> bool:
    """Whether the methods of a node's op, when called, report missing C code."""
    inputs = [v for v in dict.fromkeys(node.inputs) if not isinstance(v, Constant)]
    graph = FunctionGraph(inputs, node.outputs, [node])
    try:
        Translation(graph, str(node.op), [graph], (), {node: 0})
    except NotImplementedError:
        return True
    return False


class LinkedC:
    """A graph of C-coded types and ops as a native function.

    Parameters
    ----------
    graph : FunctionGraph
        The graph.
    name : str
        The function's name, for messages.
    parts : sequence of (FunctionGraph or Compiled), optional
        The graph in parts, in order: graphs for whose nodes `has_c` holds, and native functions. By
        default it is one part.
    recycled : collection of int
        The outputs whose memory the next call may reuse.
    numbers : mapping, optional
        The numbers of nodes in messages.
    options : CompileOptions, optional
        The options for compiling.

    Attributes
    ----------
    source : str
        The C source.
    parts : list of (FunctionGraph or Compiled)
        The parts.
    merged : sequence of str
        The nodes that were merged, in words.
    call : callable or None
        The callable of `run`, so that others can share its state; created by `run` if necessary.
    """

    def __init__(
        self,
        graph: FunctionGraph,
        name: str,
        parts: Sequence[FunctionGraph | Compiled] | None = None,
        recycled: Sequence[int] = (),
        numbers: Mapping[Apply, int] | None = None,
        options: CompileOptions | None = None,
    ) -> None:
        self.graph = graph
        self.merged: Sequence[str] = ()
        self.parts = [graph] if parts is None else list(parts)
        self.call: Callable[..., Any] | None = None
        numbers = numbers or {node: index for index, node in enumerate(graph.nodes)}
        self._translation = Translation(graph, name, self.parts, recycled, numbers)
        linked = self._translation.linked
        called = [part.source for part in self.parts if isinstance(part, Compiled)]
        self.source = "\n".join(
            [linked.source, *(f"/* Called by it: */\n{text}" for text in called)]
        )
        try:
            path, made, not_kept = linked.compile(
                fp_contract=(options or CompileOptions()).fp_contract
            )
        except _native.CompileError as error:
            raise self._translation.explain_refused(error) from None
        count(made)
        if made:
            warn_unversioned(linked.unversioned)
        if not_kept is not None:
            warn_not_kept(not_kept)
        try:
            self._module = _load(path)
        except ImportError as error:
            raise self._translation.explain_unloaded(error) from None

    def callable(self, filters: Sequence[Callable[[Any], Any] | None] | None) -> Callable[..., Any]:
        """The native function, with a new state, which returns the only output or a tuple.

        Parameters
        ----------
        filters : sequence of callable, optional
            For each input a converter for values that its C does not accept; None if it has valid
            values only.
        """
        given = None if filters is None else tuple(filters)
        translation = self._translation
        made: Callable[..., Any] = self._module.instantiate(
            translation.orphans(), given, translation.explain
        )
        return made

    def run(self, inputs: Sequence[Any]) -> list[Any]:
        """The values of the outputs for these values of the inputs, which are valid."""
        if self.call is None:
            self.call = self.callable(filters=None)
        result = self.call(*inputs)
        return [result] if len(self.graph.outputs) == 1 else list(result)


def _load(path: Path) -> Any:
    """The extension module of a library; all of them are called `linked`."""
    import importlib.machinery
    import importlib.util

    loader = importlib.machinery.ExtensionFileLoader("linked", str(path))
    spec = importlib.util.spec_from_file_location("linked", str(path), loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module
