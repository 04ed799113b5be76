"""Every allocation and every API call of generated code fails in turn, and each time cleanly."""

from __future__ import annotations

import sys
from pathlib import Path

import chance
import faulty
import pytest
import spec
import tools
from compilers import ALL

# `--all`: another module, and more calls.
SEEDS = [31, 32] if ALL else [31]
FUNCTIONS = 60
CALLS = 180 if ALL else 40


@pytest.fixture(scope="module", params=SEEDS, ids=lambda seed: f"seed{seed}")
def faults(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, int, Path]:
    seed: int = request.param
    folder = tmp_path_factory.mktemp("faults")
    suite = chance.random_suite("faulty", seed, FUNCTIONS)
    return folder, seed, faulty.compile_suite(suite, folder)


def test_nothing_escapes(faults: tuple[Path, int, Path]) -> None:
    """Every API function that the module uses either fails in turn or is known not to fail."""
    folder, _, obj = faults
    python, numpy = faulty.wrapped()
    used = {name for name in faulty.python_symbols(obj) if not faulty.DATA.fullmatch(name)}
    assert used <= python | set(faulty.CANNOT_FAIL), "wrap them in faults.c"
    entries = faulty.numpy_entries(folder, "faulty")
    assert entries <= numpy | faulty.NUMPY_CANNOT_FAIL, "wrap them in faults.c"


def test_every_failure_is_clean(faults: tuple[Path, int, Path]) -> None:
    folder, seed, _ = faults
    arguments: list[str | Path] = [folder / "out", "faulty", str(seed), str(FUNCTIONS), str(CALLS)]
    output = tools.child("fault_child.py", *arguments)
    assert output.splitlines()[-1] == "done", output


TRUTH = """
import ctypes, sys, numpy
sys.path.insert(0, sys.argv[1])
import truth
library = ctypes.PyDLL(truth.__file__)
library.fault_arm(1)
try:
    truth.whole(numpy.True_)
except MemoryError:
    print("MemoryError")
"""


def test_no_failure_goes_unnoticed(tmp_path: Path) -> None:
    """An object whose `__bool__` fails is an error, not a 1."""
    whole = spec.Arg("x", spec.BY_NAME["long"], "value")
    proto = spec.Proto("whole_c", (whole,), spec.DOUBLE)
    faulty.compile_suite(spec.Suite("truth", [spec.Function("whole", (proto,))]), tmp_path)
    output = tools.run([sys.executable, "-c", TRUTH, tmp_path / "out"], check=False).stdout
    assert output.strip() == "MemoryError"


def test_an_old_numpy_is_refused_each_time(faults: tuple[Path, int, Path]) -> None:
    folder, seed, _ = faults
    arguments: list[str | Path] = [folder / "out", "faulty", str(seed), str(FUNCTIONS), "old"]
    assert tools.child("fault_child.py", *arguments).strip() == "done"


def test_strings_and_memory_of_c(tmp_path: Path) -> None:
    """The cases with strings and C-allocated memory: no failure leaks."""
    folders = []
    for name in ("c_strings", "returned_pointers", "pointer_lists"):
        case = tools.HERE.parent / "cases" / name
        folder = tmp_path / name
        folder.mkdir()
        obj = faulty.compile_interface(case / f"{name}.toml", folder, [case / f"{name}.c"])
        python, numpy = faulty.wrapped()
        used = {one for one in faulty.python_symbols(obj) if not faulty.DATA.fullmatch(one)}
        # Classes need more API calls when they are created.
        if name == "c_strings":
            assert used <= python | set(faulty.CANNOT_FAIL), "wrap them in faults.c"
        entries = faulty.numpy_entries(folder, name, case)
        assert entries <= numpy | faulty.NUMPY_CANNOT_FAIL, "wrap them in faults.c"
        folders.append(folder / "out")
    assert tools.child("returned_pointers_child.py", *folders).splitlines()[-1] == "done"


def test_callbacks(tmp_path: Path) -> None:
    """The case of callbacks: their failures are raised by the call, and leak nothing."""
    case = tools.HERE.parent / "cases" / "callbacks"
    faulty.compile_interface(case / "callbacks.toml", tmp_path, [case / "callbacks.c"])
    entries = faulty.numpy_entries(tmp_path, "callbacks", case)
    assert entries <= numpy_functions(), "wrap them in faults.c"
    assert tools.child("callbacks_child.py", tmp_path / "out").splitlines()[-1] == "done"


def test_values_of_callbacks_and_missing_values(tmp_path: Path) -> None:
    """Two cases: a failure is a MemoryError, or the result is as without it; nothing is left."""
    folders = []
    for name in ("callback_values", "missing_values"):
        case, folder = tools.HERE.parent / "cases" / name, tmp_path / name
        folder.mkdir()
        faulty.compile_interface(case / f"{name}.toml", folder, sorted(case.glob("*.c")))
        entries = faulty.numpy_entries(folder, name, case)
        assert entries <= numpy_functions(), "wrap them in faults.c"
        folders.append(folder / "out")
    assert tools.child("values_child.py", *folders).splitlines()[-1] == "done"


def numpy_functions() -> set[str]:
    return faulty.wrapped()[1] | faulty.NUMPY_CANNOT_FAIL
