"""Linked graphs and their callers, under sanitizers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import fishplate
import pytest
from compilers import LEVEL

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "graph_runtime"))

from kernels import build_entry  # noqa: E402

COMPILER = """#!/bin/sh
exec gcc "$@" {flags}
"""


def preloaded(*libraries: str) -> str:
    """The paths of libraries of the compiler, for LD_PRELOAD."""
    found = [
        subprocess.run(["gcc", f"-print-file-name={one}"], capture_output=True, text=True).stdout
        for one in libraries
    ]
    return " ".join(one.strip() for one in found)


@pytest.mark.parametrize(
    ("libraries", "mark", "flags", "options"),
    [
        (
            ["libasan.so", "libubsan.so"],
            b"__asan",
            ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"],
            {"ASAN_OPTIONS": "detect_leaks=0"},
        ),
        (["libtsan.so"], b"__tsan", ["-fsanitize=thread"], {"TSAN_OPTIONS": "exitcode=66"}),
    ],
)
def test_sanitizers_find_nothing(tmp_path, libraries, mark, flags, options):
    compiler = tmp_path / "gcc"
    compiler.write_text(COMPILER.format(flags=" ".join(flags)))
    compiler.chmod(0o755)
    entry = build_entry(tmp_path, "gcc", LEVEL, "-g", *flags)
    first = os.environ.get("FISHPLATE_PROGRAMS", "0").split()[0]
    done = subprocess.run(
        [sys.executable, "-W", "ignore", HERE / "checked.py", entry, first, "6", "--threads"],
        env={
            **os.environ,
            **options,
            "PYTHONPATH": str(Path(fishplate.__file__).parents[1]),
            "CC": str(compiler),
            "FISHPLATE_CACHE_DIR": str(tmp_path / "cache"),
            "LD_PRELOAD": preloaded(*libraries),
            # BLAS's own threads are not checked here.
            "OPENBLAS_NUM_THREADS": "1",
        },
        capture_output=True,
        text=True,
        timeout=1000,
    )
    assert done.returncode == 0, done.stderr[-6000:]
    made = [path.read_bytes() for path in (tmp_path / "cache").rglob("*.so")]
    assert made and all(mark in one for one in made), "linked code is not checked"
    assert "done" in done.stdout
    assert "WARNING" not in done.stderr, done.stderr[-6000:]
