"""Warnings of the C compiler about a function stand at its prototype, once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from compilers import is_real

HEADER = """
__attribute__((deprecated("use two"))) static inline int one(int x) { return x; }
static inline int two(int x) { return x + 1; }
"""
INTERFACE = """[module]
name = "old"
headers = ["old.h"]
{language}
[function.first]
proto = "int one(int x)"
[function.two]
proto = "int two(int x)"
"""


@pytest.mark.parametrize("language", ["", 'language = "c++"'], ids=["c", "c++"])
@pytest.mark.parametrize("host", ["python", "lua"])
@pytest.mark.parametrize(("cc", "cxx"), [("gcc", "g++"), ("clang", "clang++")])
def test_of_a_deprecated_function(
    cc: str, cxx: str, host: str, language: str, fishplate: Path, tmp_path: Path
) -> None:
    if not (is_real(cc) and is_real(cxx)):
        pytest.skip(f"no {cc} with {cxx}")
    (tmp_path / "old.h").write_text(HEADER)
    (tmp_path / "old.toml").write_text(INTERFACE.format(language=language))
    target = ["--python", sys.executable] if host == "python" else ["--host", "lua"]
    done = subprocess.run(
        [fishplate, "build", "old.toml", *target],
        cwd=tmp_path,
        env={**os.environ, "NO_COLOR": "1", "CC": cc, "CXX": cxx, "CFLAGS": "-O0"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("warning") == 1, done.stderr
    assert "is deprecated: use two [-Wdeprecated-declarations]\n --> old.toml:6:10\n" in done.stderr
    assert done.stderr.startswith("warning[FP0504]: function `first`: ")
