"""The output of `fishplate emit` for build systems: descriptions and dependency files."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

INTERFACE = """
[module]
name = "tools.sums"
headers = ["sums.h"]
sources = ["sums.c"]
include-dirs = ["include"]
defines = ["START=1"]
cflags = ["-O3", "-Wl,--as-needed"]
libraries = ["z", "lib/libown.a"]
library-dirs = ["lib"]

[function.total]
proto = "double total(size_t n, const double x[n])"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("native", "native/include", "native/lib"):
        (tmp_path / name).mkdir()
    (tmp_path / "native" / "lib" / "libown.a").write_text("")
    (tmp_path / "native" / "sums.c").write_text("")
    (tmp_path / "native" / "sums.toml").write_text(INTERFACE)
    return tmp_path


def test_description(folder: Path, run_fishplate) -> None:
    """Relative paths stay relative, so that a source distribution can be built elsewhere."""
    arguments = ["emit", "native/sums.toml", "--out", "c", "--describe", "build/sums.json"]
    run_fishplate(*arguments, cwd=folder)
    described = json.loads((folder / "build" / "sums.json").read_text())
    assert described == {
        "module": "tools.sums",
        "sources": ["c/sums_python.c", "native/sums.c"],
        "include_dirs": ["native/include", "native", "c"],
        "defines": ["START=1"],
        "cflags": ["-O3"],
        "link_flags": ["-Wl,--as-needed"],
        "libraries": ["z", "native/lib/libown.a"],
        "library_dirs": ["native/lib"],
        "dependencies": ["native/sums.toml"],
        "install": [
            {"file": "c/tools/sums.pyi", "as": "tools/sums.pyi"},
            {"file": "c/tools/py.typed", "as": "tools/py.typed"},
        ],
        "stable_abi": False,
    }
    assert json.loads(run_fishplate("--json", *arguments, cwd=folder).stdout)["build"] == described


def test_dependency_file_of_an_annotated_header(tmp_path: Path, run_fishplate) -> None:
    (tmp_path / "kinds of.h").write_text("typedef double real;\n")
    header = (
        '#include <fishplate.h>\n#include "kinds of.h"\nFP_SKIP void f(void);\nreal half(real x);\n'
    )
    (tmp_path / "half.h").write_text(header)
    run_fishplate("emit", "half.h", "-o", "out", "--depfile", "out/half.d", cwd=tmp_path)
    rule = (tmp_path / "out" / "half.d").read_text()
    assert rule.startswith("out/half_python.c: \\\n  half.h")
    assert f"{tmp_path}/kinds\\ of.h" in rule


def test_files_that_are_up_to_date_stay(folder: Path, run_fishplate) -> None:
    emit = ["emit", "native/sums.toml", "--out", "c"]
    run_fishplate(*emit, cwd=folder)
    unit = folder / "c" / "sums_python.c"
    os.utime(folder / "native" / "sums.toml", (1, 1))
    os.utime(unit, (2, 2))
    run_fishplate(*emit, cwd=folder)
    assert unit.stat().st_mtime == 2
    # The file is newer than the interface: otherwise Ninja would emit it in each run.
    os.utime(folder / "native" / "sums.toml", (3, 3))
    run_fishplate(*emit, cwd=folder)
    assert unit.stat().st_mtime > 3


def test_the_header_for_interrupts_is_emitted(folder: Path, run_fishplate) -> None:
    assert (
        "fishplate/interrupt.h"
        not in run_fishplate("emit", "native/sums.toml", "--out", "c", cwd=folder).stdout
    )
    (folder / "native" / "sums.c").write_text("#include <fishplate/interrupt.h>\n")
    done = run_fishplate("emit", "native/sums.toml", "--out", "c", cwd=folder)
    assert "c/fishplate/interrupt.h\n" in done.stdout
    assert (folder / "c" / "fishplate" / "interrupt.h").is_file()


def test_a_folder_that_cannot_be_written(folder: Path, run_fishplate) -> None:
    (folder / "file").write_text("")
    for option in ("--describe", "--depfile"):
        done = run_fishplate("emit", "native/sums.toml", option, "file/x", cwd=folder, code=1)
        assert done.stderr.startswith("error: could not write file/x: ")
