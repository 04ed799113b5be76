"""Helpers of the child processes: threads that begin together, and a process without the GIL."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable

THREADS, ROUNDS = 8, 300


def at_once(work: Callable[[int], None], threads: int = THREADS) -> None:
    """Runs `work` on threads that begin together; the first failure is raised."""
    failures: list[BaseException] = []
    gate = threading.Barrier(threads)

    def body(index: int) -> None:
        gate.wait()
        try:
            work(index)
        except BaseException as error:  # raised below
            failures.append(error)

    all_threads = [threading.Thread(target=body, args=(index,)) for index in range(threads)]
    for thread in all_threads:
        thread.start()
    for thread in all_threads:
        thread.join()
    if failures:
        raise failures[0]


def without_gil(scenario: Callable[[], None]) -> None:
    """Runs a scenario, during which nothing enables the GIL."""
    assert not sys._is_gil_enabled(), "the GIL is enabled"
    scenario()
    assert not sys._is_gil_enabled(), "the GIL is enabled"
    print("done")
