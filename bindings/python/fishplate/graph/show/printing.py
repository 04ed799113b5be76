"""Graphs as text.

Purpose: a tree for people, and the language of Graphviz.
Invariant: a node is written out once; further occurrences are only named.
Reason: shared nodes must be recognisable as shared.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Any, Protocol, TextIO

from ..core.graph import FunctionGraph
from ..core.nodes import Apply, Constant, Variable
from ..core.order import toposort
from ..shared import SharedVariable


class HasGraph(Protocol):
    """A function of a graph."""

    graph: FunctionGraph


def outputs_of(shown: Any) -> list[Variable]:
    """The variables of an object to be shown: a variable, several, a graph, a function."""
    if isinstance(shown, Variable):
        return [shown]
    if isinstance(shown, Apply):
        return list(shown.outputs)
    if isinstance(shown, FunctionGraph):
        return shown.outputs
    graph = getattr(shown, "graph", None)
    if isinstance(graph, FunctionGraph):
        return graph.outputs
    if isinstance(shown, Iterable):
        return [variable for item in shown for variable in outputs_of(item)]
    raise TypeError(f"wanted variables or a function, got {type(shown).__name__}")


def tree(shown: Any, types: bool = True) -> str:
    """A graph as a tree, from its outputs to its inputs.

    Parameters
    ----------
    shown : Variable, sequence of Variable, or Function
        The graph, by its outputs or as a function.
    types : bool
        Show the type in every line.
    """
    outputs = outputs_of(shown)
    order = {node: number for number, node in enumerate(toposort(outputs))}
    lines: list[str] = []
    written: set[Apply] = set()
    # A pending line: a variable, its prefix, and the prefix of the lines below it.
    stack: list[tuple[Variable, str, str]] = [(output, "", "") for output in reversed(outputs)]
    while stack:
        variable, before, below = stack.pop()
        node = variable.owner
        lines.append(before + _line(variable, order, types))
        if node is None:
            continue
        if node in written:
            lines[-1] += " ..."
            continue
        written.add(node)
        last = len(node.inputs) - 1
        for index, taken in reversed(list(enumerate(node.inputs))):
            branch, rest = ("└─ ", "   ") if index == last else ("├─ ", "│  ")
            stack.append((taken, below + branch, below + rest))
    return "\n".join(lines)


def _line(variable: Variable, order: dict[Apply, int], types: bool) -> str:
    node = variable.owner
    if node is None:
        text = leaf_text(variable)
    else:
        text = str(node.op)
        if len(node.outputs) > 1:
            text += f".{variable.index}"
        if variable.name:
            text += f" '{variable.name}'"
        text += f" #{order[node]}"
    return f"{text}  {variable.type}" if types else text


def leaf_text(variable: Variable) -> str:
    """The name of a variable without owner."""
    if isinstance(variable, SharedVariable):
        return f"{variable} (shared)"
    return str(variable) if variable.name or isinstance(variable, Constant) else "input"


def dprint(shown: Any, file: TextIO | str | None = None, *, types: bool = True) -> str | None:
    """Prints a graph as a tree.

    Parameters
    ----------
    shown : Variable, sequence of Variable, or Function
        The graph, by its outputs or as a function.
    file : file or "str", optional
        The destination; "str": the text is returned. By default standard output.
    types : bool
        Show the type in every line.
    """
    text = tree(shown, types)
    if file == "str":
        return text
    out = sys.stdout if file is None else file
    out.write(text + "\n")  # type: ignore[union-attr]
    return None


def to_dot(shown: Variable | Sequence[Variable] | HasGraph) -> str:
    """A graph in Graphviz's DOT language."""
    outputs = outputs_of(shown)
    nodes = toposort(outputs)
    names: dict[Variable | Apply, str] = {}
    lines = ["digraph {", "  rankdir=TB;", '  node [fontname="sans-serif", fontsize=11];']

    def leaf(variable: Variable) -> str:
        if variable not in names:
            names[variable] = f"v{len(names)}"
            style = "box, style=dashed" if isinstance(variable, Constant) else "box"
            label = _quoted(f"{leaf_text(variable)}\n{variable.type}")
            lines.append(f"  {names[variable]} [shape={style}, label={label}];")
        return names[variable]

    for node in nodes:
        names[node] = f"n{len(names)}"
        lines.append(f"  {names[node]} [shape=ellipse, label={_quoted(str(node.op))}];")
        for variable in node.inputs:
            source = leaf(variable) if variable.owner is None else names[variable.owner]
            lines.append(f"  {source} -> {names[node]} [label={_quoted(_edge(variable))}];")
    for index, output in enumerate(outputs):
        source = leaf(output) if output.owner is None else names[output.owner]
        label = _quoted(f"{output.name or f'output {index}'}\n{output.type}")
        lines.append(f"  o{index} [shape=box, penwidth=2, label={label}];")
        lines.append(f"  {source} -> o{index};")
    lines.append("}")
    return "\n".join(lines) + "\n"


def _edge(variable: Variable) -> str:
    if variable.owner is None:
        return ""
    return str(variable.type) if variable.name is None else f"{variable.name}\n{variable.type}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
