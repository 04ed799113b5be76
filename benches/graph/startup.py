"""The cost of a tool before it has a result, each time in a process of its own."""

from __future__ import annotations

import json
import math
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from cold import CACHING, SMALL, TOOLS, arguments, expression
from contestants import FISHPLATE, has_fishplate

HERE = Path(__file__).resolve().parent
IMPORT = "import"
COLD = {SMALL: "small graph", 200: "200 operations", 1000: "1,000", 5000: "5,000", 10_000: "10,000"}
# A second process finds what the first one left in the tool's cache, or the C compiler's library.
CACHED = {ops: f"{COLD[ops]}, cached" for ops in (SMALL, 200, 1000, 5000)}
# Graphs of different lengths that two processes with one cache compile at once.
MANY = "64 graphs of 20 to 83 operations, by 2 processes"
SHARES = [range(20, 52), range(52, 84)]


@dataclass(frozen=True)
class Patience:
    """How often small graphs are built, large ones, and the time limit of a process in seconds."""

    small: int
    large: int
    seconds: int


FULL = Patience(small=4, large=2, seconds=25)
QUICK = Patience(small=1, large=1, seconds=8)

# Seconds, "over ..." if it ran into the time limit, or "-" if the tool cannot.
Cells = dict[str, dict[str, float | str]]


def tools() -> list[str]:
    return [tool for tool in TOOLS if tool != FISHPLATE or has_fishplate()]


def _environment(cache: Path) -> dict[str, str]:
    own = {
        "FISHPLATE_CACHE_DIR": str(cache / "fishplate"),
        "PYTENSOR_FLAGS": f"base_compiledir={cache / 'pytensor'}",
        "NUMBA_CACHE_DIR": str(cache / "numba"),
        "JAX_COMPILATION_CACHE_DIR": str(cache / "jax"),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
        "JAX_ENABLE_X64": "1",
        "JAX_PLATFORMS": "cpu",
    }
    # Installed modules come with bytecode, or it is written at the first import.
    inherited = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return {**inherited, **own}


class Failed(Exception):
    """The tool could not build this graph."""


def _start(tool: str, each: Iterable[int], cache: Path) -> subprocess.Popen[str]:
    """A process that makes graphs of so many operations. Modules may keep bytecode, as when
    installed."""
    command = [sys.executable, str(HERE / "cold.py"), tool, *map(str, each), "--cache", str(cache)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=_environment(cache), stdout=pipe, stderr=pipe, text=True)


def _finish(
    process: subprocess.Popen[str], tool: str, each: Iterable[int], seconds: float
) -> dict[str, float]:
    """The times that the process measured; its result must be NumPy's."""
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        raise
    if process.returncode != 0:
        raise Failed(err.strip().rpartition("\n")[2])
    times: dict[str, float] = json.loads(out.strip().rpartition("\n")[2])
    expected = sum(float(expression(np, ops)(*arguments(ops)).sum()) for ops in each)
    if not math.isclose(times["sum"], expected, rel_tol=1e-9, abs_tol=1e-12):
        raise SystemExit(f"{tool}, {each} operations: {times['sum']} is not {expected}")
    return times


def _run(tool: str, ops: int, cache: Path, seconds: int) -> dict[str, float]:
    return _finish(_start(tool, [ops], cache), tool, [ops], seconds)


@dataclass
class _Results:
    seconds: int
    cells: Cells = field(default_factory=dict)

    def keep(self, title: str, tool: str, seconds: float) -> None:
        row = self.cells.setdefault(title, {})
        before = row.get(tool)
        row[tool] = min(before, seconds) if isinstance(before, float) else seconds

    def give_up(self, title: str, tool: str, why: str) -> None:
        self.cells.setdefault(title, {})[tool] = why

    def gave_up(self, tool: str, ops: int) -> str | None:
        """The error if it failed with this number of operations, or with fewer."""
        smaller = (self.cells.get(COLD[n], {}).get(tool) for n in COLD if n <= ops)
        return next((cell for cell in smaller if isinstance(cell, str)), None)

    def run(self, tool: str, ops: int) -> None:
        if why := self.gave_up(tool, ops):
            self.give_up(COLD[ops], tool, why)
            return
        with tempfile.TemporaryDirectory() as folder:
            try:
                cold = _run(tool, ops, Path(folder), self.seconds)
                self.keep(COLD[ops], tool, cold["first"])
                if ops == SMALL:
                    self.keep(IMPORT, tool, cold["import"])
                if ops in CACHED and tool in CACHING:
                    again = _run(tool, ops, Path(folder), self.seconds)
                    self.keep(CACHED[ops], tool, again["first"])
            except subprocess.TimeoutExpired:
                self.give_up(COLD[ops], tool, f"over {self.seconds} s")
            except Failed as failure:
                print(f"{tool}, {ops} operations: {failure}", file=sys.stderr)
                self.give_up(COLD[ops], tool, "-")

    def run_many(self, tool: str) -> None:
        """Two processes at once; the time of the slower one."""
        with tempfile.TemporaryDirectory() as folder:
            started = [(share, _start(tool, share, Path(folder))) for share in SHARES]
            try:
                done = [_finish(one, tool, share, self.seconds) for share, one in started]
                self.keep(MANY, tool, max(times["first"] for times in done))
            except subprocess.TimeoutExpired:
                self.give_up(MANY, tool, f"over {self.seconds} s")
            except Failed as failure:
                print(f"{tool}, many graphs: {failure}", file=sys.stderr)
                self.give_up(MANY, tool, "-")
            finally:
                for _, one in started:
                    one.kill()
                    one.wait()


def _plan(patience: Patience) -> Iterator[tuple[str, int]]:
    shuffle = random.Random(0).shuffle
    for ops in COLD:
        for _ in range(patience.small if ops <= 200 else patience.large):
            order = tools()
            shuffle(order)
            yield from ((tool, ops) for tool in order)


def measure(patience: Patience) -> Cells:
    results = _Results(patience.seconds)
    for tool, ops in _plan(patience):
        if sys.stderr.isatty():
            print(f"\r{tool}, {ops} operations{'':<30}", end="", file=sys.stderr)
        results.run(tool, ops)
    for _ in range(patience.large):
        for tool in tools():
            if not isinstance(results.cells.get(MANY, {}).get(tool), str):
                results.run_many(tool)
    order = [IMPORT, *COLD.values(), *CACHED.values(), MANY]
    return {title: results.cells[title] for title in order if title in results.cells}
