"""Emitting modules for build systems that are written in Python."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

__all__ = ["emit", "run"]


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
