"""Python's signal handlers run between the items of a batch, and what they raise ends it."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import tools
from numpy.lib.stride_tricks import as_strided

SIGNALS = tools.HERE / "edges" / "signals.toml"
PLAIN = ["work", "work_status", "work_held", "work_shared"]


class Stop(Exception):
    """What the handler raises."""


@pytest.fixture(scope="module")
def signals(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    out = tmp_path_factory.mktemp("signals")
    tools.build(SIGNALS, out)
    return tools.load("signals", out)


@pytest.fixture
def calls() -> Iterator[list[float]]:
    """When the handler of SIGALRM was called; it raises the first time after 0.3 s."""
    seen: list[float] = []

    def handle(*_: object) -> None:
        seen.append(time.monotonic())
        raise Stop

    before = signal.signal(signal.SIGALRM, handle)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    yield seen
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def lists() -> Any:
    """Ragged items, most of which take a while."""
    pyarrow = pytest.importorskip("pyarrow")
    return pyarrow.array([[0.1, 0.1], [0.2], [], *([[0.2]] * 40)])


def endless() -> Any:
    return as_strided(np.zeros(1), (2**59,), (0,))


def stops(call: Callable[[], object]) -> None:
    begin = time.monotonic()
    with pytest.raises(Stop):
        call()
    # The alarm, an item, and much for a machine that is busy.
    assert time.monotonic() - begin < 3


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("shape", [(40,), (5, 8)])
def test_items_that_take_time(
    signals: ModuleType, calls: list[float], name: str, shape: tuple[int, ...]
) -> None:
    stops(lambda: getattr(signals, name)(np.full(shape, 0.2)))


@pytest.mark.parametrize("name", PLAIN)
def test_items_without_end(signals: ModuleType, calls: list[float], name: str) -> None:
    stops(lambda: getattr(signals, name)(endless()))


def test_arrays_of_no_element(signals: ModuleType, calls: list[float]) -> None:
    stops(lambda: signals.work_cores(endless(), 0))


def test_a_size_that_all_items_share(signals: ModuleType, calls: list[float]) -> None:
    stops(lambda: signals.work_cores(0.0, as_strided(np.zeros(1, "i4"), (2**59,), (0,))))


def test_ragged_items(lists: Any, signals: ModuleType, calls: list[float]) -> None:
    stops(lambda: signals.work_ragged(lists))


def test_buffers_have_what_was_done(signals: ModuleType, calls: list[float]) -> None:
    y = np.zeros((40, 2))
    stops(lambda: signals.work_cores(np.full(40, 0.1), 2, y=y))
    done = int(y[:, 0].sum())
    assert 2 <= done < 40 and y[:done].all() and not y[done:].any()


@pytest.mark.parametrize("name", PLAIN)
def test_a_handler_that_returns(signals: ModuleType, name: str) -> None:
    """The batch goes on, with all of its items."""
    seen: list[float] = []
    before = signal.signal(signal.SIGALRM, lambda *_: seen.append(time.monotonic()))
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        begin = time.monotonic()
        getattr(signals, name)(np.full(8, 0.1))
    finally:
        signal.signal(signal.SIGALRM, before)
    [at] = seen
    end = time.monotonic()
    assert at < end - 0.05 and end - begin > 0.35


def test_every_item_once(signals: ModuleType) -> None:
    """Items are done in pieces between two looks; rows of any length end in their middle."""
    for shape in [(3, 70), (1000,), (5, 4097), (70000,), (2, 3, 129), (9000, 3)]:
        y = signals.work_cores(np.zeros(shape)[..., ::1], 1)
        assert y.shape == (*shape, 1) and y.all()
        x = np.zeros((*shape[:-1], 2 * shape[-1]))[..., ::2]
        assert signals.work_cores(x, 1).all()


def test_an_item_that_fails_is_told(signals: ModuleType, tmp_path: Path) -> None:
    """The index of an item counts from the first, whatever the pieces are."""
    (tmp_path / "late.h").write_text("static inline int late(double x) { return x > 0; }\n")
    (tmp_path / "late.toml").write_text(
        '[module]\nname = "late"\nheaders = ["late.h"]\n\n'
        '[function.late]\nproto = "status int late(double x)"\nellipses = "..."\n'
    )
    tools.build(tmp_path / "late.toml", tmp_path)
    late = tools.load("late", tmp_path).late
    for at in [0, 1, 63, 64, 65, 4159, 4160, 4161, 69999]:
        x = np.zeros(70000)
        x[at] = 1
        with pytest.raises(RuntimeError, match=rf"\(item \({at},\)\)"):
            late(x)
        with pytest.raises(RuntimeError, match=rf"\(item \({at // 7}, {at % 7}\)\)"):
            late(x.reshape(-1, 7))
