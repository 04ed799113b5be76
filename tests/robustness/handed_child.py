"""Every API call fails in turn in calls with strings, bytes and C-allocated memory."""

from __future__ import annotations

import ctypes
import gc
import sys
from collections.abc import Callable
from typing import Any

import numpy as np


def strided(count: int) -> np.ndarray:
    return np.arange(2.0 * count)[::2]


def calls(texts: Any, handed: Any) -> list[Callable[[], Any]]:
    """One call for each way; its result is dropped."""
    return [
        lambda: texts.length("äöü"),
        lambda: texts.greet("you"),
        lambda: texts.total(bytearray(b"abc")),
        lambda: texts.mirrored(b"abc"),
        lambda: texts.mirror(bytearray(b"abc")),
        lambda: texts.pack(b"aaab"),
        lambda: texts.upto(10, 3.5),
        lambda: texts.upto_alone(6, 2, y=np.zeros(6)),
        lambda: texts.rows_fortran(3, 2),
        lambda: texts.words("a new word"),
        lambda: texts.scaled([1.0, 2.0], "k"),
        lambda: texts.chosen("2.5"),
        lambda: handed.joined("a", "b"),
        lambda: handed.range(3),
        lambda: handed.primes(),
        lambda: handed.tail(np.arange(3.0), 1),
        lambda: handed.tail_of_any(strided(3), 1),
        lambda: handed.tail_of_any(strided(300), 1),
        lambda: handed.larger([1.0, 2.0], [1.0]),
        lambda: handed.raw(b"abc"),
        lambda: handed.look(b"abc", 1),
        lambda: handed.look(bytearray(b"abc"), 1),
        lambda: handed.describe(0),
        lambda: handed.split([1, -2]),
        lambda: handed.split_high([1, -2]),
        lambda: handed.Box(3).data(),
    ]


def main() -> None:
    sys.path[:0] = sys.argv[1:]
    import handed  # type: ignore[import-not-found]
    import texts  # type: ignore[import-not-found]

    libraries = [ctypes.PyDLL(module.__file__) for module in (texts, handed)]
    for library in libraries:
        library.fault_fired.restype = ctypes.c_char_p
    failures = 0
    for call in calls(texts, handed):
        call()
        for nth in range(1, 1000):
            for library in libraries:
                library.fault_arm(nth)
            try:
                call()
            except MemoryError:
                failures += 1
            fired = [library.fault_fired() for library in libraries]
            for library in libraries:
                library.fault_arm(0)
            gc.collect()
            assert handed.alive() == 0, "memory of C's is left"
            if not any(fired):
                break
        else:
            raise AssertionError("a call fails forever")
    assert failures > 50, failures
    print("done")


if __name__ == "__main__":
    main()
