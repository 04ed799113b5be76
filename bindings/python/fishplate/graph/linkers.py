"""From a graph to something that runs.

Purpose: which part of a graph is linked in which way.
Invariant: whatever the linker, results are the same, and the caller's memory is nobody else's.
Reason: the choice is made here once; each way of linking knows nothing of the others.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from fishplate import _native

from .alias import protect
from .builtin import Builtin, NativeOp
from .compiled import Compiled, CompileOptions, warn_no_compiler
from .core import Apply, Variable
from .evaluate import Evaluation
from .graph import FunctionGraph
from .linked import LinkedC, has_c
from .native import is_native
from .profile import Profile
from .segments import Linked, Segment, Segments, cut
from .tensor import TensorType


class Linking(NamedTuple):
    """What is to be linked, and how.

    Parameters
    ----------
    graph : FunctionGraph
        The graph.
    name : str
        The function's name, for messages.
    linker : {"c", "c-opwise", "perform"}
        How.
    options : CompileOptions
        How what is compiled is compiled.
    lent : list of Variable
        Inputs whose memory results may have.
    mutable : list of Variable
        Inputs whose memory may be written.
    borrowed : list of int
        Outputs that may have the memory of others.
    profiled : bool
        Note the time of every node; they are then linked one by one.
    """

    graph: FunctionGraph
    name: str
    linker: str
    options: CompileOptions
    lent: list[Variable]
    mutable: list[Variable]
    borrowed: list[int]
    profiled: bool


def link(what: Linking) -> tuple[Linked, Profile | None]:
    """Links a graph, and says where its times are noted; without a compiler, in Python, with a
    warning.
    """
    if what.linker != "perform":
        try:
            return _compile(what)
        except _native.NoCompiler as reason:
            warn_no_compiler(reason)
    graph = _protected(what)
    profile = Profile(what.name, graph.nodes) if what.profiled else None
    return Evaluation(graph, what.name, profile), profile


def _protected(what: Linking) -> FunctionGraph:
    return protect(what.graph, lent=what.lent, mutable=what.mutable, borrowed=what.borrowed)


def _compile(what: Linking) -> tuple[Linked, Profile | None]:
    whole = what.linker == "c" and not what.profiled
    if whole and is_native(what.graph):
        # A native function's results never share memory with anything.
        return Compiled(what.graph, what.name, what.options), None
    graph = _protected(what)
    numbers = {node: index for index, node in enumerate(graph.nodes)}
    if whole and all(_kind(node) == "coded" or _is_both(node) for node in graph.nodes):
        return _link_part(Segment("coded", graph), what, numbers), None
    profile = Profile(what.name, graph.nodes) if what.profiled else None

    def kind(node: Apply) -> Hashable:
        return _kind(node) if whole else (_kind(node), numbers[node])

    parts = [_link_part(part, what, numbers) for part in cut(graph, kind)]
    return Segments(graph, parts, profile, numbers), profile


def _kind(node: Apply) -> str:
    """How a node is linked: by Fishplate, from the C that it brings, or in Python."""
    variables = (*node.inputs, *node.outputs)
    if isinstance(node.op, NativeOp) and all(isinstance(v.type, TensorType) for v in variables):
        return "native"
    return "coded" if has_c(node) else "python"


def _is_both(node: Apply) -> bool:
    return isinstance(node.op, Builtin) and has_c(node)


def _link_part(part: Segment, what: Linking, numbers: dict[Apply, int]) -> Linked:
    how = part.kind if isinstance(part.kind, str) else part.kind[0]  # type: ignore[index]
    if how == "native":
        return Compiled(part.graph, what.name, what.options)
    if how == "coded":
        try:
            return LinkedC(part.graph, what.name)
        except NotImplementedError:
            # An op's methods may say only when they are asked that there is no C for a node.
            if not all(node.op.has_perform() for node in part.graph.nodes):
                raise
    return Evaluation(part.graph, what.name, None, numbers)
