"""The time of a call: every column in turn, round by round, in one process."""

from __future__ import annotations

import contextlib
import itertools
import random
import time
from collections.abc import Callable
from dataclasses import dataclass

from machine import quiet_interpreter
from rows import Call, Row

# Calls in the body of the loop where one is so short that the loop would count.
UNROLLED = 8
SHORT_NS = 20_000

Loop = Callable[[int], int]


@dataclass(frozen=True)
class Effort:
    """How long to measure a row: rounds of samples of about this length, until the time is over.

    A column whose one call is as long as the row's whole time is measured once. All rows are gone
    several times: if the machine is slow for a while, that spoils one pass of a row and not
    all of it.
    """

    passes: int
    row_seconds: float
    sample_ns: int
    rounds: int


FULL = Effort(passes=5, row_seconds=1.5, sample_ns=500_000, rounds=60)
QUICK = Effort(passes=1, row_seconds=0.05, sample_ns=50_000, rounds=3)


def _compile(call: Call, unrolled: int, clock: Callable[[], int]) -> Loop:
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
    loop, values = made["loop"], call.arguments
    return lambda count: loop(itertools.repeat(None, count), clock, call.function, *values)


@dataclass
class _Column:
    loop: Loop
    count: int
    calls: int
    best_ns: float = float("inf")
    spent_ns: float = 0.0

    def sample(self) -> None:
        elapsed = self.loop(self.count)
        self.spent_ns += elapsed
        self.best_ns = min(self.best_ns, elapsed / self.calls)


def _prepare(call: Call, sample_ns: int, clock: Callable[[], int]) -> _Column:
    once = _compile(call, 1, clock)
    elapsed = min(once(1), once(1))
    if elapsed >= SHORT_NS:
        return _Column(once, 1, 1)
    count = max(1, sample_ns // max(UNROLLED * elapsed, 1))
    return _Column(_compile(call, UNROLLED, clock), count, UNROLLED * count)


def best_times(row: Row, effort: Effort) -> dict[str, float]:
    """By column the nanoseconds of a call, the best of all rounds."""
    shuffle = random.Random(0).shuffle
    quiet = contextlib.nullcontext() if row.threads else quiet_interpreter()
    # One thread's own time excludes other processes on its core.
    clock = time.perf_counter_ns if row.threads else time.thread_time_ns
    with quiet:
        columns = {
            name: _prepare(call, effort.sample_ns, clock) for name, call in row.calls.items()
        }
        order = list(columns)
        # Other processes compete with threads: more rounds find the machine idle.
        seconds = effort.row_seconds * (4 if row.threads else 1)
        share = seconds * 1e9 / len(columns)
        for number in range(effort.rounds):
            # The neighbours vary between rounds.
            shuffle(order)
            for name in order:
                if number < 1 or columns[name].spent_ns < share:
                    columns[name].sample()
    return {name: column.best_ns for name, column in columns.items()}
