"""Every API call fails in turn in calls with callbacks, also while C calls back."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from arming import Faults, failing


def square(x: float) -> float:
    return x * x


def wrong(x: float) -> str:
    return "wrong"


def row(values: list[str | None], names: list[str | None]) -> None:
    pass


def decay(t: float, y: np.ndarray) -> list[float]:
    return [-value for value in y]


def keep(t: float, y: np.ndarray) -> Any:
    kept.append(y)
    return y


def change(a: np.ndarray, k: int) -> None:
    a[0] = k


def parts(a: int, b: int, x: float) -> tuple[int, float, int]:
    return a % b, x, a // b


def order(a: float, b: float) -> int:
    return (a > b) - (a < b)


def word(text: str, raw: bytes) -> int:
    return len(raw)


def heard(source: Any, what: int) -> None:
    pass


def answer(context: Any, tokens: tuple[Any, ...]) -> None:
    context.answer(sum(token.value() for token in tokens))


kept: list[Any] = []
FUNCTIONS = [square, wrong, row, decay, keep, change, parts, order, word, heard, answer]


def calls(c: Any) -> list[Callable[[], Any]]:
    """One call for each way; its result is dropped."""

    def listen() -> None:
        with c.Source() as source:
            source.listen(heard)
            source.tell(1)
            source.listen(heard)
            source.listen(None)

    def watch() -> None:
        c.watch(abs)
        c.show(-1)
        c.unwatch()

    def emit() -> None:
        with c.Bus() as bus:
            bus.on("a", 1, answer)
            bus.on("b", 1, answer)
            bus.emit("a", 1, 1.0)
            bus.on("a", 1, answer)
            bus.on("b", 1)

    def make() -> None:
        c.bus_with("a", answer).close()
        c.bus_open("a", answer).close()

    return [
        lambda: c.integrate(square, 0.0, 1.0, 3),
        lambda: c.integrate(wrong, 0.0, 1.0, 3),
        lambda: c.integrate(3, 0.0, 1.0, 3),
        lambda: c.root(square, 0.0, 1.0),
        lambda: c.rows(2, row),
        lambda: c.ode(2, decay, np.ones(2)),
        lambda: c.ode(2, keep, np.ones(2)),
        lambda: c.scale(change, np.ones((2, 3), order="F")),
        lambda: c.divide(parts, 7, 2),
        lambda: c.sort(np.array([2.0, 1.0]), order),
        lambda: c.spell(word),
        lambda: c.minimize(square, square, 1.0),
        lambda: c.either(square, 0.0, 1.0),
        lambda: c.ask_inline(answer, 1.0),
        listen,
        watch,
        emit,
        make,
    ]


def counts(callbacks: Any) -> list[int]:
    """The references to the functions, when no call retains one."""
    callbacks.unwatch()
    kept.clear()
    gc.collect()
    return [sys.getrefcount(function) for function in FUNCTIONS]


def main() -> None:
    sys.path[:0] = sys.argv[1:]
    import callbacks  # type: ignore[import-not-found]

    faults = Faults(callbacks.__file__)
    sys.unraisablehook = lambda info: None
    failures = 0
    for call in calls(callbacks):
        list(failing(call))
        before = counts(callbacks)
        for _, got, fired in failing(call, faults):
            failures += isinstance(got, (MemoryError, RuntimeError, TypeError))
            del got
            assert counts(callbacks) == before, (before, fired)
    assert failures > 50, failures
    print("done")


if __name__ == "__main__":
    main()
