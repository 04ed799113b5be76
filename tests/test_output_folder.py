"""The output folder of `fishplate build`: the files that it leaves there, and its work files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from compilers import unoptimised

INTERFACE = """
[module]
name = "pkg.roots"
headers = ["<math.h>"]

[function.root]
proto = "double sqrt(double x)"
"""


@pytest.fixture
def build(tmp_path: Path, fishplate: Path):
    (tmp_path / "roots.toml").write_text(INTERFACE)

    def build(out: str, code: int = 0, **environment: str) -> str:
        own = {**os.environ, "FISHPLATE_CACHE_DIR": str(tmp_path / "cache"), **environment}
        done = subprocess.run(
            [fishplate, "build", "roots.toml", "--out", out, "--python", sys.executable],
            cwd=tmp_path,
            env=own if "CC" in environment else unoptimised(own),
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == code, done.stderr
        return done.stderr

    return build


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_a_package_gets_the_module_and_its_stub_only(tmp_path: Path, build) -> None:
    build("src")
    found = files(tmp_path / "src")
    (library,) = (name for name in found if name.endswith((".so", ".dylib")))
    assert found == {library, "pkg/roots.pyi", "pkg/py.typed"}
    assert "nothing changed" in build("src")
    assert "nothing changed" in build("./src/../src")
    # Another folder is another build, and its work files go with it.
    build("other")
    shutil.rmtree(tmp_path / "src")
    build("third")
    works = {path.read_text() for path in (tmp_path / "cache" / "builds").glob("*/output")}
    assert works == {str(tmp_path / name / "pkg") for name in ("other", "third")}


def test_without_a_cache_work_files_go_with_the_process(tmp_path: Path, build) -> None:
    (tmp_path / "file").write_text("")
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    refused = {"FISHPLATE_CACHE_DIR": str(tmp_path / "file"), "TMPDIR": str(temporary)}
    build("src", **refused)
    assert len(files(tmp_path / "src")) == 3
    assert not list(temporary.iterdir())


def test_an_output_folder_that_cannot_be_made(build) -> None:
    """Not even by root."""
    output = build("/proc/x", code=1)
    assert "error[FP0503]: could not create the folder /proc/x/" in output, output
    assert "help: choose an output folder that can be written" in output


def test_a_compiler_that_writes_nothing(tmp_path: Path, build) -> None:
    output = build("src", code=1, CC="/bin/true")
    assert "error[FP0503]: `/bin/true` ended without an error and wrote no object file" in output
    assert "help: name a C compiler in $CC, such as gcc" in output
    assert not (tmp_path / "src").exists()
    # Files that are found afterwards are not left over from it.
    build("src")
