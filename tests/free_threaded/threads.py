"""Modules on a free-threaded Python, without the GIL: run by `cargo xtask test --free-threaded`.

`sharing.py` shares objects, callbacks, lists and a module among threads, `graphs.py` linked
graphs and shared variables; `racing.py` of the robustness tests uses examples and cases on eight
threads.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
TESTS = HERE.parent
sys.path.append(str(TESTS / "robustness"))

sys.path.append(str(TESTS / "graph_runtime"))

import tools  # noqa: E402
import watched  # noqa: E402
from kernels import build_entry  # noqa: E402

SCENARIOS = (
    *("counting", "closing", "parts", "discarding", "listening", "lists", "results", "matrices"),
    *("explaining", "loading"),
)
GRAPHS = ("calling", "replacing", "racing", "emptying", "counting", "creating")


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("shared")
    tools.build(HERE / "shared.toml", out, optimise=True)
    return out


def run(script: Path, name: str, out: Path, gil: str, *more: Path) -> None:
    done = tools.run(
        [sys.executable, "-X", "faulthandler", script, name, *more],
        env={"PYTHONPATH": str(out), "PYTHON_GIL": gil},
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stdout + done.stderr[-6000:]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_shares(scenario: str, shared: Path) -> None:
    """The module declares that it needs no GIL, so the import does not enable it."""
    run(HERE / "sharing.py", scenario, shared, gil="")


@pytest.fixture(scope="session")
def entry(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The entry of graphs as a module that declares that it needs no GIL."""
    return build_entry(tmp_path_factory.mktemp("entry"), "gcc", "-O2")


@pytest.mark.parametrize("scenario", GRAPHS)
def test_calls_graphs(scenario: str, entry: Path) -> None:
    run(HERE / "graphs.py", scenario, entry.parent, "", entry)


@pytest.mark.parametrize("name", ["stats", "deflate", *watched.RACING])
def test_uses_on_eight_threads(name: str, tmp_path: Path) -> None:
    """The runtime is right too in a module that does not declare that it needs no GIL."""
    examples = TESTS.parent / "examples" / name
    folder = examples if examples.is_dir() else TESTS / "cases" / name
    tools.build(folder / f"{name}.toml", tmp_path, optimise=True)
    run(TESTS / "robustness" / "racing.py", name, tmp_path, gil="0")


SAFE = 'threads = "safe"\n'
IMPORT = "import sys, m; print(sys._is_gil_enabled(), m.one())"


@pytest.mark.parametrize("safe", [True, False])
def test_import_enables_the_gil_unless_all_functions_are_safe(safe: bool, tmp_path: Path) -> None:
    (tmp_path / "m.h").write_text("static inline int one(void) { return 1; }\n")
    text = '[module]\nname = "m"\nheaders = ["m.h"]\n[function.one]\nproto = "int one(void)"\n'
    (tmp_path / "m.toml").write_text(text + SAFE * safe)
    tools.build(tmp_path / "m.toml", tmp_path)
    env = {"PYTHONPATH": str(tmp_path), "PYTHON_GIL": ""}
    done = tools.run([sys.executable, "-c", IMPORT], env=env)
    assert done.stdout == f"{not safe} 1\n"
    warning = "The global interpreter lock (GIL) has been enabled to load module 'm'"
    assert (warning in done.stderr) == (not safe), done.stderr
