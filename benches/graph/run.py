"""Times every row, after all columns returned NumPy's results, and writes the comparison."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

import contraction
import numpy as np
import startup
from build import DEFAULT_OUT
from contestants import HAND, NUMPY, Find, arguments_for, load
from machine import environment
from measure import FULL, QUICK, Call, Effort, best_times
from rows import Row, all_rows
from tables import Table, as_markdown, as_text, ratio

# By title of the row, by column nanoseconds.
Times = dict[str, dict[str, float]]

HEADING = """\
# Graphs, beside other tools

Measured with `cargo xtask bench graph`; [how](../../benches/graph/README.md). {environment}."""
CALLS = "A call: time over the best C written by hand"
STARTUP = "Before there is a result: milliseconds"
VERSIONS = ("fishplate", "numpy", "pytensor", "jax", "numba", "numexpr")


def described() -> str:
    e = environment()
    versions = []
    for name in VERSIONS:
        try:
            versions.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            continue
    machine = f"{e['cpu']}, {e['cores']} cores, {e['system']}, Python {e['python']}"
    return f"{machine}, {', '.join(versions)}"


def calls_of(row: Row, tools: dict[str, Find]) -> dict[str, Call]:
    """The columns that support a row, each checked against NumPy; a wrong answer ends the run."""
    expected = tools[NUMPY](row.case)
    assert expected is not None
    right = expected(*row.arguments)
    calls = {}
    for column, find in tools.items():
        try:
            function: Callable[..., Any] | None = find(row.case)
            if function is None:
                continue
            call = Call(function, arguments_for(column, row.arguments))
            result = np.asarray(call.function(*call.arguments))
        except Exception as error:
            print(f"{row.title}: {column} cannot: {error!r}", file=sys.stderr)
            continue
        if result.shape != np.shape(right) or not np.allclose(result, right, rtol=row.rtol):
            raise SystemExit(f"{row.title}: {column} gives something else")
        calls[column] = call
    return calls


def measure_calls(tools: dict[str, Find], effort: Effort, only: str) -> Times:
    """The best of all passes. The arguments are made anew for each."""
    best: Times = {}
    for number in range(effort.passes):
        for row in all_rows():
            if only not in row.title:
                continue
            if sys.stderr.isatty():
                print(f"\r{number + 1}: {row.title:<60}", end="", file=sys.stderr)
            times = best_times(calls_of(row, tools), effort)
            before = best.setdefault(row.title, times)
            best[row.title] = {column: min(t, before[column]) for column, t in times.items()}
    return best


def shown_time(ns: float) -> str:
    for unit, size in (("ms", 1e6), ("µs", 1e3)):
        if ns >= size:
            return f"{ns / size:.3g} {unit}"
    return f"{ns:.3g} ns"


def table_of_calls(best: Times, tools: dict[str, Find]) -> Table:
    """Fishplate first, the variants by hand last; the fastest of these is the unit."""
    columns = [*(c for c in tools if c not in HAND), *(c for c in HAND if c in tools)]
    lines = []
    for title, times in best.items():
        unit = min(times[column] for column in HAND if column in times)
        cells = [ratio(times[c] / unit) if c in times else "-" for c in columns]
        lines.append([title, *cells, shown_time(unit)])
    return Table(CALLS, ["", *columns, "the unit"], lines)


def table_of_startup(cells: startup.Cells) -> Table:
    columns = startup.tools()

    def shown(cell: float | str | None) -> str:
        if not isinstance(cell, float):
            return cell or "-"
        ms = cell * 1e3
        return f"{ms:.1f}" if ms < 100 else f"{ms:,.0f}"

    lines = [[title, *(shown(row.get(c)) for c in columns)] for title, row in cells.items()]
    return Table(STARTUP, ["", *columns], lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=DEFAULT_OUT, help="where build.py built")
    parser.add_argument("--only", metavar="TEXT", default="", help="the rows whose title has this")
    parser.add_argument("--calls", action="store_true", help="leave out what needs new processes")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the tables")
    parser.add_argument("--quick", action="store_true", help="a smoke run: few, short rounds")
    chosen = parser.parse_args()
    tools = load(chosen.out.resolve())
    best = measure_calls(tools, QUICK if chosen.quick else FULL, chosen.only)
    heading = HEADING.format(environment=described())
    tables = [table_of_calls(best, tools)]
    print("\n\n".join([heading, as_text(tables[0])]), flush=True)
    if not (chosen.calls or chosen.only):
        patience = startup.QUICK if chosen.quick else startup.FULL
        tables.append(table_of_startup(startup.measure(patience)))
        tables.append(contraction.measure(QUICK if chosen.quick else FULL))
        print("\n" + "\n\n".join(map(as_text, tables[1:])))
    if chosen.markdown:
        chosen.markdown.write_text("\n\n".join([heading, *map(as_markdown, tables)]) + "\n")


if __name__ == "__main__":
    main()
