"""Profiles of functions.

Purpose: time and bytes by node and by op.
Invariant: nodes are numbered as in the linked graph; the code that runs a node adds to its line.
Reason: one record for every linker: C adds the time of fused nodes to one of them.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any, NamedTuple

from ..core.nodes import Apply


class Line(NamedTuple):
    """The sum over the nodes of an op."""

    op: str
    nodes: int
    calls: int
    seconds: float
    bytes: int


class Profile:
    """Time and bytes by node.

    Parameters
    ----------
    name : str
        The function's name.
    nodes : sequence of Apply
        Its nodes in order.
    """

    def __init__(self, name: str, nodes: Sequence[Apply]) -> None:
        self.name = name
        self.nodes = list(nodes)
        self.calls = [0] * len(self.nodes)
        self.nanoseconds = [0] * len(self.nodes)
        self.bytes = [0] * len(self.nodes)
        self._lock = threading.Lock()

    def add(self, node: int, nanoseconds: int, outputs: Sequence[Any] = (), size: int = 0) -> None:
        """Adds a run of a node.

        Parameters
        ----------
        node : int
            Its number.
        nanoseconds : int
            Its duration.
        outputs : sequence of object
            Its results; counted if they have `nbytes`.
        size : int
            Further bytes that it allocated.
        """
        size += sum(int(getattr(value, "nbytes", 0)) for value in outputs)
        with self._lock:
            self.calls[node] += 1
            self.nanoseconds[node] += nanoseconds
            self.bytes[node] += size

    def by_op(self) -> list[Line]:
        """A line for each op, the slowest first."""
        groups: dict[str, list[int]] = {}
        for index, node in enumerate(self.nodes):
            groups.setdefault(str(node.op), []).append(index)
        lines = [
            Line(
                op,
                len(indices),
                sum(self.calls[i] for i in indices),
                sum(self.nanoseconds[i] for i in indices) / 1e9,
                sum(self.bytes[i] for i in indices),
            )
            for op, indices in groups.items()
        ]
        return sorted(lines, key=lambda line: -line.seconds)

    def __str__(self) -> str:
        lines = self.by_op()
        total = sum(line.seconds for line in lines)
        rows = [("op", "nodes", "calls", "time", "share", "bytes")]
        for line in lines:
            share = f"{100 * line.seconds / total:.1f} %" if total else "-"
            rows.append(
                (
                    line.op,
                    str(line.nodes),
                    str(line.calls),
                    _time(line.seconds),
                    share,
                    str(line.bytes),
                )
            )
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        text = [f"{self.name}: {_time(total)} in {len(self.nodes)} nodes"]
        for row in rows:
            first, *rest = (
                cell.ljust(width) if i == 0 else cell.rjust(width)
                for i, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
            text.append("  ".join([first, *rest]))
        return "\n".join(text)

    __repr__ = __str__

    def _repr_svg_(self) -> str:
        from .picture import bars

        lines = self.by_op()
        return bars(
            f"{self.name}: time by op",
            [(line.op, line.seconds, _time(line.seconds)) for line in lines],
        )


def _time(seconds: float) -> str:
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e9:.0f} ns"
