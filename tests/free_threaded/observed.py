"""Modules under ThreadSanitizer without the GIL: run by `cargo xtask test --free-threaded`.

The sanitizer knows the locks of Python only if Python is instrumented, so scripts run on one that
is, $FISHPLATE_OBSERVED. Its own races, and those of NumPy, are not ours: a report counts if it has
a frame of the module.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
TESTS = HERE.parent
sys.path.append(str(TESTS / "robustness"))

import tools  # noqa: E402
import watched  # noqa: E402

OBSERVED = os.environ["FISHPLATE_OBSERVED"]
if Path(OBSERVED).name != f"python3.{sys.version_info.minor}":
    pytest.skip(f"{OBSERVED} cannot load modules of this Python", allow_module_level=True)
CASES = TESTS / "cases"
EXAMPLES = TESTS.parent / "examples"


def run_script(interface: Path, out: Path, *script: str | Path) -> None:
    watched.build(interface, out)
    path = f"{CASES}:{sysconfig.get_path('purelib')}"
    done = watched.run(out, *script, path=path, python=OBSERVED)
    assert done.stdout == "done\n", done.stdout + done.stderr[-6000:]
    [module] = out.glob(f"*{tools.suffix()}")
    reports = done.stderr.split("WARNING: ThreadSanitizer")[1:]
    ours = [report for report in reports if module.name in report]
    assert not ours, ours[0]


@pytest.mark.parametrize(
    "scenario",
    "counting closing parts discarding listening lists results explaining".split(),
)
def test_shares(scenario: str, tmp_path: Path) -> None:
    run_script(HERE / "shared.toml", tmp_path, HERE / "sharing.py", scenario)


# Threads of the case set one field of a struct: the last one wins, as in an array.
RACING = [name for name in watched.RACING if name != "structs"]


@pytest.mark.parametrize("name", ["stats", "gsl", *RACING])
def test_uses_on_eight_threads(name: str, tmp_path: Path) -> None:
    folder = EXAMPLES if (EXAMPLES / name).is_dir() else CASES
    interface = folder / name / f"{name}.toml"
    run_script(interface, tmp_path, tools.HERE / "racing.py", name)


def test_overrides_on_threads_of_cpp(tmp_path: Path) -> None:
    name = "cplusplus_overrides"
    interface = CASES / name / f"{name}.toml"
    script = tmp_path / "script.py"
    script.write_text(
        f"import runpy\nrunpy.run_path({str(CASES / name / 'run.py')!r})\nprint('done')\n"
    )
    run_script(interface, tmp_path / "out", script)
