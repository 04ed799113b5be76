"""Helpers of all robustness tests: the command, compilers, child processes, built modules."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# Child processes of tests have only the folder of their script.
sys.path.append(str(HERE.parent))

from compilers import unoptimised  # noqa: E402
from needs import lacking as lacking  # noqa: E402
from needs import program as compiler  # noqa: E402, F401
from needs import real as real  # noqa: E402


def fishplate() -> str:
    """The command under test."""
    path = os.environ.get("FISHPLATE") or str(ROOT / "target" / "debug" / "fishplate")
    if shutil.which(path) is None:
        pytest.fail(f"{path} is not there: run `cargo build -p fishplate`, or set FISHPLATE")
    return path


def run(
    command: Sequence[str | Path],
    *,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    timeout: float = 300,
    check: bool = True,
) -> subprocess.CompletedProcess[str]:
    """Runs a command to its end; a failure includes its output."""
    done = subprocess.run(
        [str(part) for part in command],
        env={**os.environ, **(env or {})},
        cwd=cwd,
        timeout=timeout,
        capture_output=True,
        text=True,
        check=False,
    )
    if check and done.returncode != 0:
        shown = " ".join(str(part) for part in command)
        pytest.fail(
            f"{shown}\nexited with {done.returncode}\n{done.stdout[-6000:]}\n{done.stderr[-12000:]}"
        )
    return done


def build(
    interface: Path,
    out: Path,
    *,
    env: Mapping[str, str] | None = None,
    check: bool = True,
    optimise: bool = False,
) -> subprocess.CompletedProcess[str]:
    """`fishplate build` for the Python that runs the tests."""
    env = {**os.environ, **(env or {})}
    command: list[str | Path] = [
        fishplate(),
        "build",
        interface,
        "--python",
        sys.executable,
        "--out",
        out,
    ]
    return run(command, env=env if optimise else unoptimised(env), check=check)


def emit(interface: Path, out: Path) -> Path:
    """`fishplate emit`: the C source only, its one unit returned."""
    run([fishplate(), "emit", interface, "--host", "python", "-o", out])
    [unit] = (*out.glob("*.c"), *out.glob("*.cpp"))
    return unit


def child(script: str, *arguments: str | Path, **options: object) -> str:
    """Runs a script of this folder with the tests' Python; returns its output."""
    done = run([sys.executable, HERE / script, *arguments], **options)  # type: ignore[arg-type]
    return done.stdout


def suffix() -> str:
    """The file name ending of extension modules."""
    return str(sysconfig.get_config_var("EXT_SUFFIX"))


def include_flags() -> list[str]:
    """Where Python's and NumPy's headers are."""
    return [f"-I{sysconfig.get_paths()['include']}", f"-I{np.get_include()}"]


def load(name: str, folder: Path) -> ModuleType:
    """Imports a built module by its path, even if another one has that name."""
    spec = importlib.util.spec_from_file_location(name, folder / f"{name}{suffix()}")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
