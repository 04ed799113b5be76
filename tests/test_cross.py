"""Modules for other machines: their names, formats and dependencies, and what is refused.

They do not run here. `cargo xtask test --machine NAME` runs modules on an emulated machine.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from needs import program, zig

ARM = "aarch64-linux-gnu.2.17"
TAG = f"cpython-{sys.version_info.major}{sys.version_info.minor}"
HEADER = """
#include <stddef.h>
double level(size_t n, const double *x);
char first(char c);
long count(long n);
"""
SOURCE = """
#include "levels.h"
#include <math.h>
#include <string.h>
double level(size_t n, const double *x)
{
    double y;
    memcpy(&y, x, sizeof y);
    return pow(y, (double)n);
}
char first(char c) { return c; }
long count(long n) { return n; }
"""
FUNCTIONS = """
[function.level]
proto = "double level(size_t n, const double x[n])"
[function.first]
proto = "char first(char c)"
[function.count]
proto = "long count(long n)"
"""

Command = Callable[..., subprocess.CompletedProcess]


def without_compilers() -> dict[str, str]:
    """The environment, in which nothing names a compiler."""
    named = ("CC", "CXX")
    return {name: value for name, value in os.environ.items() if name not in named} | {
        "NO_COLOR": "1"
    }


@pytest.fixture
def command(tmp_path: Path, fishplate: Path) -> Command:
    """command(subcommand, module, ...): runs it for an interface with these keys in [module]."""
    (tmp_path / "levels.h").write_text(HEADER)
    (tmp_path / "levels.c").write_text(SOURCE)

    def command(
        subcommand: str, module: str, *arguments: object, **environment: str
    ) -> subprocess.CompletedProcess:
        head = 'name = "levels"\nheaders = ["levels.h"]\nsources = ["levels.c"]\n'
        (tmp_path / "levels.toml").write_text(f"[module]\n{head}{module}\n{FUNCTIONS}")
        python = ["--python", sys.executable] if subcommand == "build" else []
        return subprocess.run(
            [fishplate, subcommand, "levels.toml", *python, "--out", "out", *map(str, arguments)],
            cwd=tmp_path,
            env={**without_compilers(), **environment},
            capture_output=True,
            text=True,
            timeout=300,
        )

    return command


def readelf(*arguments: object) -> str:
    command = [program("readelf"), "--wide", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def with_zig() -> dict[str, str]:
    return {"PATH": os.pathsep.join([str(zig().parent), os.environ["PATH"]])}


# The first build for a system compiles its C library: a minute.
@pytest.mark.nightly
def test_a_module_for_arm(command: Command, tmp_path: Path) -> None:
    # Folders of this machine in the environment have no effect.
    environment = {**with_zig(), "CPATH": "/usr/include", "LIBRARY_PATH": "/usr/lib"}
    built = command("build", "", "--target", ARM, **environment)
    assert built.returncode == 0, built.stderr
    module = tmp_path / built.stdout.strip()
    assert module.name == f"levels.{TAG}-aarch64-linux-gnu.so"
    assert re.search(r"Machine: +AArch64", readelf("--file-header", module))
    dynamic = readelf("--dynamic", module)
    assert "RUNPATH" not in dynamic and "RPATH" not in dynamic
    needed = set(re.findall(r"NEEDED.*\[(.*)\]", dynamic))
    assert needed <= {"libc.so.6", "libm.so.6", "libpthread.so.0", "ld-linux-aarch64.so.1"}
    versions = re.findall(r"GLIBC_2\.(\d+)", readelf("--version-info", module))
    assert versions and max(map(int, versions)) <= 17

    # A library must be that of the target: it is found in a sysroot, and nowhere else.
    libraries = 'libraries = ["fp_far"]'
    missing = command("build", libraries, "--target", ARM, **environment)
    assert missing.returncode == 1
    assert f"the linker cannot find the library `fp_far` for {ARM}" in missing.stderr
    assert "--sysroot DIR" in missing.stderr
    folder = tmp_path / "sysroot/usr/lib/aarch64-linux-gnu"
    folder.mkdir(parents=True)
    (tmp_path / "far.c").write_text("int fp_far(void) { return 1; }\n")
    subprocess.run(
        [zig(), "cc", "-target", "aarch64-linux-gnu.2.17", "-shared", "-o", folder / "libfp_far.so"]
        + ["-Wl,-soname,libfp_far.so", tmp_path / "far.c"],
        check=True,
        timeout=300,
    )
    found = command("build", libraries, "--target", ARM, "--sysroot", "sysroot", **environment)
    assert found.returncode == 0, found.stderr


ELSEWHERE = [
    ("aarch64-macos", f"levels.{TAG}-darwin.so"),
    ("x86_64-linux-musl", f"levels.{TAG}-x86_64-linux-musl.so"),
    ("x86_64-windows-gnu", f"levels.{TAG.replace('cpython-', 'cp')}-win_amd64.pyd"),
]


@pytest.mark.nightly
@pytest.mark.parametrize(("target", "name"), ELSEWHERE)
def test_modules_for_other_systems(
    command: Command, tmp_path: Path, target: str, name: str
) -> None:
    built = command("build", "", "--target", target, **with_zig())
    assert built.returncode == 0, built.stderr
    module = tmp_path / built.stdout.strip()
    assert module.name == name
    beginning = module.read_bytes()[:4]
    if target.endswith("macos"):
        assert beginning == b"\xcf\xfa\xed\xfe"
    elif target.endswith("musl"):
        assert "[libc.so]" in readelf("--dynamic", module)
    else:
        assert beginning[:2] == b"MZ"
        dump = [program("objdump"), "--private-headers", module]
        parts = subprocess.run(dump, capture_output=True, text=True, check=True).stdout
        assert f"DLL Name: python{TAG.removeprefix('cpython-')}.dll" in parts
        assert "PyInit_levels" in parts


# Those whose runtime uses most of the system and of C++.
CASES = ["files", "callbacks", "complex_numbers", "cplusplus_containers", "cplusplus_virtual"]


@pytest.mark.nightly
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("target", [target for target, _ in ELSEWHERE])
def test_cases_for_other_systems(fishplate: Path, case: str, target: str, tmp_path: Path) -> None:
    file = Path(__file__).parent / "cases" / case / f"{case}.toml"
    built = subprocess.run(
        [fishplate, "build", file, "--target", target, "--out", tmp_path]
        + ["--python", sys.executable],
        env={**without_compilers(), **with_zig()},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert built.returncode == 0, built.stderr


def test_types_are_those_of_the_target(command: Command, tmp_path: Path) -> None:
    def emitted(*target: str) -> str:
        done = command("emit", "", *target)
        assert done.returncode == 0, done.stderr
        return (tmp_path / "out/levels_python.c").read_text()

    # x86-64 has a signed char, and 32 bits in the `long` of Windows.
    linux = emitted("--target", "x86_64-linux-gnu")
    assert "FP_CONFIRM_SIGNED(char, 1" in linux and "FP_CONFIRM_SIGNED(long, 8" in linux
    arm = emitted("--target", ARM)
    assert "FP_CONFIRM_UNSIGNED(char, 1" in arm and "FP_CONFIRM_SIGNED(long, 8" in arm
    windows = emitted("--target", "x86_64-windows-gnu")
    assert "FP_CONFIRM_SIGNED(char, 1" in windows and "FP_CONFIRM_SIGNED(long, 4" in windows


REFUSED = [
    ('cflags = ["-march=native"]', "`-march=native` is about the processor of this machine"),
    ('cflags = ["-I/usr/include"]', "`-I/usr/include` is a folder of this machine"),
    ('include-dirs = ["/usr/include"]', "`/usr/include` is a folder of this machine"),
    ('library-dirs = ["/usr/lib"]', "`/usr/lib` is a folder of this machine"),
    ('include-dirs = ["<prefix>/include"]', "`<prefix>` is a folder of this machine"),
]


@pytest.mark.parametrize(("module", "message"), REFUSED)
def test_what_is_of_this_machine_is_refused(command: Command, module: str, message: str) -> None:
    done = command("build", module, "--target", ARM)
    assert done.returncode == 1
    assert f"{message}, and the module is built for {ARM}" in done.stderr


def test_folders_are_those_of_the_sysroot(command: Command, tmp_path: Path) -> None:
    module = 'include-dirs = ["/usr/include/far"]'
    empty = tmp_path / "sysroot"
    empty.mkdir()
    done = command("build", module, "--target", ARM, "--sysroot", empty)
    assert f"it is not in {empty}: install it there" in done.stderr
    (empty / "usr/include/far").mkdir(parents=True)
    done = command("build", module, "--target", ARM, "--sysroot", empty, CC="gcc")
    assert "is a folder of this machine" not in done.stderr


def test_compilers_for_another_machine_are_refused(command: Command, tmp_path: Path) -> None:
    gcc = program("gcc")
    done = command("build", "", "--target", "s390x-linux-gnu", CC=gcc)
    assert done.returncode == 1
    assert "no C compiler for s390x-linux-gnu was found" in done.stderr
    assert re.search(r"\$CC .*: does not work: it compiles for x86_64", done.stderr)
    done = command("build", "", "--target", ARM, PATH=str(tmp_path))
    assert f"no C compiler for {ARM} was found" in done.stderr
    assert "-m pip install ziglang" in done.stderr and "apt install" not in done.stderr
    done = command("build", "", "--target", "s390x-linux-gnu", PATH=str(tmp_path))
    assert "looked for s390x-linux-gnu-gcc on PATH: not there" in done.stderr
    assert "sudo apt install gcc-s390x-linux-gnu" in done.stderr
    done = command("build", "", "--target", "x86_64-windows-gnu", PATH=str(tmp_path))
    assert "looked for x86_64-w64-mingw32-gcc on PATH: not there" in done.stderr
    assert "sudo apt install gcc-mingw-w64-x86-64" in done.stderr
    # Apple's compilers have no such names.
    done = command("build", "", "--target", "aarch64-macos", PATH=str(tmp_path))
    assert "macos-gcc" not in done.stderr and "apt install" not in done.stderr
    assert not (tmp_path / "out").exists(), "a build that fails leaves no folder"


def test_targets_have_names(command: Command) -> None:
    done = command("build", "", "--target", "arm-linux")
    assert done.returncode == 2
    assert "`arm-linux` is not a known target; known are x86_64-linux-gnu, " in done.stderr
    done = command("build", "", "--target", "x86_64-linux-musl.1.2")
    assert "`x86_64-linux-musl` has no version: write it without one" in done.stderr
    done = command("build", "", "--target", "aarch64-linux-gnu.new")
    assert "`new` is not a version of glibc, such as 2.17" in done.stderr
    done = command("build", "", "--sysroot", "/")
    assert done.returncode == 2 and "--target" in done.stderr
