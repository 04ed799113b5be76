"""Looking into a function.

Purpose: what can be seen of a linked graph, the same for every linker.
Invariant: looking changes nothing.
Reason: kept apart from calling, which should have nothing in its way.
"""

from __future__ import annotations

from typing import TextIO

from .graph import FunctionGraph
from .profile import Profile


class Inspection:
    """What can be asked of a function beside calling it."""

    graph: FunctionGraph
    _profile: Profile | None

    def dprint(self, file: TextIO | str | None = None) -> str | None:
        """Prints the graph as a tree; see `fishplate.graph.dprint`."""
        from .printing import dprint

        return dprint(self.graph, file)

    def to_dot(self) -> str:
        """The graph in the language of Graphviz."""
        from .printing import to_dot

        return to_dot(self.graph.outputs)

    def profile(self) -> Profile:
        """Time and bytes by op, of all calls.

        Raises
        ------
        ValueError
            Where the function was made without `profile=True`.
        """
        if self._profile is None:
            raise ValueError("this function keeps no times; make it with profile=True")
        return self._profile

    def _repr_svg_(self) -> str:
        from .picture import svg

        return svg(self.graph.outputs)
