"""A machine with a Python and NumPy whose programs this one runs, by qemu where it is emulated.

PyPy on this processor is such a machine, too.

`cargo xtask setup --machines` makes it.

`cargo xtask test --machine NAME` runs these tests, and no other command does.
"""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest
from compilers import UNOPTIMISED
from needs import zig

NAME = os.environ.get("FISHPLATE_MACHINE", "")
collect_ignore_glob = [] if NAME else ["test_*.py"]


@dataclass(frozen=True)
class Machine:
    """A machine that `cargo xtask test --machine` has named."""

    # Its name for compilers, the folder of its files, a program that runs one of its programs, and
    # its Python.
    target: str
    sysroot: Path
    starter: Path
    interpreter: Path
    # Seconds, against programs that hang: builds and emulated cases take minutes on a busy machine.
    LIMIT: ClassVar[int] = 3600

    @property
    def is_big_endian(self) -> bool:
        return self.target.startswith("s390x")

    @property
    def has_pypy(self) -> bool:
        return self.interpreter.name.startswith("pypy")

    def options(self, out: Path) -> list[object]:
        """The options of a build into a folder. PyPy is run: cross builds have no such target."""
        if not self.has_pypy:
            return ["--target", self.target, "--sysroot", self.sysroot]
        out.mkdir()
        python = out / "pypy"
        python.write_text(f"#!/bin/sh\nexec '{self.starter}' '{self.interpreter}' \"$@\"\n")
        python.chmod(0o755)
        return ["--python", python]

    def build(self, folder: Path, file: str, out: Path, fishplate: Path) -> str:
        """Builds a module without optimisation; returns the message of a failure."""
        environment = {
            **os.environ,
            "NO_COLOR": "1",
            "CC": f"{UNOPTIMISED} {zig()} cc",
            "CXX": f"{UNOPTIMISED} {zig()} c++",
        }
        done = subprocess.run(
            [fishplate, "build", file, *self.options(out), "--out", out],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=self.LIMIT,
        )
        failure = f"fishplate build failed, exit status {done.returncode}:\n{done.stderr}"
        return "" if done.returncode == 0 else failure

    def run(self, *command: object, cwd: Path, **environment: str) -> subprocess.CompletedProcess:
        """Runs a program of the machine; Python finds its own packages alone."""
        return subprocess.run(
            [self.starter, *command],
            cwd=cwd,
            env={
                "PYTHONHOME": str(self.sysroot / "usr"),
                "PATH": os.environ["PATH"],
                **environment,
            },
            capture_output=True,
            text=True,
            timeout=self.LIMIT,
        )

    def python(
        self, *arguments: object, cwd: Path, path: list[Path]
    ) -> subprocess.CompletedProcess:
        folders = os.pathsep.join(map(str, path))
        return self.run(self.interpreter, *arguments, cwd=cwd, PYTHONPATH=folders)


@pytest.fixture(scope="session")
def machine() -> Machine:
    """The machine that the command named."""
    parts = (
        Path(os.environ[f"FISHPLATE_{part}"]) for part in ("SYSROOT", "STARTER", "INTERPRETER")
    )
    return Machine(NAME, *parts)
