"""`fishplate new`: a project is built, tested, edited and shipped."""

from __future__ import annotations

import json
import shutil
import tarfile
import zipfile
from pathlib import Path

import pytest


@pytest.fixture
def project(tmp_path: Path, run_fishplate) -> Path:
    done = run_fishplate("new", "signal-tools", cwd=tmp_path)
    assert done.stdout == "signal-tools\n"
    return tmp_path / "signal-tools"


# test_build_systems.py edits such a package too.
@pytest.mark.nightly
def test_install_and_edit(project: Path, environment) -> None:
    """An editable installation follows changes of C and of the interface."""
    here = environment("venv")
    here.install("-e", ".", cwd=project)
    assert "3 passed" in here.run("-m", "pytest", "-q", cwd=project)

    def value(expression: str) -> str:
        script = f"import signal_tools._core as m; print({expression})"
        return here.run("-c", script, cwd=project.parent).strip()

    source = project / "native" / "signal_tools.c"
    source.write_text(source.read_text().replace("sum / ", "100 + sum / "))
    here.install("-e", ".", cwd=project)
    assert value("m.mean([1, 2])") == "101.5"
    interface = project / "native" / "_core.toml"
    interface.write_text(interface.read_text().replace("function.smooth]", "function.averages]"))
    here.install("-e", ".", cwd=project)
    module = project / "src" / "signal_tools" / "__init__.py"
    module.write_text(module.read_text().replace("smooth", "averages"))
    assert value("m.averages([1], 1), hasattr(m, 'smooth')") == "[101.] False"
    # A mistake is shown at its place, and the last module stays.
    interface.write_text(interface.read_text().replace("proto =", "prot =", 1))
    install = ["-m", "pip", "install", "--no-build-isolation", "--no-deps", "-e", "."]
    failed = here.try_run(*install, cwd=project)
    assert failed.returncode != 0
    assert "error[FP0102]: unknown key `prot` of a function" in failed.stdout
    assert value("m.mean([1, 2])") == "101.5"


def test_source_distribution_needs_no_fishplate(project: Path, environment, tmp_path: Path) -> None:
    author = environment("author")
    backend = "import setuptools.build_meta as b; print(b.build_sdist('dist'))"
    author.run("-c", backend, cwd=project)
    (sdist,) = (project / "dist").iterdir()
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {
        "native/_core.toml",
        "native/generated/_core_python.c",
        "tests/test_signal_tools.py",
    } <= names

    user = environment("user", fishplate_is_there=False)
    wheel = [
        "-m",
        "pip",
        "wheel",
        "--no-build-isolation",
        "--no-deps",
        "--wheel-dir",
        "wheels",
        sdist,
    ]
    user.run(*wheel, cwd=tmp_path)
    (made,) = (tmp_path / "wheels").iterdir()
    with zipfile.ZipFile(made) as archive:
        shipped = {name for name in archive.namelist() if ".dist-info/" not in name}
    (library,) = (name for name in shipped if name.endswith(".so"))
    package = ("__init__.py", "_core.pyi", "py.typed")
    assert shipped == {library, *(f"signal_tools/{name}" for name in package)}
    user.install(made, cwd=tmp_path)
    tests = shutil.copytree(project / "tests", tmp_path / "tests")
    assert "3 passed" in user.run("-m", "pytest", "-q", tests, cwd=tmp_path)
    user.run(
        "-m",
        "mypy",
        "--strict",
        "-c",
        "import signal_tools; signal_tools.mean([1]) + 1.0",
        cwd=tmp_path,
    )

    # Without Fishplate, C that is not up to date is an error.
    with (project / "native" / "_core.toml").open("a") as interface:
        interface.write("\n")
    failed = user.try_run(*wheel[:-1], project, cwd=tmp_path)
    assert failed.returncode != 0
    assert "native/generated is not up to date: run `pip install fishplate`" in failed.stdout


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("class", "is a reserved word"),
        ("numpy", "would hide the module `numpy`"),
        ("a/b", "a name has no `/`"),
        ("1st", "a name that is imported starts with a letter"),
        ("tools-", "a name starts and ends with a letter or a digit"),
    ],
)
def test_names_that_are_refused(name: str, message: str, run_fishplate, tmp_path: Path) -> None:
    assert message in run_fishplate("new", name, cwd=tmp_path, code=2).stderr
    assert not list(tmp_path.iterdir())


def test_nothing_is_overwritten(project: Path, run_fishplate) -> None:
    before = sorted(project.rglob("*"))
    error = run_fishplate("new", "signal-tools", cwd=project.parent, code=1).stderr
    assert error == "error: signal-tools is not empty: name another folder with --out\n"
    assert sorted(project.rglob("*")) == before
    (project.parent / "file").write_text("")
    error = run_fishplate("new", "other", "--out", "file", cwd=project.parent, code=1).stderr
    assert error == "error: file is a file: name another folder with --out\n"
    done = run_fishplate("--json", "new", "other", cwd=project.parent)
    assert "setup.py" in " ".join(json.loads(done.stdout)["files"])
