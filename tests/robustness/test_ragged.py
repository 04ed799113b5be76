"""Calls over lists: under sanitizers, with every API call failing, and with offsets that change."""

from __future__ import annotations

import sys
from pathlib import Path

import faulty
import pytest
import tools
from compilers import ALL, CHECKING
from test_sanitizers import environment, instrumented

CASE = tools.ROOT / "tests" / "cases" / "ragged" / "ragged.toml"


@pytest.mark.parametrize(
    ("compiler", "seed"), [("gcc", 61), ("clang", 62)] if ALL else [(CHECKING, 62)]
)
def test_random_calls_are_clean(compiler: str, seed: int, tmp_path: Path) -> None:
    instrumented(compiler, CASE, tmp_path)
    env = environment(compiler, "detect_leaks=0", "detect_stack_use_after_return=1")
    output = tools.child("ragged_child.py", tmp_path, str(seed), "1500", env=env)
    assert output.strip() == "done"


@pytest.fixture(scope="module")
def faults(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("faults")
    return folder, faulty.compile_interface(CASE, folder, [])


def test_nothing_escapes(faults: tuple[Path, Path]) -> None:
    folder, obj = faults
    python, numpy = faulty.wrapped()
    used = {name for name in faulty.python_symbols(obj) if not faulty.DATA.fullmatch(name)}
    assert used <= python | set(faulty.CANNOT_FAIL), "wrap them in faults.c"
    entries = faulty.numpy_entries(folder, "ragged", CASE.parent)
    assert entries <= numpy | faulty.NUMPY_CANNOT_FAIL, "wrap them in faults.c"


def test_every_failure_is_clean(faults: tuple[Path, Path]) -> None:
    output = tools.child("ragged_child.py", faults[0] / "out", "63", "120", "faults")
    assert output.strip() == "done"


def test_offsets_may_change_meanwhile(tmp_path: Path) -> None:
    """Others write to offsets during a call: it reads only values, whatever its result."""
    instrumented(CHECKING, CASE, tmp_path)
    script = tmp_path / "race.py"
    script.write_text(RACE)
    env = environment(CHECKING, "detect_leaks=0") | {"PYTHONPATH": str(tmp_path)}
    done = tools.run([sys.executable, script], env=env)
    assert done.stdout.strip() == "done"


RACE = """
import threading
from types import SimpleNamespace

import numpy as np
import ragged as m

offsets = np.arange(0, 40_001, 2)
good = offsets.copy()
x = SimpleNamespace(values=np.ones(40_000), offsets=offsets)
stop = threading.Event()


def meddle():
    while not stop.is_set():
        offsets[1:-1] = 10**9
        offsets[:] = good


meddler = threading.Thread(target=meddle)
meddler.start()
for _ in range(200):
    for call in (m.sum, lambda x: m.pad(1, x)):
        try:
            call(x)
        except ValueError:
            pass
stop.set()
meddler.join()
print("done")
"""
