"""Calls by two threads at once: a tool that holds the GIL makes them one after the other."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

import numpy as np
from measure import Effort
from peers import BASELINE
from rows import matrix, vector
from tables import Table, nanoseconds, ratio

Arguments = tuple[Any, ...]

# A call of each: so short that waiting for the GIL would show, and long enough to release it.
ROWS: tuple[tuple[str, str, Callable[[], Arguments]], ...] = (
    ("total(x), n = 4", "total", lambda: (vector(4),)),
    ("total(x), n = 100,000", "total", lambda: (np.ones(100_000),)),
    ("matvec(a, x), n = 1000", "matvec", lambda: (matrix(1000), vector(1000))),
)

# A sample is long in comparison with the start of a thread, and with a turn of the GIL.
LONGER = 200


def _time(threads: int, call: Callable[..., Any], given: Arguments, count: int) -> float:
    """Seconds until each of these threads has made so many calls."""
    barrier = threading.Barrier(threads + 1)

    def work() -> None:
        barrier.wait()
        for _ in range(count):
            call(*given)

    # Each thread has its own loop, but they have the arguments in common.
    started = [threading.Thread(target=work) for _ in range(threads)]
    for one in started:
        one.start()
    barrier.wait()
    start = time.perf_counter()
    for one in started:
        one.join()
    return time.perf_counter() - start


def _measure(call: Callable[..., Any], given: Arguments, effort: Effort) -> tuple[float, float]:
    """Nanoseconds of a call on one thread, and for each thread if there are two."""
    count, elapsed = 1, 0.0
    while elapsed < 1e-3:
        count *= 4
        elapsed = _time(1, call, given, count)
    count = max(1, round(count * LONGER * effort.sample_ns * 1e-9 / elapsed))
    rounds = [
        (_time(1, call, given, count), _time(2, call, given, count))
        for _ in range(effort.passes * effort.rounds // 8 + 1)
    ]
    one, two = (min(each) for each in zip(*rounds, strict=True))
    return 1e9 * one / count, 1e9 * two / count


def together_table(tools: Mapping[str, ModuleType], effort: Effort) -> Table:
    others = [name for name in tools if name != BASELINE]
    rows = []
    for title, function, make in ROWS:
        given = make()
        times = {
            name: _measure(getattr(module, function), given, effort)
            for name, module in tools.items()
        }
        ratios = (ratio(two / one) for one, two in (times[name] for name in [BASELINE, *others]))
        rows.append([title, nanoseconds(times[BASELINE][0]), *ratios])
    return Table(
        "Two threads that call at once: time over that of one thread which calls as often "
        "(best of all rounds)",
        ["", "by hand, one thread, ns", "by hand", *others],
        rows,
    )
