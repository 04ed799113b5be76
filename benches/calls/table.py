"""The results as tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from measure import Timing
from peers import BASELINE, Tool
from rows import Row
from tables import Table, nanoseconds, ratio
from verify import Status, Verdict


@dataclass(frozen=True)
class RowResult:
    """One row of the benchmark: by tool, the outcome of the call and its time."""

    row: Row
    verdicts: Mapping[str, Verdict]
    timings: Mapping[str, Timing]


def _cell(result: RowResult, tool: Tool, value: Callable[[Timing], float]) -> str:
    timing = result.timings.get(tool.name)
    return ratio(value(timing)) if timing else str(result.verdicts[tool.name].status)


def _ratio_table(
    title: str,
    results: Iterable[RowResult],
    tools: Sequence[Tool],
    value: Callable[[Timing], float],
) -> Table:
    others = [tool for tool in tools if tool.name != BASELINE]
    rows = [
        [
            result.row.title,
            nanoseconds(result.timings[BASELINE].best_ns),
            *(_cell(result, tool, value) for tool in others),
        ]
        for result in results
    ]
    return Table(title, ["", "by hand, ns", *(tool.name for tool in others)], rows)


def ratio_tables(
    results: Sequence[RowResult], tools: Sequence[Tool], what: str, value: Callable[[Timing], float]
) -> list[Table]:
    """A table for each group of rows: multiples of the time of the hand-written one."""
    groups = list(dict.fromkeys(result.row.group for result in results))
    return [
        _ratio_table(
            f"{group} ({what})", (r for r in results if r.row.group == group), tools, value
        )
        for group in groups
    ]


def cost_table(tools: Sequence[Tool], costs: Mapping[str, Mapping[str, Any]]) -> Table:
    def show(tool: Tool, name: str, form: str, scale: float = 1.0) -> str:
        value = costs[tool.name].get(name)
        return "-" if value is None else format(value * scale, form)

    rows = [
        [
            tool.title,
            str(costs[tool.name].get("version") or ""),
            show(tool, "import_ms", ".2f"),
            show(tool, "seconds", ".1f"),
            show(tool, "bytes", ".0f", 1 / 1024),
            show(tool, "lines", ".0f"),
        ]
        for tool in tools
    ]
    header = ["", "version", "import, ms", "build, s", "size, KiB", "lines"]
    return Table("Other costs of a tool", header, rows)


def notes(results: Iterable[RowResult]) -> list[str]:
    """The reason for each wrong answer, and for each unrequested right one."""
    shown = (Status.WRONG, Status.CRASH, Status.ACCEPTED)
    return [
        f"{name}, {result.row.title}: {verdict.status}: {verdict.detail}"
        for status in shown
        for result in results
        for name, verdict in result.verdicts.items()
        if verdict.status is status
    ]
