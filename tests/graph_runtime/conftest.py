"""The entry, built once, and a linker of graphs."""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from compilers import LEVEL
from kernels import Linker, build_entry, load_entry, run

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def entry(tmp_path_factory):
    return load_entry(build_entry(tmp_path_factory.mktemp("entry"), "gcc", "-O2"))


@pytest.fixture(scope="session")
def linker(entry, tmp_path_factory) -> Linker:
    return Linker(entry, tmp_path_factory.mktemp("graphs"))


@pytest.fixture(scope="session")
def counting(tmp_path_factory):
    """An own entry, and the function of fault.h that counts its allocations or fails them."""
    folder = tmp_path_factory.mktemp("counting")
    run(["gcc", LEVEL, "-fPIC", "-c", HERE / "fault.c", "-o", folder / "fault.o"])
    path = build_entry(
        folder, "gcc", LEVEL, "-include", str(HERE / "fault.h"), objects=[folder / "fault.o"]
    )
    return load_entry(path), ctypes.CDLL(str(path)).fishplate_allocations_left
