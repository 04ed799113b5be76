"""Distributions of the Python package: types, the source distribution, the wheel."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def test_types(tmp_path):
    """The package is typed, and its metadata are true."""
    folder = ROOT / "bindings" / "python" / "fishplate"
    mypy = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), str(folder)]
    done = subprocess.run(mypy, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_source_distribution(tmp_path):
    """Cargo reads what is distributed: every crate, also of features that pip leaves out."""
    maturin = Path(sys.executable).with_name("maturin")
    made = subprocess.run(
        [maturin, "sdist", "--out", tmp_path], cwd=ROOT, capture_output=True, text=True
    )
    assert made.returncode == 0, made.stderr
    (archive,) = tmp_path.iterdir()
    with tarfile.open(archive) as files:
        files.extractall(tmp_path, filter="data")
    manifest = tmp_path / archive.name.removesuffix(".tar.gz") / "bindings/python/Cargo.toml"
    read = ["cargo", "metadata", "--offline", "--format-version=1", "--manifest-path", manifest]
    done = subprocess.run(read, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


# `cargo xtask dist` tries wheels too. The packages of users are in tests/packaging.
@pytest.mark.nightly
def test_wheel(tmp_path, project):
    """Built by pip from the root of the checkout, and installed in an empty environment."""
    wheels = tmp_path / "wheels"
    environment = {
        **os.environ,
        # With `fishplate lua`, as the tests build it: nothing is compiled twice.
        "MATURIN_PEP517_ARGS": "--profile=dev --features=lua",
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    environment.pop("PYTHONPATH", None)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    build = [*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", wheels, ROOT]
    done = subprocess.run(build, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = wheels.iterdir()
    # With the NumPy of the tests, and none of their other packages: nothing is downloaded.
    venv.create(tmp_path / "venv", symlinks=True)
    here = tmp_path / "venv" / "bin" / "python"
    site = subprocess.check_output(
        [here, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], text=True
    ).strip()
    import numpy

    packages = Path(numpy.__file__).parent.parent
    for folder in packages.glob("numpy*"):
        Path(site, folder.name).symlink_to(folder)
    install = [*pip, "--python", here, "install", "--no-deps", "--quiet", wheel]
    subprocess.run(install, env=environment, check=True)
    command = tmp_path / "venv" / "bin" / "fishplate"
    done = subprocess.run([command, "check", "total.toml"], cwd=project, env=environment)
    assert done.returncode == 0
    for option, file in [
        ("--include-dir", "fishplate/python.hpp"),
        ("--cmake-dir", "FishplateConfig.cmake"),
        ("--pkgconfig-dir", "fishplate.pc"),
    ]:
        folder = subprocess.check_output([command, option], env=environment, text=True)
        assert Path(folder.strip(), file).is_file() and Path(folder).is_relative_to(site)
    script = """
import time, numpy, json
begin = time.perf_counter()
import fishplate
took = time.perf_counter() - begin
assert fishplate.load("total.toml").total([1, 2]) == 3
print(json.dumps([took, fishplate.__file__, fishplate.__version__]))
"""
    cache = {"FISHPLATE_CACHE_DIR": str(tmp_path / "cache")}
    output = subprocess.check_output(
        [here, "-c", script], cwd=project, env={**environment, **cache}, text=True
    )
    took, file, version = json.loads(output)
    assert Path(file).is_relative_to(site)
    assert wheel.name.startswith(f"fishplate-{version}-")
    print(f"import fishplate took {1000 * took:.1f} ms beyond NumPy's own, in a debug build")
