"""Signature files of f2py: converted, built with Fortran sources, and called.

Each folder of tests/signatures has NAME.pyf or NAME.pyf.src, the Fortran in NAME.f90, the expected
interface NAME.toml with the diagnostics NAME.stderr, and the calls run.py. UPDATE=1 rewrites the
expected files.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from needs import need_languages
from test_cases import UPDATE, run

FOLDERS = sorted((Path(__file__).parent / "signatures").iterdir())
SOURCES = '# sources = ["routines.f"]'


def converted(fishplate: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    (file,) = [path.name for path in folder.iterdir() if ".pyf" in path.name]
    return subprocess.run(
        [fishplate, "convert", file],
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=60,
    )


def check_module(folder: Path, build, built_in: Path) -> None:
    """Builds the interface of the folder, without a warning, and runs its run.py."""
    built = build(built_in, f"{folder.name}.toml", built_in)
    assert built.returncode == 0, built.stderr
    assert "warning" not in built.stderr
    assert run(folder / "run.py", built_in) == ""


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_signature_files_are_converted(folder: Path, fishplate: Path) -> None:
    done = converted(fishplate, folder)
    assert done.returncode == 0, done.stderr
    for path, text in [(".toml", done.stdout), (".stderr", done.stderr)]:
        expected = folder / f"{folder.name}{path}"
        if UPDATE:
            expected.write_text(text)
        assert text == expected.read_text()


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_converted_modules_work(folder: Path, fishplate: Path, build, tmp_path: Path) -> None:
    need_languages(folder)
    name = folder.name
    shutil.copy(folder / f"{name}.f90", tmp_path)
    text = (folder / f"{name}.toml").read_text()
    assert SOURCES in text
    (tmp_path / f"{name}.toml").write_text(text.replace(SOURCES, f'sources = ["{name}.f90"]'))
    check_module(folder, build, tmp_path)


def test_signature_files_are_no_interfaces(fishplate: Path, tmp_path: Path) -> None:
    (tmp_path / "m.pyf").write_text("python module m\nend python module m\n")

    def refused(command: str) -> str:
        line = [fishplate, command, "m.pyf"]
        done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, timeout=60)
        assert done.returncode != 0
        return done.stderr

    assert "`m.pyf` is a signature file of f2py, not an interface" in refused("check")
    assert "fishplate convert m.pyf --out NAME.toml" in refused("check")
    assert "m.pyf has no routine with an equivalent" in refused("convert")
    (tmp_path / "m.pyf").unlink()
    assert "cannot read m.pyf" in refused("convert")
