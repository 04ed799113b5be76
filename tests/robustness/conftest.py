"""Modules of random functions, built once for all tests of this folder."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import chance
import csource
import tools
from built import Built
from compilers import ALL

# `cargo xtask soak` asks for another one every time; the tests are the same on every run. `--all`:
# four modules, which are optimised.
USUAL = [1, 2, 3, 4] if ALL else [1]
SEEDS = [int(os.environ["FISHPLATE_SEED"])] if "FISHPLATE_SEED" in os.environ else USUAL
FUNCTIONS = 60


@pytest.fixture(scope="session", params=SEEDS, ids=lambda s: f"seed{s}")
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Built:
    """One module of random functions."""
    seed: int = request.param
    folder = tmp_path_factory.mktemp(f"random{seed}")
    suite = chance.random_suite(f"random_{seed}", seed, FUNCTIONS)
    interface = csource.write(suite, folder)
    tools.build(interface, folder / "out")
    return Built(suite, tools.load(suite.name, folder / "out"), interface, seed)


def pytest_report_header() -> str:
    return f"fishplate: {tools.fishplate()}"
