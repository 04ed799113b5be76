"""First interfaces of Fortran sources: drafted, built and called.

Each folder of tests/fortran has NAME.f90 or NAME.f, perhaps other sources whose modules it uses,
the expected interface NAME.toml, the shims NAME_for_c.f90 if it needs any, and the calls run.py.
UPDATE=1 rewrites the expected files.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from needs import program
from test_cases import UPDATE
from test_signatures import check_module

SUFFIXES = (".f90", ".F90", ".f")
FOLDERS = sorted((Path(__file__).parent / "fortran").iterdir())


def sources(folder: Path) -> list[str]:
    """The sources, the one with the name of the folder last."""
    names = [path.name for path in folder.iterdir() if path.suffix in SUFFIXES]
    names = [name for name in names if not name.endswith("_for_c.f90")]
    return sorted(names, key=lambda name: (name.startswith(f"{folder.name}."), name))


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
    for name in sources(folder):
        (tmp_path / name).write_text((folder / name).read_text())
    done = init(fishplate, tmp_path, *sources(folder))
    assert done.returncode == 0, done.stderr
    for name in (f"{folder.name}.toml", f"{folder.name}_for_c.f90"):
        written, expected = tmp_path / name, folder / name
        if UPDATE and written.exists():
            expected.write_text(written.read_text())
        assert written.exists() == expected.exists()
        if written.exists():
            assert written.read_text() == expected.read_text()


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_their_modules_work(folder: Path, build, tmp_path: Path) -> None:
    program("gfortran")
    for file in folder.iterdir():
        if file.suffix in (*SUFFIXES, ".toml"):
            (tmp_path / file.name).write_text(file.read_text())
    check_module(folder, build, tmp_path)


def test_refused_shims(
    fishplate: Path, tmp_path: Path, build, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A shim that the compiler refuses leaves out its procedure, and not the others."""
    program("gfortran")
    monkeypatch.setenv("VIRTUAL_ENV", sys.prefix)
    (tmp_path / "ones.f90").write_text("""
module ones
  implicit none
  private :: curve
  abstract interface
    real function curve(t)
      real, intent(in) :: t
    end function
  end interface
contains
  subroutine sized(size, x)
    integer, intent(in) :: size
    real, allocatable, intent(out) :: x(:)
    allocate(x(size), source=1.0)
  end subroutine
  subroutine mapped(f, x)
    procedure(curve) :: f
    real, intent(inout) :: x(:)
    x(1) = f(x(1))
  end subroutine
  subroutine made(n, x)
    integer, intent(in) :: n
    real, allocatable, intent(out) :: x(:)
    allocate(x(n), source=1.0)
  end subroutine
end module
""")
    done = init(fishplate, tmp_path, "ones.f90")
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "ones.toml").read_text()
    assert "[function.made]" in text and "sized_for_c" not in text
    # A shim has its own declaration of a private interface.
    assert "[function.mapped]" in text
    assert "# sized: the Fortran compiler refuses its shim: Procedure 'size'" in text
    assert "sized" not in (tmp_path / "ones_for_c.f90").read_text()
    assert build(tmp_path, "ones.toml", tmp_path / "modules").returncode == 0


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
    assert "b.f90 has no wanted procedure" in refused("b.f90")
    assert "a.f90 has no wanted procedure" in refused("a.f90", "--only", "g")


def test_drafts_without_procedures_have_the_reasons(fishplate: Path, tmp_path: Path) -> None:
    (tmp_path / "a.f90").write_text(
        "module a\nprivate\ncontains\nsubroutine f()\nend subroutine\nend module\n"
    )
    (tmp_path / "c.f90").write_text(
        "subroutine g(x)\nreal, allocatable, intent(out) :: x(:)\nend subroutine\n"
    )
    done = init(fishplate, tmp_path, "a.f90", "c.f90")
    assert done.returncode == 0 and "no function was guessed" in done.stderr
    text = (tmp_path / "c.toml").read_text()
    assert "# f: it is private: add bind(c)" in text
    assert "# g: `x` is allocatable: put the procedure into a module" in text
