"""Modules with the stable ABI: one file for every CPython from 3.12 on.

With `cargo xtask test --all`, each case is built with the oldest Python of `cargo xtask setup
--pythons`, `abi3audit` looks at symbols, and each of these Pythons runs its scripts with that file.
Otherwise one case is compiled with the headers of a newer Python, in which everything else is
undeclared. This needs no NumPy for that Python, since NumPy's headers are the same for all.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy
import pytest
from compilers import ALL, unoptimised
from needs import lacking, need_languages, program
from pythons import SETUP, STABLE, environments, stable_headers
from test_cases import CASES, interface, name, run, scripts

HANDLES = CASES / "handles"
INCLUDE = CASES.parents[1] / "bindings" / "python" / "fishplate" / "include"
STRICT = ["-Wall", "-Wextra", "-Werror", "-Wno-cpp", "-fsyntax-only"]
LIMITED = "-DPy_LIMITED_API=0x030C0000"


@pytest.fixture(scope="module")
def emitted(fishplate: Path, tmp_path_factory) -> Path:
    """The C of a case, with the runtime header."""
    out = tmp_path_factory.mktemp("emitted")
    subprocess.run([fishplate, "emit", HANDLES / "handles.toml", "--out", out], check=True)
    return out


@pytest.mark.parametrize("compiler", ["gcc -std=c99", "clang -std=c11", "g++ -std=c++11 -x c++"])
def test_generated_c_needs_the_limited_api_only(compiler: str, emitted: Path) -> None:
    headers = stable_headers() or lacking("Python 3.12 or later with its headers", SETUP)
    command, *flags = compiler.split()
    # Those of Python and NumPy are not tested here.
    folders = [f"-I{HANDLES}", "-isystem", headers, "-isystem", numpy.get_include()]
    unit = emitted / "handles_python.c"
    done = subprocess.run(
        [program(command), *flags, *STRICT, LIMITED, *folders, unit],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def build_stable(fishplate: Path, python: Path, folder: Path, out: Path):
    return subprocess.run(
        [fishplate, "build", interface(folder), "--stable-abi"]
        + ["--python", python, "--out", out],
        cwd=folder,
        env=unoptimised({**os.environ, "NO_COLOR": "1"}),
        capture_output=True,
        text=True,
    )


def test_this_python(fishplate: Path, tmp_path: Path) -> None:
    """It builds and loads such a module, or the error says which Python is needed."""
    done = build_stable(fishplate, Path(sys.executable), HANDLES, tmp_path)
    if sys.version_info < STABLE:
        version = ".".join(map(str, sys.version_info[:2]))
        needed = "modules with the stable ABI are built with CPython 3.12 or later, with its GIL"
        assert f"is Python {version}, and {needed}" in done.stderr
        assert not list(tmp_path.iterdir())
    else:
        assert done.stdout.splitlines()[-1] == str(tmp_path / "handles.abi3.so")
        assert run(HANDLES / "run.py", tmp_path) == ""


def test_a_key_of_the_interface_requires_it(fishplate: Path, tmp_path: Path) -> None:
    """Where a Python has no stable ABI, and in Lua, the key has no effect."""
    source = (HANDLES / "handles.toml").read_text()
    folder = tmp_path / "handles"
    folder.mkdir()
    (folder / "handles.toml").write_text(source.replace("[module]", "[module]\nstable-abi = true"))
    for file in ("handles.c", "handles.h"):
        (folder / file).write_bytes((HANDLES / file).read_bytes())
    python = next(iter(environments()), Path(sys.executable))
    out = tmp_path / "out"
    command = [fishplate, "build", "handles.toml", "--python", python, "--out", out]
    subprocess.run(command, cwd=folder, env=unoptimised(dict(os.environ)), check=True)
    (library,) = out.glob("*.so")
    is_stable = python in environments() or sys.version_info >= STABLE
    assert (library.name == "handles.abi3.so") == is_stable


def test_languages_without_a_stable_abi(fishplate: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [fishplate, "build", "handles.toml", "--host", "lua", "--stable-abi", "--out", tmp_path],
        cwd=HANDLES,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "Lua has no stable ABI: build without `--stable-abi`" in done.stderr


def test_headers_that_need_the_full_api(tmp_path: Path) -> None:
    """Hand-written headers of the package are refused by name."""
    headers = stable_headers() or lacking("Python 3.12 or later with its headers", SETUP)
    unit = tmp_path / "unit.c"
    unit.write_text("#include <fishplate/python.h>\n")
    folders = ["-isystem", headers, f"-I{INCLUDE}"]
    done = subprocess.run(
        [program("gcc"), "-fsyntax-only", LIMITED, *folders, unit], capture_output=True, text=True
    )
    assert "python.hpp and warn.h use more than Python's stable ABI" in done.stderr


# ---- Every case, in each Python ------------------------------------------------------------------


@pytest.fixture(scope="module")
def stable_modules(fishplate: Path, tmp_path_factory):
    """The folder with a case's module, built once by the oldest Python."""
    root = tmp_path_factory.mktemp("stable")
    built: dict[Path, subprocess.CompletedProcess[str]] = {}

    def module(folder: Path) -> Path:
        out = root / folder.name
        if folder not in built:
            built[folder] = build_stable(fishplate, environments()[0], folder, out)
        assert built[folder].returncode == 0, built[folder].stderr
        return out

    return module


@pytest.mark.skipif(not ALL, reason="`cargo xtask test --all` runs it")
@pytest.mark.parametrize("script", [one for one in scripts() if one.stem[:3] == "run"], ids=name)
def test_cases_run_in_each_python(script: Path, stable_modules) -> None:
    pythons = environments()
    if len(pythons) < 2:
        lacking("two Pythons from 3.12 on with NumPy", SETUP)
    need_languages(script.parent)
    out = stable_modules(script.parent)
    assert list(out.rglob("*.so")) == list(out.rglob("*.abi3.so"))
    for python in pythons:
        wrong = run(script, out, python)
        assert wrong == "", f"{python}:\n{wrong}"


@pytest.mark.skipif(not ALL, reason="`cargo xtask test --all` runs it")
def test_symbols_are_in_the_stable_abi(stable_modules) -> None:
    """Of four cases; `abi3audit` knows the symbols of each version."""
    if not environments():
        lacking("a Python from 3.12 on with NumPy", SETUP)
    audit = [environments()[0], "-m", "abi3audit", "--report", "--assume-minimum-abi3", "3.12"]
    folders = [
        stable_modules(CASES / case) for case in ("handles", "callbacks", "structs", "ragged")
    ]
    libraries = [library for folder in folders for library in folder.glob("*.so")]
    done = subprocess.run([*audit, *libraries], capture_output=True, text=True, check=True)
    results = [one["object"]["result"] for one in json.loads(done.stdout)["specs"].values()]
    assert len(results) == len(libraries) == 4
    for result in results:
        assert result["is_abi3"] and result["is_abi3_baseline_compatible"], result
        assert not result["non_abi3_symbols"] and not result["future_abi3_objects"], result
