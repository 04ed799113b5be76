"""Virtual environments in which packages are built and installed, as their users do."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from dataclasses import dataclass, field
from pathlib import Path

import numpy
import pytest


@dataclass
class Environment:
    """A virtual environment with the build tools of the tests: nothing is downloaded."""

    folder: Path
    variables: dict[str, str] = field(default_factory=dict)

    @property
    def python(self) -> Path:
        """The interpreter."""
        return self.folder / "bin" / "python"

    def try_run(self, *arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
        """Run Python with these arguments."""
        return subprocess.run(
            [self.python, *arguments],
            cwd=cwd,
            env={**os.environ, **self.variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=600,
        )

    def run(self, *arguments: str | Path, cwd: Path) -> str:
        """Run Python with these arguments, which must succeed; return its output."""
        done = self.try_run(*arguments, cwd=cwd)
        assert done.returncode == 0, done.stdout
        return done.stdout

    def install(self, *arguments: str | Path, cwd: Path) -> str:
        """Install packages from files with the installed tools."""
        options = ["--no-build-isolation", "--no-deps", "--no-index", "--disable-pip-version-check"]
        return self.run("-m", "pip", "install", *options, *arguments, cwd=cwd)


@pytest.fixture
def environment(tmp_path: Path, fishplate: Path):
    """environment(name): a new virtual environment; with `fishplate=False` it lacks the command."""

    def create(name: str, *, fishplate_is_there: bool = True) -> Environment:
        folder = tmp_path / name
        venv.create(folder, symlinks=True, with_pip=False)
        (site,) = folder.glob("lib/python*/site-packages")
        # Packages of the tests, such as NumPy, setuptools and pytest, which come last on the path.
        packages = Path(numpy.__file__).parent.parent
        (site / "tests.pth").write_text(f"{packages}\n")
        # Quick builds: optimised code is measured elsewhere.
        tools = Path(sys.executable).parent
        variables = {"CFLAGS": "-O0 -g0", "PATH": f"{folder / 'bin'}:{tools}:{os.defpath}"}
        if fishplate_is_there:
            variables["PATH"] = f"{fishplate.parent}:{variables['PATH']}"
        else:
            variables["PYTHONPATH"] = ""
        return Environment(folder, variables)

    return create


@pytest.fixture
def run_fishplate(fishplate: Path):
    """run_fishplate(*arguments, cwd): runs the command."""

    def run(*arguments: str | Path, cwd: Path, code: int = 0) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [fishplate, *arguments], cwd=cwd, capture_output=True, text=True, timeout=300
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done

    return run
