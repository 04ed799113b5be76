"""Many threads call the same functions at once; many processes build the same module at once."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import ModuleType

import calls
import numpy as np
import pytest
import tools
from built import Built

THREADS = 8

HEADER = """
void twice(long n, const double *x, double *y);
void add_one(long n, double *x);
double total(long n, long m, const double *a);
void nap(long n, const double *x);
"""
SOURCE = """
#include <time.h>
#include "threads.h"
void twice(long n, const double *x, double *y) { for (long i = 0; i < n; i++) y[i] = 2 * x[i]; }
void add_one(long n, double *x) { for (long i = 0; i < n; i++) x[i] += 1; }
double total(long n, long m, const double *a)
{
    double sum = 0;
    for (long i = 0; i < n * m; i++) sum += a[i];
    return sum;
}
void nap(long n, const double *x)
{
    struct timespec time = {0, 200 * 1000 * 1000};
    (void)n;
    (void)x;
    nanosleep(&time, NULL);
}
"""
INTERFACE = """
[module]
name = "threads"
headers = ["threads.h"]
sources = ["threads.c"]
defines = ["_POSIX_C_SOURCE=200809L"]

[function.twice]
proto = "void twice(long n, const double x[n], out double y[n])"
[function.add_one]
proto = "void add_one(long n, inplace double x[n])"
[function.total]
proto = "double total(long n, long m, const double a[n][m])"
[function.nap]
proto = "void nap(long n, const double x[n])"
[function.hold]
gil = "hold"
proto = "void nap(long n, const double x[n])"
[function.release]
gil = "release"
proto = "void nap(long n, const double x[n])"
"""


def write(folder: Path) -> Path:
    (folder / "threads.h").write_text(HEADER)
    (folder / "threads.c").write_text(SOURCE)
    (folder / "threads.toml").write_text(INTERFACE)
    return folder / "threads.toml"


@pytest.fixture(scope="module")
def threads(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    folder = tmp_path_factory.mktemp("threads")
    tools.build(write(folder), folder / "out")
    return tools.load("threads", folder / "out")


def together(work: Callable[[int], None], count: int = THREADS) -> float:
    """Runs `work(index)` in threads that start at once; seconds until all are done."""
    failures: list[BaseException] = []
    gate = threading.Barrier(count + 1)

    def body(index: int) -> None:
        gate.wait()
        try:
            work(index)
        except BaseException as error:  # passed on below
            failures.append(error)

    started = [threading.Thread(target=body, args=(index,)) for index in range(count)]
    for thread in started:
        thread.start()
    gate.wait()
    start = time.perf_counter()
    for thread in started:
        thread.join()
    if failures:
        raise failures[0]
    return time.perf_counter() - start


def test_random_calls_in_threads(built: Built) -> None:
    """Each thread's calls are checked in full, as in test_properties.py."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)

    def work(index: int) -> None:
        r = Random(built.seed * 100 + index)
        for _ in range(250):
            made = calls.make(r, r.choice(built.suite.functions))
            calls.perform(made, getattr(built.module, made.function.name))

    try:
        together(work)
    finally:
        sys.setswitchinterval(interval)


def test_large_arrays(threads: ModuleType) -> None:
    """With the GIL released: shared inputs, own outputs, own buffers."""
    shared = np.arange(50_000.0)
    strided = np.arange(100_000.0)[::2]

    def work(index: int) -> None:
        own, buffer = np.full(20_000, float(index)), np.empty(50_000)
        for round_ in range(40):
            assert np.array_equal(threads.twice(shared), 2 * shared)
            assert np.array_equal(threads.twice(strided, y=buffer), 2 * strided)
            threads.add_one(own)
            threads.add_one(own[::-2])
            assert own[0] == index + round_ + 1
            assert own[1] == index + 2 * (round_ + 1)
            assert threads.total(shared.reshape(250, 200)) == shared.sum()

    together(work)


