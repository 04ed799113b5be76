"""Fixtures of tests of the Python package: a small interface, and a process that imports it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from compilers import unoptimised

HEADER = "double total(size_t n, const double x[]);\n"
SOURCE = """
#include <stddef.h>
#include "total.h"
double total(size_t n, const double x[])
{
    double sum = START;
    for (size_t i = 0; i < n; i++) sum += x[i];
    return sum;
}
"""
INTERFACE = """
[module]
name    = "total"
headers = ["<stddef.h>", "total.h"]
sources = ["total.c"]
defines = ["START=0"]

[function.total]
proto = "double total(size_t n, const double x[n])"
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A small interface, in a folder with a name that many tools handle wrongly."""
    folder = tmp_path / "été au lait"
    folder.mkdir()
    (folder / "total.h").write_text(HEADER)
    (folder / "total.c").write_text(SOURCE)
    (folder / "total.toml").write_text(INTERFACE)
    return folder


@pytest.fixture
def python(tmp_path: Path):
    """python(script, cwd): runs a script that must pass; returns its output."""
    cache = tmp_path / "cache, à moi"

    def run(script: str, cwd: Path = tmp_path, *, wait: bool = True, **environment: str):
        process = subprocess.Popen(
            [sys.executable, "-W", "error", "-c", "import fishplate\n" + script],
            cwd=cwd,
            env=unoptimised({**os.environ, "FISHPLATE_CACHE_DIR": str(cache), **environment}),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        return finish(process) if wait else process

    run.cache = cache
    return run


def finish(process) -> str:
    output, _ = process.communicate(timeout=300)
    assert process.returncode == 0, output
    return output


def libraries(cache: Path) -> int:
    """The number of libraries in a cache."""
    return len(list((cache / "entries").glob("*/*.so")))
