"""The packages in `examples/packages`, one for each build system."""

from __future__ import annotations

import re
import shutil
import tarfile
import zipfile
from pathlib import Path

import pytest
from compilers import ALL, share

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "packages"
BACKENDS = {
    "setuptools": "setuptools.build_meta",
    "hatch": "hatchling.build",
    "cmake": "scikit_build_core.build",
    "meson": "mesonpy",
}
CALL = "import levels; print(levels.normalize([1, -4], 2), levels.peak([3]))"


def test_the_page_shows_their_build_files() -> None:
    page = (EXAMPLES.parents[1] / "docs" / "packages.md").read_text()
    shown = re.findall(r"^```(?:toml|cmake|meson)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    files = ["setuptools/pyproject.toml", "hatch/pyproject.toml", "cmake/CMakeLists.txt"]
    assert shown == [(EXAMPLES / file).read_text() for file in [*files, "meson/meson.build"]]


@pytest.fixture(params=BACKENDS)
def system(request) -> str:
    return request.param


@pytest.fixture
def package(system: str, tmp_path: Path) -> Path:
    return Path(shutil.copytree(EXAMPLES / system, tmp_path / "package"))


def test_packages_differ_in_their_build_files_only() -> None:
    folders = {path.name: path for path in EXAMPLES.iterdir() if path.is_dir()}
    assert folders.keys() == BACKENDS.keys()

    def texts(folder: Path) -> dict[str, str]:
        files = [*folder.glob("native/*"), *folder.glob("src/**/*.py")]
        return {str(file.relative_to(folder)): file.read_text() for file in files}

    first, *others = (texts(folder) for folder in folders.values())
    assert len(first) == 4
    assert all(other == first for other in others)


# By setuptools, and by a system that generates build files; `--all`: by the others too.
@pytest.mark.parametrize("system", share(list(BACKENDS), 3))
def test_wheel_from_a_source_distribution(
    system: str, package: Path, environment, tmp_path
) -> None:
    here = environment("venv")
    if system == "meson":  # Its source distributions contain what is under version control.
        here.run(
            "-c",
            "import subprocess as s; [s.run(['git', *a], check=True) for a in "
            "[['init', '-q'], ['add', '.'], ['-c', 'user.name=a', '-c', 'user.email=a@b', "
            "'commit', '-qm', 'all']]]",
            cwd=package,
        )
    build = f"import os, {BACKENDS[system]} as b; os.makedirs('dist'); print(b.build_sdist('dist'))"
    here.run("-c", build, cwd=package)
    (sdist,) = (package / "dist").iterdir()
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"native/_core.toml", "native/levels.c", "native/levels.h", "pyproject.toml"} <= names
    assert not [name for name in names if "_core_python.c" in name or name.endswith(".so")]

    wheel = ["-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "--wheel-dir", "wheels"]
    here.run(*wheel, sdist, cwd=tmp_path)
    (made,) = (tmp_path / "wheels").iterdir()
    assert "none-any" not in made.name
    with zipfile.ZipFile(made) as archive:
        shipped = {name for name in archive.namelist() if ".dist-info/" not in name}
    (library,) = (name for name in shipped if name.endswith(".so"))
    assert shipped == {library, *(f"levels/{n}" for n in ("__init__.py", "_core.pyi", "py.typed"))}

    user = environment("user", fishplate_is_there=False)
    user.install(made, cwd=tmp_path)
    assert user.run("-c", CALL, cwd=tmp_path) == "[ 0.5 -2. ] 3.0\n"


# One builds when the package is installed, one when it is imported; `--all`: the others too.
@pytest.mark.parametrize("system", BACKENDS if ALL else ["setuptools", "meson"])
def test_editable_installation_follows_edits(
    system: str, package: Path, environment, tmp_path
) -> None:
    here = environment("venv")
    here.install("-e", ".", cwd=package)
    assert here.run("-c", CALL, cwd=tmp_path).splitlines()[-1] == "[ 0.5 -2. ] 3.0"
    source = package / "native" / "levels.c"
    source.write_text(source.read_text().replace("double peak = 0;", "double peak = 8;"))
    interface = package / "native" / "_core.toml"
    interface.write_text(interface.read_text().replace("double peak = 1", "double peak = 16"))
    if system in ("setuptools", "hatch"):  # Meson and CMake build when the package is imported.
        here.install("-e", ".", cwd=package)
    script = "import levels; print(levels.normalize([1, -4]), levels.peak([3]))"
    assert here.run("-c", script, cwd=tmp_path).splitlines()[-1] == "[ 2. -8.] 8.0"


def test_mistakes_are_shown(system: str, package: Path, environment) -> None:
    here = environment("venv")
    interface = package / "native" / "_core.toml"
    interface.write_text(interface.read_text().replace("proto", "prot", 1))
    failed = here.try_run(
        "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", ".", cwd=package
    )
    assert failed.returncode != 0
    assert "error[FP0102]: unknown key `prot` of a function" in failed.stdout
    assert "native/_core.toml:8:1" in failed.stdout
