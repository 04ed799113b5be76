"""Fixtures of tests of `fishplate init`: a draft, and a module that is built from it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from compilers import unoptimised
from needs import lacking


@pytest.fixture
def first(fishplate: Path, tmp_path: Path):
    """first(*headers_and_options): `fishplate init` in an empty folder; skips without a header."""

    def first(*arguments: str) -> str:
        done = subprocess.run(
            [fishplate, "init", *arguments],
            cwd=tmp_path,
            # With a Python that has NumPy, drafts are also compiled and linked.
            env=unoptimised({**os.environ, "VIRTUAL_ENV": sys.prefix}),
            capture_output=True,
            text=True,
            timeout=300,
        )
        if "` not found" in done.stderr:
            lacking("a library's header", done.stderr.strip())
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    return first


@pytest.fixture
def works(first, build, tmp_path: Path):
    """works(script, *headers_and_options): the draft builds unchanged, and the script passes."""

    def works(script: str, *arguments: str) -> None:
        file = first(*arguments)
        built = build(tmp_path, file, tmp_path / "modules")
        assert built.returncode == 0, built.stderr
        done = subprocess.run(
            [sys.executable, "-X", "dev", "-W", "error", "-c", script],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(tmp_path / "modules")},
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr

    return works
