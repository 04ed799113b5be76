"""Child process: threads share objects, callbacks, lists and a module, without the GIL.

Argument: the name of a scenario. The module `shared` is on the path. Prints `done`.
"""

from __future__ import annotations

import contextlib
import gc
import importlib.util
import random
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import shared
from together import ROUNDS, THREADS, at_once, without_gil


def until_closed(call: Callable[[], object]) -> int:
    """Calls until the object is closed; how often that was possible."""
    count = 0
    try:
        while True:
            call()
            count += 1
    except ValueError as error:
        assert str(error).endswith("this Box is closed"), error
    return count


def counting() -> None:
    box = shared.Box()
    seen: list[int] = []

    def work(index: int) -> None:
        own = [box.next() for _ in range(ROUNDS)]
        assert own == sorted(own)
        seen.extend(own)

    at_once(work)
    assert sorted(seen) == list(range(1, THREADS * ROUNDS + 1))


def closing() -> None:
    """One thread closes what the others use; the object is released once, after the last call."""
    for round_ in range(ROUNDS):
        box = shared.Box()

        def work(index: int, box: shared.Box = box, round_: int = round_) -> None:
            if index < 2:
                for _ in range(round_ % 50):
                    pass
                box.close()
            else:
                until_closed(box.next)
            assert box.closed and repr(box) == "<closed shared.Box>"

        at_once(work, 4)
        assert shared.alive() == 0, shared.alive()


def parts() -> None:
    """Objects that refer to a shared one begin and end on all threads, until one closes it."""
    for _ in range(ROUNDS // 10):
        box = shared.Box()

        def work(index: int, box: shared.Box = box) -> None:
            kept = []
            for _ in range(20):
                try:
                    kept.append(box.part())
                except ValueError:
                    break
                kept[-1].part().next()
                random.choice(kept).next()
                del kept[: random.randrange(3)]
            if index == 0:
                box.close()

        at_once(work)
        del box, work
    gc.collect()
    assert shared.alive() == 0, shared.alive()


def discard(shelf: shared.Shelf, jar: shared.Jar) -> None:
    """Discards a jar, which is refused while another thread is in a call with it."""
    while True:
        with contextlib.suppress(RuntimeError):
            return shelf.discard(jar)


def discarding() -> None:
    """C destroys an object that other threads use, each by an object of its own."""
    for _ in range(ROUNDS // 10):
        shelf = shared.Shelf()
        for slot in range(4):
            shelf.add(slot)

        def work(index: int, shelf: shared.Shelf = shelf) -> None:
            for jar in filter(None, map(shelf.jar, range(4))):
                with contextlib.suppress(ValueError):  # another thread has discarded it
                    if index < 2:
                        discard(shelf, jar)
                    else:
                        for _ in range(20):
                            jar.take()

        at_once(work, 4)
        assert shared.jars() == 0, shared.jars()


def listening() -> None:
    """A callback is replaced while others call it."""
    box = shared.Box()

    def work(index: int) -> None:
        for round_ in range(ROUNDS):
            box.listen(lambda value, index=index: value + index)
            assert round_ <= box.hear(round_) < round_ + THREADS

    at_once(work)


def lists() -> None:
    """A list is read while others change it: each result is an element of some moment."""
    values = [1.0] * 100
    rows = [[1.0] * 10 for _ in range(10)]

    def work(index: int) -> None:
        for round_ in range(ROUNDS):
            if index % 2:
                values[:] = [float(round_ % 7)] * (50 + round_ % 50)
                rows[round_ % 10] = [float(round_)] * 10
                values.append(1e5 + round_)
                values.pop()
            else:
                assert shared.total(values) >= 0
                # NumPy refuses a list that it sees change.
                with contextlib.suppress(RuntimeError):
                    shared.each(values)
                shared.each(rows)

    at_once(work)


def results() -> None:
    """Arrays that functions return are those of one caller, also if they were used before."""

    def work(index: int) -> None:
        kept: list[tuple[float, Any]] = []
        for round_ in range(ROUNDS):
            start = float(index * ROUNDS + round_)
            kept.append((start, shared.ramp(5, start)))
            kept.append((start, shared.filled(start, n=5)))
            del kept[: random.randrange(4)]
            assert all(list(y) == [own + k for k in range(5)] for own, y in kept)

    at_once(work)


def matrices() -> None:
    """A sparse matrix whose parts others replace: a result is that of some moment, or an error."""
    parts = [np.array([0, 2, 3]), np.array([0, 1, 1]), np.array([1.0, 2.0, 3.0])]
    matrix = SimpleNamespace(format="csr", shape=(2, 2))
    matrix.indptr, matrix.indices, matrix.data = parts

    def work(index: int) -> None:
        for round_ in range(ROUNDS):
            if index % 2:
                matrix.data = parts[2] * (round_ % 3 + 1)
                matrix.indices = parts[1].copy()
                matrix.indptr = np.array([0, round_ % 3, 3])
            else:
                assert sum(shared.row_sums(matrix)) in (6, 12, 18)

    at_once(work)


def explaining() -> None:
    def work(index: int) -> None:
        own = [float(index)] * (index + 1)
        for _ in range(10 * ROUNDS):
            assert "calls  double total" in shared.explain.total(own)
            assert shared.total(own) == index * (index + 1)

    at_once(work)


def loading() -> None:
    """The module is loaded on all threads at once, and again while it is used."""
    spec = importlib.util.find_spec("shared")
    assert spec is not None and spec.loader is not None
    box = shared.Box()

    def work(index: int) -> None:
        for _ in range(ROUNDS // 10):
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            assert module.Box is shared.Box
            assert module.total([1.0, 2.0], **{}) == shared.total(x=[3.0])
            box.next()

    at_once(work)


if __name__ == "__main__":
    without_gil(globals()[sys.argv[1]])
