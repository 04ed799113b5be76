"""Modules that are built with the same compiler and flags share a precompiled header."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from compilers import is_real

HEADER = "static inline int twice(int x) { return 2 * x; }\n"
INTERFACE = """[module]
name = "{name}"
headers = ["m.h"]
cflags = {flags}

[function.twice]
proto = "int twice(int x)"
"""
CALL = "import {name}; print({name}.twice(21))"


@pytest.fixture
def make(tmp_path: Path, fishplate: Path):
    """make(name, flags, CC): builds and calls a module, with a cache of its own; the commands."""

    def make(name: str, flags: str = "[]", **more: str) -> str:
        (tmp_path / "m.h").write_text(HEADER)
        (tmp_path / f"{name}.toml").write_text(INTERFACE.format(name=name, flags=flags))
        env = {**os.environ, "FISHPLATE_CACHE_DIR": str(tmp_path / "cache"), **more}
        done = subprocess.run(
            [fishplate, "build", f"{name}.toml", "--python", sys.executable, "-v", "-o", "."],
            cwd=tmp_path,
            env=env,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        called = [sys.executable, "-c", CALL.format(name=name)]
        assert subprocess.check_output(called, cwd=tmp_path, text=True) == "42\n"
        return done.stderr

    return make


def headers(tmp_path: Path) -> list[Path]:
    return [file for file in tmp_path.glob("cache/headers/*/obj/*") if file.suffix == ".gch"]


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
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
