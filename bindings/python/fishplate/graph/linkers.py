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
from .builtin import NativeOp
from .compiled import Compiled, CompileOptions, warn_no_compiler
from .core import Apply, Variable
from .evaluate import Evaluation
from .graph import FunctionGraph
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
    profile : Profile or None
        Where times are noted.
    """

    graph: FunctionGraph
    name: str
    linker: str
    options: CompileOptions
    lent: list[Variable]
    mutable: list[Variable]
    borrowed: list[int]
    profile: Profile | None


def link(what: Linking) -> Linked:
    """Links a graph; without a compiler, in Python, with a warning."""
    if what.linker != "perform":
        try:
            return _compile(what)
        except _native.NoCompiler as reason:
            warn_no_compiler(reason)
    return Evaluation(_protected(what), what.name, what.profile)


def _protected(what: Linking) -> FunctionGraph:
    return protect(what.graph, lent=what.lent, mutable=what.mutable, borrowed=what.borrowed)


def _compile(what: Linking) -> Linked:
    whole = what.linker == "c" and what.profile is None
    if whole and is_native(what.graph):
        # A native function's results never share memory with anything.
        return Compiled(what.graph, what.name, what.options)
    graph = _protected(what)
    order = {node: index for index, node in enumerate(graph.nodes)}

    def kind(node: Apply) -> Hashable:
        how = _kind(node)
        return how if whole else (how, order[node])

    parts = [_link_part(part, what, graph, order) for part in cut(graph, kind)]
    return Segments(graph, parts)


def _kind(node: Apply) -> str:
    variables = (*node.inputs, *node.outputs)
    if isinstance(node.op, NativeOp) and all(isinstance(v.type, TensorType) for v in variables):
        return "native"
    return "python"


def _link_part(
    part: Segment, what: Linking, graph: FunctionGraph, order: dict[Apply, int]
) -> Linked:
    how = part.kind if isinstance(part.kind, str) else part.kind[0]  # type: ignore[index]
    if how == "native" and what.profile is None:
        return Compiled(part.graph, what.name, what.options)
    return Evaluation(part.graph, what.name, what.profile)
