"""Python's signal handlers run between the items of a batch, and their exceptions end it."""

from __future__ import annotations

import signal
import threading
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
    """The exception that the handler raises."""


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
    # The time to the alarm, one item, and a margin for a busy machine.
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


def test_buffers_hold_finished_items(signals: ModuleType, calls: list[float]) -> None:
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
    """Items run in pieces between two checks for signals; rows of any length may be interrupted."""
    for shape in [(3, 70), (1000,), (5, 4097), (70000,), (2, 3, 129), (9000, 3)]:
        y = signals.work_cores(np.zeros(shape)[..., ::1], 1)
        assert y.shape == (*shape, 1) and y.all()
        x = np.zeros((*shape[:-1], 2 * shape[-1]))[..., ::2]
        assert signals.work_cores(x, 1).all()


def test_failing_items_are_named(signals: ModuleType, tmp_path: Path) -> None:
    """The index of an item counts from the first, in any piece."""
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


# ---- C that checks for signals -----------------------------------------------------------------

SPIN = """
#include <fishplate/interrupt.h>
#include <time.h>
#include "spin.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

long spin(double seconds)
{
    double end = now() + seconds;
    long rounds = 0;
    while (now() < end) {
        rounds++;
        if (fp_interrupted()) {
            return -rounds;
        }
    }
    return rounds;
}

int spin_status(double seconds)
{
    return spin(seconds) < 0;
}

long spin_calling(double seconds, void (*f)(long round, void *data), void *data)
{
    const struct timespec pause = {0, 1000000};
    double end = now() + seconds;
    long rounds = 0;
    while (now() < end) {
        f(++rounds, data);
        nanosleep(&pause, NULL);
        if (fp_interrupted()) {
            return -rounds;
        }
    }
    return rounds;
}
"""

HEADER = """
long spin(double seconds);
int spin_status(double seconds);
long spin_calling(double seconds, void (*f)(long round, void *data), void *data);
"""

INTERFACE = """
[module]
name    = "spin"
headers = ["spin.h"]
{source}

[function.held]
proto = "long spin(double seconds)"
gil   = "hold"

[function.free]
proto = "long spin(double seconds)"
gil   = "release"

[function.status]
proto = "status int spin_status(double seconds)"

[function.many]
proto    = "long spin(double seconds)"
ellipses = "..."

[function.calling]
proto = "long spin_calling(double seconds, void (*f)(long round, void *data), void *data)"

[function.calling_held]
proto = "long spin_calling(double seconds, void (*f)(long round, void *data), void *data)"
gil   = "hold"
"""

INCLUDE = tools.ROOT / "bindings" / "python" / "fishplate" / "include"


@pytest.fixture(scope="module", params=["source", "library"])
def spin(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """The C is a source of the module, or a library that is independent of Python."""
    folder = tmp_path_factory.mktemp(f"spin_{request.param}")
    (folder / "spin.h").write_text(HEADER)
    (folder / "spin.c").write_text(SPIN)
    source = 'sources = ["spin.c"]'
    if request.param == "library":
        source = 'libraries = ["./libspin.so"]'
        library = ["-shared", "-fPIC", f"-I{INCLUDE}", "spin.c", "-o", "libspin.so"]
        tools.run([tools.compiler("gcc"), "-Wall", "-Wextra", "-Werror", *library], cwd=folder)
    (folder / "spin.toml").write_text(INTERFACE.format(source=source))
    tools.build(folder / "spin.toml", folder)
    return tools.load("spin", folder)


@pytest.mark.parametrize("name", ["held", "free", "status"])
def test_c_that_looks(spin: ModuleType, calls: list[float], name: str) -> None:
    stops(lambda: getattr(spin, name)(20.0))
    signal.setitimer(signal.ITIMER_REAL, 0)
    assert spin.held(0.01) > 0


def test_items_that_look(spin: ModuleType, calls: list[float]) -> None:
    stops(lambda: spin.many(np.full(4, 20.0)))


def test_c_called_by_c_of_pythons(spin: ModuleType, calls: list[float]) -> None:
    """Python itself raises then, before it uses the result."""
    stops(lambda: list(map(spin.free, [20.0, 20.0])))


def test_other_threads_are_not_ended(spin: ModuleType) -> None:
    results: list[int] = []
    thread = threading.Thread(target=lambda: results.append(spin.free(1.0)))
    before = signal.signal(signal.SIGALRM, lambda *_: 1 / 0)
    try:
        thread.start()
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(ZeroDivisionError):
            time.sleep(20)
        thread.join()
    finally:
        signal.signal(signal.SIGALRM, before)
    assert results[0] > 0


def test_a_handler_that_returns_while_c_looks(spin: ModuleType) -> None:
    seen: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda *_: seen.append(1))
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        assert spin.free(0.5) > 0
    finally:
        signal.signal(signal.SIGALRM, before)
    assert seen == [1]


def test_c_that_looks_and_calls_back(spin: ModuleType, calls: list[float]) -> None:
    """The handler raises in the callback, and C sees it."""
    stops(lambda: spin.calling(20.0, lambda round: None))


@pytest.mark.parametrize("name", ["calling", "calling_held"])
def test_c_that_looks_for_failed_callbacks(spin: ModuleType, name: str) -> None:
    begin = time.monotonic()
    with pytest.raises(ZeroDivisionError):
        getattr(spin, name)(20.0, lambda round: 1 / 0)
    assert time.monotonic() - begin < 3

    # Only the call whose callback has failed ends.
    def catch(round: int) -> None:
        if round == 2:
            with pytest.raises(ZeroDivisionError):
                spin.calling(20.0, lambda round: 1 / 0)
            assert spin.held(0.01) > 0

    assert getattr(spin, name)(0.05, catch) > 2


@pytest.mark.parametrize(
    "compiler", ["gcc -std=c99", "clang -std=c99", "g++ -std=c++17", "clang++ -std=c++17"]
)
def test_c_without_python(tmp_path: Path, compiler: str) -> None:
    name, standard = compiler.split()
    (tmp_path / "spin.c").write_text(
        "#include <fishplate/interrupt.h>\nint main(void) { return fp_interrupted(); }\n"
    )
    language = ["-x", "c++"] if "++" in name else []
    flags = ["-Wall", "-Wextra", "-Werror", f"-I{INCLUDE}"]
    tools.run(
        [tools.compiler(name), standard, *flags, *language, "spin.c", "-o", "spin"], cwd=tmp_path
    )
    tools.run([tmp_path / "spin"])
