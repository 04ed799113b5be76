"""Modules that are built with the same compiler and flags share a precompiled header."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from compilers import is_real, share, unoptimised

HEADER = "static inline int twice(int x) { return 2 * x; }\n"
INTERFACE = """[module]
name = "{name}"
headers = ["m.h"]
language = "{language}"
cflags = {flags}

[function.twice]
proto = "int twice(int x)"
"""
CALL = "import {name}; print({name}.twice(21))"
LUA_CALL = "print(require('{name}').twice(21))"


@pytest.fixture
def make(tmp_path: Path, fishplate: Path):
    """make(name, flags, CC): builds and calls a module, with a cache of its own; the commands."""

    def make(name: str, flags: str = "[]", language: str = "c", lua: str = "", **more: str) -> str:
        (tmp_path / "m.h").write_text(HEADER)
        text = INTERFACE.format(name=name, language=language, flags=flags)
        (tmp_path / f"{name}.toml").write_text(text)
        env = {**os.environ, "FISHPLATE_CACHE_DIR": str(tmp_path / "cache"), **more}
        env = unoptimised(env)
        target = [f"--lua={lua}"] if lua else ["--python", sys.executable]
        done = subprocess.run(
            [fishplate, "build", f"{name}.toml", *target, "-v", "-o", "."],
            cwd=tmp_path,
            env=env,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        call = CALL.format(name=name)
        called = [lua, "-e", LUA_CALL.format(name=name)] if lua else [sys.executable, "-c", call]
        assert subprocess.check_output(called, cwd=tmp_path, text=True) == "42\n"
        return done.stderr

    return make


def headers(tmp_path: Path) -> list[Path]:
    return [file for file in tmp_path.glob("cache/headers/*/obj/*") if file.suffix == ".gch"]


@pytest.mark.parametrize("compiler", share(["gcc", "clang"], 2))
def test_modules_share_a_header(compiler: str, make, tmp_path: Path) -> None:
    if not is_real(compiler):
        pytest.skip(f"no {compiler}")
    first, second = (make(name, '["-I."]', CC=compiler) for name in ("first", "second"))
    [header] = headers(tmp_path)
    assert "c-header" in first and "c-header" not in second
    assert str(header.with_suffix("")) in second
    # A damaged one is compiled again.
    header.write_bytes(header.read_bytes()[:1000])
    third = make("third", '["-I."]', CC=compiler)
    assert "c-header" in third and header.stat().st_size > 1000
    # With other flags it would be another header.
    make("fourth", '["-O1"]', CC=compiler)
    assert len(headers(tmp_path)) == 2


@pytest.mark.parametrize(
    ("compiler", "lua", "count"), [("clang++", "", 1), ("clang++", "lua5.4", 1), ("g++", "", 0)]
)
def test_modules_of_cplusplus(compiler: str, lua: str, count: int, make, tmp_path: Path) -> None:
    """The precompiled header of g++ is five times as large."""
    if not is_real(compiler) or (lua and shutil.which(lua) is None):
        pytest.skip(f"no {compiler} or no {lua}")
    first, second = (make(name, "[]", "c++", lua, CXX=compiler) for name in ("first", "second"))
    assert len(headers(tmp_path)) == count
    assert first.count("c++-header") == count and "c++-header" not in second


def test_flags_that_may_concern_one_unit(make, tmp_path: Path) -> None:
    make("m", '["-include", "stdio.h"]')
    assert headers(tmp_path) == []


def test_a_compiler_that_cannot_use_it(make, tmp_path: Path) -> None:
    """Some systems cannot load a header of gcc at its address."""
    compiler = tmp_path / "compiler"
    script = 'case "$*" in *-include*) echo "error: cannot map PCH file" >&2; exit 1;; esac\n'
    compiler.write_text(f'#!/bin/sh\n{script}exec gcc "$@"\n')
    compiler.chmod(0o755)
    commands = make("m", CC=str(compiler))
    assert "-include" in commands and len(headers(tmp_path)) == 1
