"""The entry, built once, and a linker of graphs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from kernels import Linker, build_entry, load_entry


@pytest.fixture(scope="session")
def entry(tmp_path_factory):
    return load_entry(build_entry(tmp_path_factory.mktemp("entry"), "gcc", "-O2"))


@pytest.fixture(scope="session")
def linker(entry, tmp_path_factory) -> Linker:
    return Linker(entry, tmp_path_factory.mktemp("graphs"))
