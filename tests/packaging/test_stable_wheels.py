"""Wheels of the stable ABI: built by one Python, installed and imported by a later one."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from needs import lacking
from pythons import SETUP, environments
from test_build_systems import BACKENDS, CALL, EXAMPLES

# The native part of the package is built for the Python of the tests. Builds need its command only.
NATIVE = """
import subprocess

def run_command(arguments):
    return subprocess.call([{command!r}, *arguments[1:]])

def __getattr__(name):
    return type(name, (Exception,), {{}})
"""

# The additions of each package to its build files: the old line, and the new ones.
SETTINGS = {
    "setuptools": ("pyproject.toml", "[tool.fishplate]", "[tool.fishplate]\nstable-abi = true"),
    "hatch": ("pyproject.toml", "modules = [", "stable-abi = true\nmodules = ["),
    "cmake": ("CMakeLists.txt", "native/_core.toml)", "native/_core.toml STABLE_ABI)"),
    "meson": (
        "meson.build",
        "  subdir: 'levels',\n",
        "  subdir: 'levels',\n  limited_api: '3.12',\n",
    ),
}
# The same in pyproject.toml, for the tag of the wheel.
TAGS = {
    "cmake": ("[tool.scikit-build]", '[tool.scikit-build]\nwheel.py-api = "cp312"'),
    "meson": ("[project]", "[tool.meson-python]\nlimited-api = true\n\n[project]"),
}


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert text.count(old) == 1
    file.write_text(text.replace(old, new))


@pytest.fixture
def package(tmp_path: Path, fishplate: Path) -> Path:
    """The Python package `fishplate`, with the command in place of its native part."""
    (source,) = (Path(part) for part in os.environ["PYTHONPATH"].split(os.pathsep)[:1])
    folder = tmp_path / "package"
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("_native.so", "__pycache__"))
    (folder / "fishplate" / "_native.py").write_text(NATIVE.format(command=str(fishplate)))
    return folder


@pytest.mark.nightly
@pytest.mark.parametrize("system", BACKENDS)
def test_one_wheel_for_all(system: str, package: Path, tmp_path: Path) -> None:
    if len(environments()) < 2:
        lacking("two Pythons from 3.12 on with NumPy", SETUP)
    oldest, *later = environments()
    project = Path(shutil.copytree(EXAMPLES / system, tmp_path / "project"))
    name, old, new = SETTINGS[system]
    edit(project / name, old, new)
    if system in TAGS:
        edit(project / "pyproject.toml", *TAGS[system])
    path = os.pathsep.join([str(oldest.parent), os.environ["PATH"]])
    environment = {**os.environ, "PYTHONPATH": str(package), "PATH": path, "CFLAGS": "-O0 -g0"}
    command = [
        oldest,
        "-m",
        "pip",
        "wheel",
        "--no-build-isolation",
        "--no-deps",
        "--wheel-dir",
        "w",
    ]
    done = subprocess.run(
        [*command, project], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = (tmp_path / "w").iterdir()
    assert wheel.name.startswith("levels-1.0-cp312-abi3-linux_")
    for python in [oldest, *later]:
        site = tmp_path / python.parents[1].name
        install = [python, "-m", "pip", "install", "--no-deps", "--no-index", "--target", site]
        subprocess.run([*install, wheel], check=True, capture_output=True)
        (library,) = site.glob("levels/*.so")
        assert library.name == "_core.abi3.so"
        told = subprocess.run(
            [python, "-c", CALL],
            env={**os.environ, "PYTHONPATH": str(site)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert told.stdout == "[ 0.5 -2. ] 3.0\n"
