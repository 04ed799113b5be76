"""Times every row, after all columns returned the same, and writes the comparison."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np
from machine import machine
from measure import FULL, QUICK, Effort, best_times
from peers import DEFAULT_OUT, load
from rows import Row, all_rows
from tables import Table, as_markdown, as_page, as_text, nanoseconds, ratio

HEADING = (
    "{machine}; the best of all rounds. Every table's second column is its unit, the others are "
    "times over it: smaller is faster."
)


def verify(row: Row) -> None:
    """Stops where a column's result differs from the first one's."""
    names = list(row.calls) if row.compared else []
    results = [row.calls[name].function(*row.calls[name].arguments) for name in names]
    for name, result in zip(names, results, strict=True):
        if not np.allclose(result, results[0], rtol=1e-12):
            raise SystemExit(f"{row.group}, {row.title}: {name} gives something else")


def measure(
    rows: Callable[[], Iterable[Row]], effort: Effort
) -> list[tuple[str, str, dict[str, float]]]:
    """By group and title the best of all passes. The rows are made anew for each."""
    best: dict[tuple[str, str], dict[str, float]] = {}
    for number in range(effort.passes):
        for row in rows():
            if number == 0:
                verify(row)
            if sys.stderr.isatty():
                print(f"\r{number + 1}: {row.group}: {row.title:<50}", end="", file=sys.stderr)
            times = best_times(row, effort)
            before = best.setdefault((row.group, row.title), times)
            best[row.group, row.title] = {n: min(t, before[n]) for n, t in times.items()}
    return [(group, title, times) for (group, title), times in best.items()]


def tables(results: list[tuple[str, str, dict[str, float]]]) -> list[Table]:
    made = []
    for group in dict.fromkeys(group for group, _, _ in results):
        rows = [(title, times) for own, title, times in results if own == group]
        columns = list(dict.fromkeys(name for _, times in rows for name in times))
        unit = columns[0]
        lines = [
            [
                title,
                nanoseconds(times[unit]),
                *(ratio(times[c] / times[unit]) if c in times else "-" for c in columns[1:]),
            ]
            for title, times in rows
        ]
        made.append(Table(group, ["", f"{unit}, ns", *columns[1:]], lines))
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=DEFAULT_OUT, help="where build.py built")
    parser.add_argument(
        "--fishplate", type=Path, required=True, metavar="DIR", help="the folder of its module"
    )
    parser.add_argument("--only", metavar="TEXT", help="the rows whose group or title has this")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the tables")
    parser.add_argument("--quick", action="store_true", help="a smoke run: few, short rounds")
    chosen = parser.parse_args()
    tools = load(chosen.out.resolve(), chosen.fishplate.resolve())

    def rows() -> Iterator[Row]:
        wanted = chosen.only or ""
        return (row for row in all_rows(tools) if wanted in f"{row.group} {row.title}")

    made = tables(measure(rows, QUICK if chosen.quick else FULL))
    heading = HEADING.format(machine=machine())
    print("\n\n".join([heading, *map(as_text, made)]))
    if chosen.markdown:
        page = as_page("Kernels over many items", heading, *map(as_markdown, made))
        chosen.markdown.write_text(page)


if __name__ == "__main__":
    main()
