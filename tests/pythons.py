"""Other Pythons of this machine, for modules that several of them load."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# The oldest one that loads modules with the stable ABI.
STABLE = (3, 12)
SETUP = "run `cargo xtask setup --pythons`"


@cache
def environments() -> list[Path]:
    """The interpreters that `cargo xtask setup --pythons` set up, the oldest first."""
    found = (ROOT / "target").glob("python-3.*/bin/python")
    return sorted((path for path in found if path.exists()), key=version_of)


def version_of(python: Path) -> tuple[int, ...]:
    """Major and minor, by the name of the folder."""
    return tuple(map(int, re.findall(r"\d+", python.parents[1].name)))


@cache
def stable_headers() -> Path | None:
    """The folder of a Python.h that has the stable ABI of Python 3.12; NumPy is not needed."""
    script = (
        "import sys, sysconfig; print(sys.version_info >= (3, 12), sysconfig.get_path('include'))"
    )
    for python in candidates():
        done = subprocess.run([python, "-c", script], capture_output=True, text=True, check=False)
        is_newer, _, folder = done.stdout.strip().partition(" ")
        if is_newer == "True" and Path(folder, "Python.h").is_file():
            return Path(folder)
    return None


def candidates() -> Iterator[Path]:
    """This Python, those of the setup, those on the path, and those of pyenv."""
    yield Path(sys.executable)
    yield from environments()
    yield from (Path(found) for name in newer_names() if (found := shutil.which(name)))
    folder = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    yield from (path for name in newer_names() for path in sorted(folder.glob(f"*/bin/{name}")))


def newer_names() -> list[str]:
    return [f"python3.{minor}" for minor in range(STABLE[1], 20)]
