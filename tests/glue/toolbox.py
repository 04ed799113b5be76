"""Compilers, Pythons and tools for the tests of glue."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from needs import lacking
from needs import program as need

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
INCLUDE = ROOT / "bindings" / "python" / "fishplate" / "include"
STRICT = ["-Wall", "-Wextra", "-Werror"]
COMPILERS = {"gcc": "g++", "clang": "clang++"}


def run(command: list[object], check: bool = True, **more) -> subprocess.CompletedProcess:
    done = subprocess.run(
        [str(word) for word in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        **more,
    )
    assert not check or done.returncode == 0, done.stdout
    return done


def python_headers(python: object = sys.executable) -> str:
    ask = "import sysconfig; print(sysconfig.get_path('include'))"
    return run([python, "-c", ask]).stdout.strip()


def pythons() -> list[Path]:
    """This one, and that of the benchmarks."""
    kept = [Path(sys.executable), ROOT / "target" / "bench-venv" / "bin" / "python"]
    return [python for python in kept if python.exists()]


def python_with(package: str) -> Path:
    for python in pythons():
        if run([python, "-c", f"import {package}"], check=False).returncode == 0:
            return python
    return lacking(f"the Python package {package}")


def program_of(name: str) -> Path:
    """A program that a Python package brings, or the system's."""
    for python in pythons():
        if (python.parent / name).exists():
            return python.parent / name
    return Path(need(name))


def compile_agnostic(out: Path, compiler: str, *flags: str):
    """The library that is independent of Python."""
    command = [
        need(compiler),
        "-std=c99",
        "-Wshadow",
        *STRICT,
        "-g",
        "-fPIC",
        f"-I{INCLUDE}",
        *flags,
    ]
    run([*command, "-shared", HERE / "agnostic.c", "-o", out / "libagnostic.so"])


def compile_edges(out: Path, compiler: str, *flags: str, python: object = sys.executable):
    includes = [f"-I{INCLUDE}", f"-isystem{python_headers(python)}"]
    command = [need(COMPILERS[compiler]), "-std=c++17", *STRICT, "-g", "-fPIC", *includes, *flags]
    library = [f"-L{out}", "-lagnostic", "-Wl,-rpath,$ORIGIN"]
    run([*command, "-shared", HERE / "edges.cpp", *library, "-o", out / "edges.so"])


def compile_glue(out: Path, compiler: str, *flags: str, python: object = sys.executable) -> Path:
    """The modules `throwing` (C++, with one file in C), `edges` (C++) and `plain` (C), in `out`."""
    cxx, includes = need(COMPILERS[compiler]), [f"-I{INCLUDE}", f"-isystem{python_headers(python)}"]
    out.mkdir(exist_ok=True)
    always = [*STRICT, "-g", "-fPIC", *includes, *flags]
    c = [need(compiler), "-std=c99", "-Wshadow", *always]
    compile_agnostic(out, compiler, *flags)
    library = [f"-L{out}", "-lagnostic", "-Wl,-rpath,$ORIGIN"]
    run([*c, "-shared", HERE / "plain.c", *library, "-o", out / "plain.so"])
    run([*c, "-c", HERE / "shared_list.c", "-o", out / "shared_list.o"])
    # With the files of the module in both languages: they share one list of warnings.
    cpp = [cxx, "-std=c++17", *always, "-shared"]
    run([*cpp, HERE / "throwing.cpp", out / "shared_list.o", "-o", out / "throwing.so"])
    compile_edges(out, compiler, *flags, python=python)
    return out


def exercise(out: Path, *arguments: object, python: object = sys.executable, **environment: str):
    env = {**os.environ, **environment}
    command = [python, "-X", "dev", HERE / "exercise.py", out, *arguments]
    return run(command, check=False, env=env)
