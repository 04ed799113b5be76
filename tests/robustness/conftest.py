"""Modules of random functions, built once for all tests of this folder."""

from __future__ import annotations

import os
import secrets
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import chance
import csource
import tools
from built import Built

FIXED_SEEDS = [1, 2, 3]
# A new module on every run; to see a failure again: FISHPLATE_SEED=<what the test's name says>.
FRESH_SEED = int(os.environ.get("FISHPLATE_SEED") or secrets.randbelow(10**9))
FUNCTIONS = 60


@pytest.fixture(scope="session", params=[*FIXED_SEEDS, FRESH_SEED], ids=lambda s: f"seed{s}")
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Built:
    """One module of random functions."""
    seed: int = request.param
    folder = tmp_path_factory.mktemp(f"random{seed}")
    suite = chance.random_suite(f"random_{seed}", seed, FUNCTIONS)
    interface = csource.write(suite, folder)
    tools.build(interface, folder / "out")
    return Built(suite, tools.load(suite.name, folder / "out"), interface, seed)


def pytest_report_header() -> str:
    return f"fishplate: {tools.fishplate()}, fresh seed {FRESH_SEED} (FISHPLATE_SEED)"
