"""A machine that qemu emulates, with Debian's Python and NumPy.

`cargo xtask setup --machines` unpacks it.

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
from needs import ROOT, zig

NAME = os.environ.get("FISHPLATE_MACHINE", "")
collect_ignore_glob = [] if NAME else ["test_*.py"]


@dataclass(frozen=True)
class Machine:
    """A Debian for another processor."""

    name: str
    # Seconds, against programs that hang: builds and emulated cases take minutes on a busy machine.
    LIMIT: ClassVar[int] = 3600

    @property
    def target(self) -> str:
        return f"{self.name}-linux-gnu"

    @property
    def is_big_endian(self) -> bool:
        return self.name == "s390x"

    @property
    def sysroot(self) -> Path:
        return ROOT / "target" / "machines" / self.name

    @property
    def libraries(self) -> str:
        """The folders of libraries: those of BLAS are chosen by scripts that did not run."""
        folders = [
            f"{root}/{self.target}{below}"
            for root, below in (
                ("usr/lib", "/blas"),
                ("usr/lib", "/lapack"),
                ("usr/lib", ""),
                ("lib", ""),
            )
        ]
        return os.pathsep.join(str(self.sysroot / folder) for folder in folders)

    def build(self, folder: Path, file: str, out: Path, fishplate: Path) -> str:
        """Builds a module without optimisation; returns the message of a failure."""
        environment = {
            **os.environ,
            "NO_COLOR": "1",
            "CC": f"{UNOPTIMISED} {zig()} cc",
            "CXX": f"{UNOPTIMISED} {zig()} c++",
        }
        command = [fishplate, "build", file, "--target", self.target, "--sysroot", self.sysroot]
        done = subprocess.run(
            [*command, "--out", out],
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
        qemu = ROOT / "target" / "machines" / "qemu" / "usr" / "bin" / f"qemu-{self.name}-static"
        return subprocess.run(
            [qemu, "-L", self.sysroot, "-E", f"LD_LIBRARY_PATH={self.libraries}", *command],
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
        interpreter = next(self.sysroot.glob("usr/bin/python3.[0-9]*"))
        folders = os.pathsep.join(map(str, path))
        return self.run(interpreter, *arguments, cwd=cwd, PYTHONPATH=folders)


@pytest.fixture(scope="session")
def machine() -> Machine:
    """The machine that the command named."""
    machine = Machine(NAME)
    assert machine.sysroot.is_dir(), "run `cargo xtask setup --machines`"
    return machine
