"""Chooses how to link a graph.

Purpose: decide which part of a graph is linked in which way.
Invariant: for every linker, results are the same, and the caller's memory is not shared with
others.
Reason: the choice is made only here; the linkers are independent of each other.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

from fishplate import _native

from ..core.graph import FunctionGraph
from ..core.nodes import Apply, Variable
from ..show.profile import Profile
from ..tensors.builtin import NativeOp
from ..tensors.type import TensorType
from .alias import protect
from .compiled import Compiled, CompileOptions, warn_no_compiler
from .evaluate import Evaluation
from .linked import LinkedC, has_c, refuses, type_has_c
from .merge import merge
from .native import is_native
from .segments import Runnable, Segments, cut


class Linking(NamedTuple):
    """The input of linking.

    Parameters
    ----------
    graph : FunctionGraph
        The graph.
    name : str
        The function's name, for messages.
    linker : {"c", "c-opwise", "perform"}
        The linker.
    options : CompileOptions
        The options for compiling.
    shared_inputs : list of Variable
        Inputs whose memory results may share.
    mutable : list of Variable
        Inputs whose memory may be written.
    borrowed : list of int
        Outputs that may share memory with others.
    profiled : bool
        Record the time of every node; they are then linked one by one.
    done : list of str
        The changes to the graph, in words.
    """

    graph: FunctionGraph
    name: str
    linker: str
    options: CompileOptions
    shared_inputs: list[Variable]
    mutable: list[Variable]
    borrowed: list[int]
    profiled: bool
    done: Sequence[str] = ()


def link(what: Linking) -> tuple[Runnable, Profile | None]:
    """Links a graph, and returns the record for its times; without a compiler, in Python, with a
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
    return protect(
        what.graph, shared_inputs=what.shared_inputs, mutable=what.mutable, borrowed=what.borrowed
    )


def _compile(what: Linking) -> tuple[Runnable, Profile | None]:
    whole = what.linker == "c" and not what.profiled
    if whole and is_native(what.graph):
        # A native function's results never share memory with anything.
        return Compiled(what.graph, what.name, what.options), None
    if "merge" not in what.options.exclude:
        merged, done = merge(what.graph)
        what = what._replace(graph=merged, done=done)
    graph = _protected(what)
    numbers = {node: index for index, node in enumerate(graph.nodes)}
    kinds = _kinds(graph)
    try:
        return _in_parts(graph, kinds, what, numbers)
    except NotImplementedError as error:
        if getattr(error, "__fishplate_final__", False):
            raise
        # An op's methods may report only when they are called that a node has no C code.
        refused = [node for node, kind in kinds.items() if kind == "coded" and refuses(node)]
        if not refused or not all(node.op.has_perform() for node in refused):
            raise
        kinds.update(dict.fromkeys(refused, "python"))
        return _in_parts(graph, kinds, what, numbers)


def _in_parts(
    graph: FunctionGraph,
    kinds: Mapping[Apply, str],
    what: Linking,
    numbers: Mapping[Apply, int],
) -> tuple[Runnable, Profile | None]:
    """The graph in C as far as possible, and the rest in Python."""
    whole = what.linker == "c" and not what.profiled
    border = (*graph.inputs, *graph.outputs)
    if whole and "python" not in kinds.values() and all(type_has_c(v.type) for v in border):
        linked = _in_c(graph, kinds, what, numbers)
        linked.merged = what.done
        return linked, None
    profile = Profile(what.name, graph.nodes) if what.profiled else None

    def how(node: Apply) -> Hashable:
        is_python = kinds[node] == "python"
        return is_python if whole else (is_python, numbers[node])

    parts: list[Runnable] = []
    for part in cut(graph, how):
        if kinds[part.graph.nodes[0]] == "python":
            parts.append(Evaluation(part.graph, what.name, None, numbers))
        else:
            parts.append(_in_c(part.graph, kinds, what, numbers))
    return Segments(graph, parts, profile, numbers, what.done), profile


def _kinds(graph: FunctionGraph) -> dict[Apply, str]:
    """How each node is linked: by Fishplate ("native"), its own C code ("coded"), or in Python."""
    kinds = {node: _kind(node) for node in graph.nodes}
    # A node that can be both is linked like its neighbours, so that no native function is created
    # for it alone.
    clients = graph.clients()
    for node in graph.nodes:
        if kinds[node] == "native" and has_c(node):
            users = [user for output in node.outputs for user, _ in clients.get(output, ())]
            makers = [v.owner for v in node.inputs if v.owner in kinds]
            near = [other for other in (*makers, *users) if other is not None]
            if not any(kinds[other] == "native" and not has_c(other) for other in near):
                kinds[node] = "coded"
    return kinds


def _kind(node: Apply) -> str:
    variables = (*node.inputs, *node.outputs)
    if isinstance(node.op, NativeOp) and all(
        isinstance(v.type, TensorType) and v.type.is_tensor_in_c() for v in variables
    ):
        return "native"
    return "coded" if has_c(node) else "python"


def _in_c(
    graph: FunctionGraph,
    kinds: Mapping[Apply, str],
    what: Linking,
    numbers: Mapping[Apply, int],
) -> Compiled | LinkedC:
    """One C function, in which each connected set of built-in ops is a native function."""
    if graph.nodes and is_native(graph) and all(kinds[node] == "native" for node in graph.nodes):
        return Compiled(graph, what.name, what.options, numbers)
    parts: list[FunctionGraph | Compiled] = []
    for part in cut(graph, kinds.__getitem__):
        if part.kind == "native":
            parts.append(Compiled(part.graph, what.name, what.options, numbers))
        else:
            parts.append(part.graph)
    return LinkedC(graph, what.name, parts, numbers=numbers, options=what.options)
