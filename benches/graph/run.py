"""Measures calls with one thread and with all, and starts, and writes the comparison."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import contraction
import startup
from build import DEFAULT_OUT
from calls import MEMORY
from contestants import FISHPLATE, HAND, HAND_THREADS, NUMPY
from machine import environment
from measure import FULL, QUICK, Timing
from rows import Row, all_rows
from tables import Table, as_markdown, as_text, ratio

HERE = Path(__file__).resolve().parent
HEADING = """\
# Graphs, beside other tools

Measured with `cargo xtask bench graph`; [how](../../benches/graph/README.md). {environment}."""
STARTUP = "Before there is a result: milliseconds"
VERSIONS = ("fishplate", "numpy", "pytensor", "jax", "numba", "numexpr")
# How tools learn the number of threads; Fishplate, OpenMP and JAX take as many as there are cores.
LIMITS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMEXPR_NUM_THREADS", "NUMBA_NUM_THREADS")

# By title of the row, by column.
Timings = dict[str, dict[str, Timing]]


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


@dataclass(frozen=True)
class Request:
    """A measurement: the rows whose title has `only`, and whether quickly."""

    out: Path
    only: str
    quick: bool

    def timings(self, threads: int) -> Timings:
        """Those of a process with so many threads, on as many cores."""
        command = [sys.executable, "-B", HERE / "calls.py", "--out", self.out]
        command += ["--threads", str(threads), "--only", self.only]
        command += ["--quick"] if self.quick else []
        cores = sorted(os.sched_getaffinity(0))[:threads]
        done = subprocess.run(
            command,
            env={**os.environ, **dict.fromkeys(LIMITS, str(threads))},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
            preexec_fn=lambda: os.sched_setaffinity(0, cores),
        )
        read = json.loads(done.stdout.strip().rpartition("\n")[2])
        return {
            title: {column: Timing(**timing) for column, timing in columns.items()}
            for title, columns in read.items()
        }


def shown_time(ns: float) -> str:
    for unit, size in (("ms", 1e6), ("µs", 1e3)):
        if ns >= size:
            return f"{ns / size:.3g} {unit}"
    return f"{ns:.3g} ns"


def in_words(threads: int) -> str:
    return "one thread" if threads == 1 else f"{threads} threads"


def table_of(timings: Timings, title: str, units: list[str], rows: list[Row]) -> Table:
    """Times over the fastest of the unit columns, which come last; Fishplate's medians too."""
    there = list(dict.fromkeys(column for row in timings.values() for column in row))
    tools = [c for c in there if c not in units and not c.startswith(MEMORY)]
    columns = [*tools, *(unit for unit in units if unit in there)]
    header = ["", *columns, "the unit"]
    place = header.index(FISHPLATE) + 1
    header.insert(place, f"{FISHPLATE} (median)")
    lines = []
    for row in rows:
        times = timings[row.title]
        known = [times[unit] for unit in units if unit in times]
        best, median = min(t.best for t in known), min(t.median for t in known)
        cells = [ratio(times[c].best / best) if c in times else "-" for c in columns]
        line = [row.title, *cells, shown_time(best)]
        line.insert(place, ratio(times[FISHPLATE].median / median))
        lines.append(line)
    return Table(title, header, lines)


def table_of_memory(timings: dict[int, Timings], rows: list[Row]) -> Table:
    """For rows that memory limits: the share of its speed, with each number of threads."""
    header = [""]
    for threads in timings:
        words = in_words(threads)
        header += [f"memory, GB/s, {words}", f"{FISHPLATE}, {words}", f"by hand, {words}"]
    lines = []
    for row in rows:
        assert row.traffic is not None
        line = [row.title]
        for of_threads in timings.values():
            times = of_threads[row.title]
            least = min(t.best for name, t in times.items() if name.startswith(MEMORY))
            hand = min(times[c].best for c in (*HAND, *HAND_THREADS) if c in times)
            shares = [least / times[FISHPLATE].best, least / hand]
            line += [f"{sum(row.traffic) / least:.1f}", *(f"{share:.0%}" for share in shares)]
        lines.append(line)
    return Table("Rows that memory limits: the share of its speed", header, lines)


def tables_of_calls(timings: dict[int, Timings]) -> list[Table]:
    rows = [row for row in all_rows() if row.title in next(iter(timings.values()))]
    cases = [row for row in rows if not row.is_function]
    functions = [row for row in rows if row.is_function]
    tables = []
    for threads, times in timings.items():
        title = f"A call, {in_words(threads)}: time over the best C written by hand"
        if cases:
            tables.append(table_of(times, title, [*HAND, *HAND_THREADS], cases))
        title = f"Functions of 100,000 values, {in_words(threads)}: time over NumPy's"
        if functions and threads == 1:
            tables.append(table_of(times, title, [NUMPY], functions))
    if limited := [row for row in cases if row.traffic]:
        tables.append(table_of_memory(timings, limited))
    return tables


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
    request = Request(chosen.out.resolve(), chosen.only, chosen.quick)
    numbers = sorted({1, len(os.sched_getaffinity(0))})
    tables = tables_of_calls({threads: request.timings(threads) for threads in numbers})
    heading = HEADING.format(environment=described())
    print("\n\n".join([heading, *map(as_text, tables)]), flush=True)
    if not (chosen.calls or chosen.only):
        patience = startup.QUICK if chosen.quick else startup.FULL
        others = [table_of_startup(startup.measure(patience))]
        others.append(contraction.measure(QUICK if chosen.quick else FULL))
        print("\n" + "\n\n".join(map(as_text, others)))
        tables += others
    if chosen.markdown:
        chosen.markdown.write_text("\n\n".join([heading, *map(as_markdown, tables)]) + "\n")


if __name__ == "__main__":
    main()
