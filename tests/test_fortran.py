"""First interfaces of Fortran sources: drafted, built and called.

Each folder of tests/fortran has NAME.f90 or NAME.f, the expected interface NAME.toml, and the calls
run.py. UPDATE=1 rewrites the expected files.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from needs import program
from test_cases import UPDATE
from test_signatures import check_module

FOLDERS = sorted((Path(__file__).parent / "fortran").iterdir())


def source(folder: Path) -> str:
    (file,) = [path.name for path in folder.iterdir() if path.suffix in (".f90", ".f")]
    return file


def init(fishplate: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [fishplate, "init", *arguments],
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_sources_have_first_interfaces(folder: Path, fishplate: Path, tmp_path: Path) -> None:
    program("gfortran")
    (tmp_path / source(folder)).write_text((folder / source(folder)).read_text())
    done = init(fishplate, tmp_path, source(folder))
    assert done.returncode == 0, done.stderr
    text = (tmp_path / f"{folder.name}.toml").read_text()
    expected = folder / f"{folder.name}.toml"
    if UPDATE:
        expected.write_text(text)
    assert text == expected.read_text()


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_their_modules_work(folder: Path, build, tmp_path: Path) -> None:
    program("gfortran")
    for name in (source(folder), f"{folder.name}.toml"):
        (tmp_path / name).write_text((folder / name).read_text())
    check_module(folder, build, tmp_path)


def test_refused_sources(fishplate: Path, tmp_path: Path) -> None:
    def refused(*arguments: str) -> str:
        done = init(fishplate, tmp_path, *arguments)
        assert done.returncode != 0
        assert not list(tmp_path.glob("*.toml"))
        return done.stderr

    assert "cannot read none.f90" in refused("none.f90")
    (tmp_path / "a.f90").write_text(
        "module a\nprivate\ncontains\nsubroutine f()\nend subroutine\nend module\n"
    )
    (tmp_path / "b.f90").write_text("program b\nend program\n")
    assert "one Fortran source at a time" in refused("a.f90", "b.f90")
    assert "`f`: it is private: add bind(c)" in refused("a.f90")
    assert "b.f90 has no wanted procedure" in refused("b.f90")
    assert "a.f90 has no wanted procedure" in refused("a.f90", "--only", "g")
