"""Inspection of functions.

Purpose: the inspectable parts of a linked graph, the same for every linker.
Invariant: inspection changes nothing.
Reason: separate from calling, which should stay simple.
"""

from __future__ import annotations

from typing import TextIO

from .core.graph import FunctionGraph
from .link.compiled import Compiled
from .link.linked import LinkedC
from .link.segments import Runnable, Segments
from .show.printing import dprint, to_dot
from .show.profile import Profile


def _compiled(linked: Runnable) -> list[Compiled | LinkedC]:
    """The parts that are C."""
    parts = linked.parts if isinstance(linked, Segments) else [linked]
    return [part for part in parts if isinstance(part, (Compiled, LinkedC))]


def _explained(part: Runnable) -> list[str]:
    """A part: the rewrites in it, and its steps."""
    if isinstance(part, Compiled):
        done = [f"{name}: {text}" for name, _, sentences in part.done for text in sentences]
        return [*done, *_numbered("steps:", [node[0] for node in part.nodes])]
    if not isinstance(part, LinkedC):
        nodes = part.graph.nodes
        title = "in Python:" if len(nodes) == 1 else "every node in Python:"
        return _numbered(title, [str(node.op) for node in nodes])
    done, steps = [], []
    for inner in part.parts:
        if isinstance(inner, Compiled):
            done += [f"{name}: {text}" for name, _, sentences in inner.done for text in sentences]
            steps.append(f"a native function: {', '.join(node[0] for node in inner.nodes)}")
        else:
            steps += [str(node) for node in inner.nodes]
    return [*done, *_numbered("steps:", steps)]


def _numbered(title: str, steps: list[str]) -> list[str]:
    return [title, *(f"  {number}. {step}" for number, step in enumerate(steps, 1))]


class Inspection:
    """The attributes of a function for inspection."""

    graph: FunctionGraph
    _linked: Runnable
    _profile: Profile | None

    def dprint(self, file: TextIO | str | None = None) -> str | None:
        """Prints the graph as a tree; see `fishplate.graph.dprint`."""
        return dprint(self.graph, file)

    def to_dot(self) -> str:
        """The graph in Graphviz's DOT language."""
        return to_dot(self.graph.outputs)

    def c_source(self) -> str:
        """The C source that was compiled, with a line before each part if there are several.

        Raises
        ------
        ValueError
            If nothing was compiled.
        """
        parts = _compiled(self._linked)
        if not parts:
            raise ValueError("this function contains no C; see its linker")
        if len(parts) == 1:
            return parts[0].source
        return "\n".join(
            f"/* Part {number}. */\n{part.source}" for number, part in enumerate(parts, 1)
        )

    def explain(self) -> str:
        """The rewrites, and the final computation, step by step."""
        linked = self._linked
        parts = linked.parts if isinstance(linked, Segments) else [linked]
        lines: list[str] = []
        if isinstance(linked, (Compiled, LinkedC, Segments)):
            lines.extend(f"merge: {text}" for text in linked.merged)
        for number, part in enumerate(parts, 1):
            if len(parts) > 1:
                lines.append(f"part {number}")
            lines.extend(_explained(part))
        return "\n".join(lines)

    def profile(self) -> Profile:
        """Time and bytes by op, of all calls.

        Raises
        ------
        ValueError
            If the function was created without `profile=True`.
        """
        if self._profile is None:
            raise ValueError("this function was not profiled; create it with profile=True")
        return self._profile

    def _repr_svg_(self) -> str:
        from .show.picture import svg

        return svg(self.graph.outputs)