def test_inputs_that_others_change(threads: ModuleType) -> None:
    """Elements change under the calls: each result consists of old or new ones; none crashes."""
    data = np.zeros(30_000)
    stop = threading.Event()

    def work(index: int) -> None:
        if index == 0:
            for _ in range(60):
                data[...] = 1 - data
                data[::-1][::3] = data[0]
                time.sleep(0.001)
            stop.set()
            return
        while not stop.is_set():
            assert set(np.unique(threads.twice(data[::-1]))) <= {0.0, 2.0}
            assert 0 <= threads.total(data.reshape(150, 200).T) <= data.size
            with pytest.raises(ValueError, match="argument 'a'"):
                threads.total(data)

    together(work)


def test_names_are_dropped_under_calls(threads: ModuleType) -> None:
    """The only other reference to an argument goes away while C works on it."""
    box = [np.ones(50_000) for _ in range(100)]

    def work(index: int) -> None:
        while True:
            try:
                array = box.pop()
            except IndexError:
                return
            assert threads.total(array.reshape(500, 100)) == 50_000
            assert threads.twice([1.0] * 5000)[0] == 2

    together(work)


def test_the_gil_is_released_for_work_alone(threads: ModuleType) -> None:
    """`nap` sleeps 0.2 s: naps overlap where the GIL is released."""
    small, large = np.zeros(4), np.zeros(100_000)
    assert together(lambda _: threads.nap(large), 4) < 0.55
    assert together(lambda _: threads.release(small), 4) < 0.55
    assert together(lambda _: threads.hold(large), 3) > 0.55
    assert together(lambda _: threads.nap(small), 3) > 0.55


# ---- Builds --------------------------------------------------------------------------------------

USE = """
import sys, numpy
sys.path.insert(0, sys.argv[1])
import threads
assert threads.twice(numpy.arange(3.0)).tolist() == [0, 2, 4]
"""


def test_many_builds_at_once(tmp_path: Path) -> None:
    """Several processes build and import one module; each finds a complete one."""
    interface, out = write(tmp_path), tmp_path / "out"
    build = [tools.fishplate(), "build", str(interface), "--python", sys.executable]
    script = (
        "import subprocess, sys\n"
        "for _ in range(3):\n"
        "    subprocess.run(sys.argv[2:], check=True, stdout=subprocess.DEVNULL)\n"
        f"    subprocess.run([sys.executable, '-c', {USE!r}, sys.argv[1]], check=True)\n"
    )
    command = [sys.executable, "-c", script, str(out), *build, "--out", str(out)]
    started = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(4)]
    for process in started:
        _, output = process.communicate(timeout=120)
        assert process.returncode == 0, output
    left = [path.name for path in out.iterdir() if not path.name.startswith(".")]
    assert sorted(left) == sorted([f"threads{tools.suffix()}", "threads.pyi"])


def test_builds_while_the_source_changes(tmp_path: Path) -> None:
    """A module that is being rebuilt is always one version or the other, never a half."""
    interface, out = write(tmp_path), tmp_path / "out"
    tools.build(interface, out)
    use = USE.replace("[0, 2, 4]", "[0, k, 2 * k] or True")
    use = use.replace("import threads\n", "import threads\nk = threads.twice(numpy.ones(1))[0]\n")
    stop = threading.Event()

    def work(index: int) -> None:
        if index == 0:
            for factor in range(3, 7):
                text = SOURCE.replace("2 * x[i]", f"{factor} * x[i]")
                (tmp_path / "threads.c").write_text(text)
                tools.build(interface, out)
            stop.set()
            return
        while not stop.is_set():
            tools.run([sys.executable, "-c", use, out])

    together(work, 3)


def test_a_build_that_was_killed(tmp_path: Path) -> None:
    """Killed at any moment, a build leaves nothing that hinders the next."""
    interface, out = write(tmp_path), tmp_path / "out"
    build = [tools.fishplate(), "build", str(interface), "--python", sys.executable]
    for wait in (0.01, 0.05, 0.15, 0.3, 0.5):
        (tmp_path / "threads.c").write_text(SOURCE + f"/* {wait} */\n")
        process = subprocess.Popen(
            [*build, "--out", str(out)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        time.sleep(wait)
        process.kill()
        process.wait()
    tools.build(interface, out)
    tools.run([sys.executable, "-c", USE, out], env={**os.environ})
    left = [path.name for path in out.iterdir() if not path.name.startswith(".")]
    assert sorted(left) == sorted([f"threads{tools.suffix()}", "threads.pyi"])
