"""Child process: many calls over every language boundary, which must leak nothing.

Argument: the number of calls; `borders` and `thrown` are on the path. Prints what has grown.
"""

from __future__ import annotations

import ctypes
import gc
import sys
import time
import warnings
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import borders as m
import numpy as np
import thrown as t

# The latest views of C's memory; each new one replaces the oldest.
kept: deque[Any] = deque(maxlen=16)
data, text = bytes(range(50)), "naïve " * 5
array = np.arange(50.0)
point = m.Point(1, 2, 3)
points = [data, text, array, point]


def refused(function: Callable[..., object], *arguments: object) -> None:
    try:
        function(*arguments)
    except Exception:
        return
    raise AssertionError(f"{function}{arguments} was not refused")


def doubled(x: float) -> float:
    return 2 * x


def broken(x: float) -> float:
    raise KeyError(x)


def counted(x: np.ndarray) -> int:
    return x.size


def heard(value: int) -> None:
    pass


points += [doubled, broken, counted, heard]


def handles() -> int:
    """Each of these makes calls, and returns their number."""
    counter = m.Counter(1)
    counter.next()
    counter.next()
    part = counter.part()
    part.next()
    kept.append(part.values())
    assert counter.name() == "grün"
    counter.listen(heard)
    counter.tell()
    counter.listen(doubled)
    counter.close()
    # It exists until its parts are gone, and cannot be called.
    refused(counter.next)
    refused(m.Counter, -1)
    with m.Counter(0) as other:
        refused(other.name)
    return 16


def texts() -> int:
    assert m.length(text) == 35
    assert m.twice(text) == text + text
    assert m.greet("you") == "hello you"
    assert len(m.reversed(data)) == 50
    refused(m.length, "a\0b")
    refused(m.length, 3)
    return 6


def memory() -> int:
    x = m.range(40)
    kept.append(x[::2])
    kept.append(t.range(10))
    m.range(0)
    assert m.total(x) == 780 and m.total(array) == 1225 and m.total([1, 2]) == 3
    assert m.describe(0) == "whywhy"
    refused(m.describe, 2)
    return 8


def values() -> int:
    assert m.add(point, m.Point(1)).x == 2
    assert m.moved(point, 1.5).x == 2.5
    assert m.turned(m.Color.BLUE) is m.Color.RED
    assert m.turned(m.Color.RED) == 2
    refused(m.turned, 3)
    refused(m.add, point, 3)
    return 7


def statuses() -> int:
    m.check(0)
    m.check(1)
    refused(m.check, 2)
    refused(m.check, 3)
    refused(m.check, 4)
    return 5


def callbacks() -> int:
    assert m.apply(doubled, 3.0) == 12
    assert t.apply(doubled, 3.0) == 46
    assert m.visit(array, counted) == 100
    refused(m.apply, broken, 1.0)
    refused(t.apply, broken, 1.0)
    refused(m.apply, 3, 1.0)
    return 10


def exceptions() -> int:
    for what in range(4):
        refused(t.fail, what)
    refused(t.Box, 1)
    box = t.Box(5)
    assert box.look() == t.fail(5) == 5
    box.close()
    t.Box(6)
    assert t.twice("ab") == "abab"
    return 11


PARTS = [handles, texts, memory, values, statuses, callbacks, exceptions]


def turns(calls: int) -> int:
    """At least as many calls; their number."""
    made = 0
    while made < calls:
        for part in PARTS:
            made += part()
    return made


class Heap(ctypes.Structure):
    """glibc's `struct mallinfo2`."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in (
            *("arena", "ordblks", "smblks", "hblks", "hblkhd"),
            *("usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"),
        )
    ]


def measured() -> dict[str, int]:
    """The amounts in use now."""
    gc.collect()
    resident = int(Path("/proc/self/statm").read_text().split()[1]) * 4096
    libc = ctypes.CDLL(None)
    libc.mallinfo2.restype = Heap
    heap = libc.mallinfo2()
    return {
        "resident bytes": resident,
        "bytes of C's heap": heap.uordblks + heap.hblkhd,
        "Python's blocks": sys.getallocatedblocks(),
        "references": sum(map(sys.getrefcount, points)) + sys.getrefcount(None),
        "objects of C": m.alive() + t.alive(),
    }


def main() -> None:
    calls = int(sys.argv[1])
    warnings.simplefilter("ignore")
    # Exceptions of destructors are reported there.
    sys.unraisablehook = lambda unraisable: None
    turns(max(20_000, calls // 20))
    before, start = measured(), time.perf_counter()
    made = turns(calls)
    seconds = time.perf_counter() - start
    grown = {what: now - before[what] for what, now in measured().items()}
    growth = ", ".join(f"{count:+} {what}" for what, count in grown.items())
    print(f"{made} calls in {seconds:.1f} s: {growth}")
    # Memory in use is exact to the byte; the number of pages varies a little.
    assert grown["objects of C"] == 0
    assert abs(grown["references"]) < 20
    assert grown["bytes of C's heap"] < 64 << 10
    assert grown["Python's blocks"] < 100
    assert grown["resident bytes"] < 1 << 20


if __name__ == "__main__":
    main()
