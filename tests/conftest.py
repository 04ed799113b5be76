"""Fixtures of all Python tests: the command, and a way to build a module for this Python."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from compilers import ALL, LEVEL, unoptimised
from drafts import first, works  # noqa: F401 (fixtures)
from luas import LIBRARY, SCRIPTS, STRICT, need, package, run
from packages import project, python  # noqa: F401 (fixtures)

ROOT = Path(__file__).resolve().parent.parent

# The files that take longest, in this order: a long last one would leave all but one core idle.
LONGEST = [
    "test_cases.py",
    "test_cases_lua.py",
    "test_glue.py",
    "test_wheel.py",
    "test_package.py",
    "test_init.py",
    "test_failures.py",
    "test_docs.py",
    "test_faults.py",
    "test_sanitizers.py",
    "test_runtime_sanitizers.py",
    "test_wrapped.py",
    "test_same_bits.py",
    "test_worker_processes.py",
    "test_elementwise.py",
    "test_races.py",
    "test_export.py",
    "test_processes.py",
    "test_examples.py",
    "test_threads.py",
]


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "nightly: only `cargo xtask test --all` runs it")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests begin with the longest files; within a file they stay in order.

    Those that are marked `nightly` are left out, unless everything is tested.
    """
    if not ALL:
        nightly = [item for item in items if item.get_closest_marker("nightly")]
        config.hook.pytest_deselected(items=nightly)
        items[:] = [item for item in items if not item.get_closest_marker("nightly")]
    place = {name: index for index, name in enumerate(LONGEST)}
    items.sort(key=lambda item: place.get(item.path.name, len(LONGEST)))


# The package under development, as installed by `cargo xtask setup`, for a direct run of pytest.
PACKAGE = ROOT / "target" / "python" / "debug"
if "PYTHONPATH" not in os.environ:
    os.environ["PYTHONPATH"] = str(PACKAGE)
    sys.path.insert(0, str(PACKAGE))
# Tests start Pythons in other folders.
os.environ["PYTHONPATH"] = os.pathsep.join(
    map(os.path.abspath, os.environ["PYTHONPATH"].split(os.pathsep))
)


@pytest.fixture(scope="session")
def fishplate() -> Path:
    """The command: $FISHPLATE, else the output of `cargo build`."""
    named = os.environ.get("FISHPLATE")
    path = Path(named) if named else ROOT / "target" / "debug" / "fishplate"
    if not path.is_file():
        pytest.exit(f"{path} is not there: run `cargo build`, or set FISHPLATE", returncode=2)
    return path.resolve()


@pytest.fixture(scope="session")
def build(fishplate: Path):
    """build(folder, file, out, optimise, **environment): `fishplate build` for this Python."""

    def build(folder: Path, file: str, out: Path, optimise: bool = False, **environment: str):
        env = {**os.environ, "NO_COLOR": "1", **environment}
        return subprocess.run(
            [fishplate, "build", file, "--python", sys.executable, "--out", out],
            cwd=folder,
            env=env if optimise else unoptimised(env),
            capture_output=True,
            text=True,
            timeout=300,
        )

    return build


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """built(lua, flags, compiler): a folder with fishplate.so and foreign.so, without a warning."""
    root, folders = tmp_path_factory.mktemp("lua"), {}

    def built(lua: str, flags: str = LEVEL, compiler: str = "gcc") -> Path:
        need(lua)
        key = (lua, flags, compiler)
        if key not in folders:
            out = root / str(len(folders))
            flags += f" {STRICT}"
            run(["make", "-C", LIBRARY, f"LUA={lua}", f"OUT={out}", f"CC={compiler}"]
                + [f"CFLAGS={flags}"])  # fmt: skip
            run([compiler, "-std=c99", *flags.split(), "-shared", "-fPIC", f"-I{out}"]
                + [*package(lua, "--cflags"), SCRIPTS / "foreign.c"]
                + ["-Wl,-z,nodelete", "-o", out / "foreign.so", "-lm"])  # fmt: skip
            folders[key] = out
        return folders[key]

    return built
