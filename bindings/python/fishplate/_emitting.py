"""Emitting modules for build systems that are written in Python."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

__all__ = ["LIMITED_API", "emit", "has_stable_abi", "run"]

# The macro that limits Python.h to the stable ABI of Python 3.12.
LIMITED_API = ("Py_LIMITED_API", "0x030C0000")


def has_stable_abi() -> bool:
    """Whether this Python can build modules with the stable ABI; else they are built without it."""
    is_free_threaded = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
    is_cpython = sys.implementation.name == "cpython"
    return is_cpython and sys.version_info >= (3, 12) and not is_free_threaded


def run(*arguments: str | os.PathLike[str]) -> None:
    """Run the command `fishplate`; its diagnostics go to standard error.

    Raises SystemExit if it fails, as build systems expect of a failed build.
    """
    command = [sys.executable, "-m", "fishplate", *(os.fspath(one) for one in arguments)]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        sys.exit(f"error: `fishplate {' '.join(command[3:5])}` failed")


def emit(interface: str, out: Path) -> dict[str, Any]:
    """Emit the C of an interface file into the folder `out`.

    Returns the description of the build that `fishplate emit --describe` writes.
    """
    description = out / "build.json"
    run("emit", interface, "--out", out, "--describe", description)
    described: dict[str, Any] = json.loads(description.read_text(encoding="utf-8"))
    return described
