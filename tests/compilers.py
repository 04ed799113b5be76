"""Compilers for the modules that tests build to test their behaviour, not their speed.

`fishplate build` optimises as much as compilers can, which takes most of the time that the tests
have. Most tests therefore build without; some of each kind build as users do, and all of them with
`FISHPLATE_ALL=1`, as `cargo xtask test --all` runs them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeVar

UNOPTIMISED = Path(__file__).resolve().parent / "unoptimised"
# Its answers about compilers, as long as this process runs.
ANSWERS = tempfile.TemporaryDirectory(prefix="fishplate-compilers-")
# True if everything is tested, however long it takes.
ALL = os.environ.get("FISHPLATE_ALL") == "1"
# Optimisation of the code that tests compile themselves, for sanitizers and failing calls.
LEVEL = "-O1" if ALL else "-O0"

T = TypeVar("T")


def share(items: Sequence[T], parts: int = 3, turn: int = 0) -> list[T]:
    """One of `parts` equal shares of the items, by turns; all of them if everything is tested."""
    return list(items) if ALL else list(items)[turn % parts :: parts]


def unoptimised(environment: Mapping[str, str], same: bool = False) -> dict[str, str]:
    """An environment in which `fishplate build` calls compilers without optimisation.

    Without the variables that name compilers it calls clang, if installed: it takes a third of
    gcc's time. `same` requests the default compilers, whose messages documents show.
    """
    changed = dict(environment)
    chosen = same or "CC" in environment or "CXX" in environment
    for variable, usual, fast in (("CC", "gcc", "clang"), ("CXX", "g++", "clang++")):
        names = (usual, fast) if chosen or not is_real(fast) else (fast, usual)
        there = environment.get(variable) or next(filter(shutil.which, names), None)
        if there is not None and not ALL:
            changed[variable] = f"{UNOPTIMISED} {there}"
            changed["FISHPLATE_ANSWERS"] = ANSWERS.name
    return changed


def is_real(name: str) -> bool:
    """Whether a compiler is installed, and not ziglang in its place."""
    path = shutil.which(name)
    return path is not None and Path(path).parent.name != "stand-ins"


def has_asan(name: str) -> bool:
    """Whether a compiler has AddressSanitizer as a library for programs that it did not build."""
    return is_real(name) and Path(file_of(name, ASAN[name])).is_absolute()


def file_of(compiler: str, name: str) -> str:
    """The path of a compiler's own file; the name alone if it has none."""
    command = [compiler, f"-print-file-name={name}"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


ASAN = {"gcc": "libasan.so", "clang": "libclang_rt.asan-x86_64.so"}
CXX = {"gcc": "g++", "clang": "clang++"}
# The compiler of modules under AddressSanitizer and of those whose calls fail: clang takes a third
# of gcc's time.
CHECKING = "clang" if not ALL and is_real("clang++") and has_asan("clang") else "gcc"
# The flag for a shared sanitizer library, which a module for a program without sanitizers needs.
SHARED = "-shared-libasan" if CHECKING == "clang" else ""
