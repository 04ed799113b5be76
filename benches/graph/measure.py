"""The time of a call: every column in turn, round by round, in one process.

Elapsed time is measured, since some tools use several threads. Each column has as many samples as
any other: the fastest of more samples would be faster.
"""

from __future__ import annotations

import gc
import itertools
import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

# Calls in the body of the loop where one is so short that the loop would count.
UNROLLED = 8
SHORT_NS = 20_000


@dataclass(frozen=True)
class Effort:
    """How long to measure: all rows are gone through several times, each in rounds of one sample of
    about this length for each column, until the row's time is spent; at least `least` rounds."""

    passes: int
    row_seconds: float
    sample_ns: int
    rounds: int
    least: int


FULL = Effort(passes=3, row_seconds=1.2, sample_ns=300_000, rounds=400, least=7)
QUICK = Effort(passes=1, row_seconds=0.1, sample_ns=50_000, rounds=3, least=1)


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
    samples: list[float] = field(default_factory=list)

    def sample(self) -> int:
        """Takes a sample; the nanoseconds that it took."""
        elapsed = self.loop(self.count)
        self.samples.append(elapsed / self.calls)
        return elapsed


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


def samples_of(calls: dict[str, Call], effort: Effort) -> dict[str, list[float]]:
    """By column the nanoseconds of a call, in each round."""
    shuffle = random.Random(0).shuffle
    gc.collect()
    gc.disable()
    try:
        columns = {name: _prepare(call, effort.sample_ns) for name, call in calls.items()}
        order = list(columns)
        spent = 0
        for number in range(effort.rounds):
            if number >= effort.least and spent > effort.row_seconds * 1e9:
                break
            # The neighbours vary between rounds.
            shuffle(order)
            spent += sum(columns[name].sample() for name in order)
    finally:
        gc.enable()
    return {name: column.samples for name, column in columns.items()}


@dataclass(frozen=True)
class Timing:
    """The fastest sample and the median of all, in nanoseconds."""

    best: float
    median: float

    @classmethod
    def of(cls, samples: list[float]) -> Timing:
        return cls(min(samples), statistics.median(samples))
