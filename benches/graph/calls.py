"""The time of a call in every row, by a process that has one number of threads from its start.

It prints the rows as JSON, after each column returned NumPy's result. `run.py` starts it, with the
variables by which tools learn how many threads they may have.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from build import DEFAULT_OUT
from contestants import NUMPY, Find, arguments_for, load
from measure import FULL, QUICK, Call, Effort, Timing, samples_of
from rows import Row, all_rows

# By title of the row, by column.
Samples = dict[str, dict[str, list[float]]]
# The column of the memory alone.
MEMORY = "memory"


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
            reason = str(error).partition("\n")[0]
            print(f"{row.title}: {column} cannot: {reason}", file=sys.stderr)
            continue
        if result.shape != np.shape(right) or not np.allclose(result, right, rtol=row.rtol):
            raise SystemExit(f"{row.title}: {column} gives something else")
        calls[column] = call
    return calls


def streams(row: Row, threads: int) -> dict[str, Call]:
    """The time in which the machine's memory moves as many bytes, by stores of either kind."""
    if row.traffic is None:
        return {}
    module = importlib.import_module("hand_threads" if threads > 1 else "hand_vector")
    read, written = row.traffic
    return {
        f"{MEMORY}{past}": Call(module.stream, (read, written, past))
        for past in ((False, True) if written else (False,))
    }


def measure(tools: dict[str, Find], effort: Effort, threads: int, only: str) -> Samples:
    """The samples of all passes. The arguments are made anew for each."""
    found: Samples = {}
    for number in range(effort.passes):
        for row in all_rows():
            if only not in row.title:
                continue
            if sys.stderr.isatty():
                print(f"\r{number + 1}: {row.title:<60}", end="", file=sys.stderr)
            calls = calls_of(row, tools) | streams(row, threads)
            kept = found.setdefault(row.title, {})
            for column, samples in samples_of(calls, effort).items():
                kept.setdefault(column, []).extend(samples)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=DEFAULT_OUT, help="where build.py built")
    parser.add_argument("--threads", type=int, default=1, help="how many threads tools have")
    parser.add_argument("--only", metavar="TEXT", default="", help="the rows whose title has this")
    parser.add_argument("--quick", action="store_true", help="a smoke run: few, short rounds")
    chosen = parser.parse_args()
    tools = load(chosen.out.resolve(), chosen.threads)
    effort = QUICK if chosen.quick else FULL
    samples = measure(tools, effort, chosen.threads, chosen.only)
    timings = {
        title: {column: vars(Timing.of(each)) for column, each in columns.items()}
        for title, columns in samples.items()
    }
    print(json.dumps(timings))


if __name__ == "__main__":
    main()
