"""Types of Eigen in prototypes: tests/eigen_types, in Python and Lua."""

from __future__ import annotations

from pathlib import Path

import needs
import pytest
from luas import interpret, need
from test_cases import run
from test_cases_lua import NEWEST
from test_cases_lua import build as build_for_lua

FOLDER = Path(__file__).parent / "eigen_types"
INTERFACE = FOLDER / "eigen_types.toml"


def need_eigen() -> None:
    needs.cxx()
    needs.header("eigen3/signature_of_eigen3_matrix_library", "libeigen3-dev")


def test_python(build, tmp_path: Path) -> None:
    need_eigen()
    built = build(FOLDER, INTERFACE.name, tmp_path)
    assert built.returncode == 0, built.stderr
    assert "warning" not in built.stderr
    assert run(FOLDER / "run.py", tmp_path) == ""


@pytest.mark.nightly
def test_lua(fishplate: Path, built, tmp_path: Path) -> None:
    need_eigen()
    need(NEWEST)
    build_for_lua(fishplate, FOLDER, NEWEST, tmp_path)
    assert interpret(NEWEST, FOLDER / "run.lua", tmp_path, built(NEWEST)) == ""
