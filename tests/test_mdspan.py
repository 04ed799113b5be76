"""`std::mdspan` in prototypes: tests/mdspan_types, in Python and Lua.

Few standard libraries have it: libstdc++ from GCC 15 on, libc++ from LLVM 17 on, and the Python
package `ziglang`, which contains libc++. Without one, only `--all` requires these tests.
"""

from __future__ import annotations

import functools
import importlib.util
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from compilers import ALL
from luas import interpret, need
from needs import lacking
from test_cases import run
from test_cases_lua import NEWEST
from test_cases_lua import build as build_for_lua

FOLDER = Path(__file__).parent / "mdspan_types"


@functools.cache
def compiler() -> str | None:
    """A C++ compiler whose library has the header."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "two.cpp")
        source.write_text("#include <mdspan>\nstd::dextents<int, 2> two;\n")
        return next(filter(functools.partial(compiles, source), commands()), None)


def commands() -> list[str]:
    found = ["g++", "clang++"]
    if importlib.util.find_spec("ziglang"):
        found.append(f"{sys.executable} -m ziglang c++")
    return found


def compiles(source: Path, command: str) -> bool:
    command = [*command.split(), "-std=c++23", "-c", source, "-o", source.with_suffix(".o")]
    return (
        shutil.which(command[0]) is not None
        and not subprocess.run(command, capture_output=True).returncode
    )


def need_mdspan() -> str:
    found = compiler()
    if found is None:
        if ALL:
            lacking("a standard library with std::mdspan", "install the Python package ziglang")
        pytest.skip("no standard library here has std::mdspan")
    return found


def test_python(build, tmp_path: Path) -> None:
    built = build(FOLDER, "mdspan_types.toml", tmp_path, CXX=need_mdspan())
    assert built.returncode == 0, built.stderr
    assert run(FOLDER / "run.py", tmp_path) == ""


def test_lua(fishplate: Path, built, tmp_path: Path) -> None:
    need(NEWEST)
    build_for_lua(fishplate, FOLDER, NEWEST, tmp_path, CXX=need_mdspan())
    assert interpret(NEWEST, FOLDER / "run.lua", tmp_path, built(NEWEST)) == ""
