"""Child process: threads call linked graphs and replace shared variables, without the GIL.

Arguments: the name of a scenario, and the entry of graphs, built as a module of its own: PyO3, of
which the rest of the package is made, supports this Python from 3.14 on. Prints `done`.
"""

from __future__ import annotations

import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
from together import ROUNDS, THREADS, at_once, without_gil

sys.path.append(str(Path(__file__).resolve().parents[1] / "graph_runtime"))

from kernels import Linker, load_entry, map_text  # noqa: E402

LENGTHS = 50


def calling(linker: Linker) -> None:
    """One function, its temporaries and its errors, on all threads; one thread frees its memory."""
    text = map_text([("float64", "a * b + 1")], [("float64", 1)] * 2, 1)
    arguments = [("x", "float64", (None,)), ("y", "float64", (None,))]
    f = linker.link(text, arguments, [("float64", 1, None)])

    def work(index: int) -> None:
        a = np.arange(index + 2.0)
        rows = [list(a), a, a.astype("float32"), np.repeat(a, 2)[::2]]
        for round_ in range(ROUNDS):
            assert f(rows[round_ % 4], y=a).tolist() == (a * a + 1).tolist()
            try:
                f(a, np.ones(index + 3))
            except Exception as error:
                assert type(error).__name__ == "Failed", error
                assert [shape for shape, _ in error.inputs] == [(index + 2,), (index + 3,)]
            else:
                raise AssertionError("shapes that do not broadcast")
            if index == 0:
                f.free()

    at_once(work)


def replacing(linker: Linker) -> None:
    """A cell's array is replaced by others of any size while it is read: results are of one."""
    cell = linker.entry.Cell(np.zeros(1))
    shared = [(cell, "float64", (None,))]
    double = map_text([("float64", "a * 2")], [("float64", 1)], 1)
    increase = map_text([("float64", "a + 1")], [("float64", 1)], 1)
    read = linker.link(double, shared, [("float64", 1, None)], name="read")
    update = linker.link(increase, shared, [("float64", 1, cell)], name="update", listed=True)

    def work(index: int) -> None:
        for round_ in range(ROUNDS):
            if index == 0:
                cell.value = np.full(round_ % LENGTHS + 1, float(round_))
            elif index == 1:
                assert update() == []
            elif index == 2:
                values = [cell.value, *cell.__reduce__()[1]]
                assert all(1 <= len(value) <= LENGTHS for value in values), repr(cell)
                assert all(len(set(value)) == 1 for value in values)
            else:
                twice = read()
                assert 1 <= len(twice) <= LENGTHS and len(set(twice)) == 1

    at_once(work)


def racing(linker: Linker) -> None:
    """Values are released when they are replaced, while other threads begin to refer to them."""
    cell = linker.entry.Cell([0.5])

    def work(index: int) -> None:
        if index % 2:
            for round_ in range(200 * ROUNDS):
                cell.value = [round_ + 0.5]
        else:
            for _ in range(200 * ROUNDS):
                (value,) = cell.value
                assert type(value) is float and value % 1 == 0.5, value

    at_once(work)


def emptying(linker: Linker) -> None:
    """A cell is emptied and filled: its value is there, or an error."""
    cell = linker.entry.Cell(1.0)
    text = map_text([("float64", "a + 1")], [("float64", 0)], 0)
    read = linker.link(text, [(cell, "float64", ())], [("float64", 0, None)])

    def tried(use: Callable[[], object], *errors: type[Exception]) -> None:
        try:
            use()
        except errors:
            pass

    def work(index: int) -> None:
        for round_ in range(ROUNDS):
            if index == 0:
                tried(lambda: delattr(cell, "value"), AttributeError)
            elif index == 1:
                cell.value = float(round_)
            else:
                tried(read, ValueError)
                tried(lambda: cell.value, AttributeError)
                assert repr(cell).startswith("Cell(")

    at_once(work)


def counting(linker: Linker) -> None:
    """Calls that update two cells under their locks, by a library and by a target: none is lost."""
    cells = tuple(linker.entry.Cell(np.zeros(1)) for _ in range(2))
    locks = (threading.RLock(), threading.RLock())
    text = map_text([("float64", "a + 1"), ("float64", "b - 1")], [("float64", 1)] * 2, 1)
    inputs = [(cell, "float64", (None,)) for cell in cells]
    outputs = [("float64", 1, cell) for cell in cells]
    one = linker.link(text, inputs, outputs, name="one", locks=locks)
    two = linker.entry.Function.forward(
        "two", None, lambda a, b: (a + 1, b - 1), 0, cells, cells, False, None, locks
    )

    def work(index: int) -> None:
        for _ in range(ROUNDS):
            for function in (one, two):
                assert function() is None

    at_once(work)
    calls = 2 * THREADS * ROUNDS
    assert [cell.value.tolist() for cell in cells] == [[calls], [-calls]]


def creating(linker: Linker) -> None:
    """Functions of one library are created, called and deleted on all threads."""
    text = map_text([("float64", "a + b")], [("float64", 1), ("float64", 0)], 1)
    linker.library(text)

    def work(index: int) -> None:
        inputs = [("x", "float64", (None,)), ("n", "float64", (), float(index))]
        for round_ in range(ROUNDS // 10):
            f = linker.link(text, inputs, [("float64", 1, None)], name=f"f{index}")
            assert f([1.0 * round_]).tolist() == [round_ + index]

    at_once(work)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        linker = Linker(load_entry(Path(sys.argv[2])), Path(folder))
        without_gil(lambda: globals()[sys.argv[1]](linker))
