"""Requirements of tests: without one a test is skipped, with a line on what to install.

Under `CI=true` such a test fails: a run that leaves something out must not look complete.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import NoReturn

import pytest
from compilers import is_real

ROOT = Path(__file__).resolve().parent.parent
CI = os.environ.get("CI") == "true"

# Debian packages that are not named after the program.
PACKAGES = {
    "nm": "binutils",
    "setarch": "util-linux",
    "clang++": "clang",
    "cc1plus": "g++",
    "libasan": "gcc",
    "libtsan": "gcc",
}


def lacking(what: str, install: str = "", optional: bool = False) -> NoReturn:
    """Skips the running test; `optional` allows CI to skip it as well."""
    remedy = install or f"install {PACKAGES.get(what, what)}, or run `cargo xtask setup --ci`"
    (pytest.fail if CI and not optional else pytest.skip)(f"{what} is missing: {remedy}")


def program(name: str) -> str:
    """The path of a program that the test requires."""
    return shutil.which(name) or lacking(name)


def real(name: str) -> str:
    """A compiler itself, not ziglang in its place, whose messages and sanitizers differ."""
    return program(name) if is_real(name) else lacking(name)


def zig() -> Path:
    """Zig, whose compiler builds for other machines."""
    path = ROOT / "target" / "stand-ins" / "python" / "ziglang" / "zig"
    return path if path.is_file() else lacking("ziglang", "run `cargo xtask setup --ci`")


def header(name: str, package: str) -> None:
    """A header that compilers find; as C++, since some include headers of C++."""
    process = subprocess.run(
        [program("gcc"), "-x", "c++", "-E", "-o", os.devnull, "-"],
        input=f"#include <{name}>\n",
        text=True,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    if process.returncode != 0:
        lacking(f"<{name}>", f"install {package}, or run `cargo xtask setup --ci`")


def cxx() -> str:
    """A C++ compiler: g++, else clang++."""
    return shutil.which("g++") or shutil.which("clang++") or lacking("g++")


def need_languages(folder: Path) -> None:
    """The compilers of a folder's sources that are not in C."""
    if list(folder.glob("*.f90")):
        program("gfortran")
    if list(folder.glob("*.cpp")):
        cxx()
