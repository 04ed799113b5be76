"""The time of a call: every column in turn, round by round, in one process.

Some tools use several threads, so elapsed time is measured, on all cores.
"""

from __future__ import annotations

import gc
import itertools
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

# Calls in the body of the loop where one is so short that the loop would count.
UNROLLED = 8
SHORT_NS = 20_000


@dataclass(frozen=True)
class Effort:
    """How long to measure: all rows are gone through several times, each in rounds of samples of
    about this length, until every column has had its share of the row's time."""

    passes: int
    row_seconds: float
    sample_ns: int
    rounds: int


FULL = Effort(passes=3, row_seconds=1.2, sample_ns=300_000, rounds=400)
QUICK = Effort(passes=1, row_seconds=0.1, sample_ns=50_000, rounds=3)


@dataclass(frozen=True)
class Call:
    function: Callable[..., Any]
    arguments: tuple[Any, ...]


def _compile(call: Call, unrolled: int) -> Callable[[int], int]:
    """The timed loop, with function and arguments as locals, compiled anew for each column: the
    interpreter specialises a call to its function."""
    names = [f"a{i}" for i in range(len(call.arguments))]
    body = f"        f({', '.join(names)})\n" * unrolled
    source = (
        f"def loop(times, clock, {', '.join(['f', *names])}):\n    start = clock()\n"
        f"    for _ in times:\n{body}    return clock() - start\n"
    )
    made: dict[str, Callable[..., int]] = {}
    exec(source, made)
    loop, clock = made["loop"], time.perf_counter_ns
    return lambda count: loop(itertools.repeat(None, count), clock, call.function, *call.arguments)


@dataclass
class _Column:
    loop: Callable[[int], int]
    count: int
    calls: int
    best_ns: float = float("inf")
    spent_ns: float = 0.0

    def sample(self) -> None:
        elapsed = self.loop(self.count)
        self.spent_ns += elapsed
        self.best_ns = min(self.best_ns, elapsed / self.calls)


def _prepare(call: Call, sample_ns: int) -> _Column:
    once = _compile(call, 1)
    short = min(once(1), once(1)) < SHORT_NS
    loop, unrolled = (_compile(call, UNROLLED), UNROLLED) if short else (once, 1)
    # The first calls are slower than those that count.
    count = 1
    while (elapsed := loop(count)) < sample_ns // 4:
        count *= 4
    count = max(1, round(count * sample_ns / elapsed))
    return _Column(loop, count, unrolled * count)


def best_times(calls: dict[str, Call], effort: Effort) -> dict[str, float]:
    """By column the nanoseconds of a call, the best of all rounds."""
    shuffle = random.Random(0).shuffle
    gc.collect()
    gc.disable()
    try:
        columns = {name: _prepare(call, effort.sample_ns) for name, call in calls.items()}
        order = list(columns)
        share = effort.row_seconds * 1e9 / len(columns)
        for number in range(effort.rounds):
            # The neighbours vary between rounds.
            shuffle(order)
            for name in order:
                if number < 1 or columns[name].spent_ns < share:
                    columns[name].sample()
    finally:
        gc.enable()
    return {name: column.best_ns for name, column in columns.items()}
