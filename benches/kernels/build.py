"""Builds everything besides Fishplate's module that needs a C compiler: the extension written by
hand, the ufuncs made by hand, and the library for ctypes."""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sysconfig
from pathlib import Path

import numpy
from peers import DEFAULT_OUT, HERE

CC = shlex.split(os.environ.get("CC", "cc"))
# The flags of Fishplate that matter here.
FLAGS = ["-std=c11", "-O3", "-falign-loops=32", "-DNDEBUG", "-fPIC", "-Wall", "-Wextra", "-Werror"]
SUFFIX: str = sysconfig.get_config_var("EXT_SUFFIX")


def compile_library(target: Path, source: str, *flags: str) -> None:
    includes = [f"-I{path}" for path in (HERE, sysconfig.get_path("include"), numpy.get_include())]
    sources = [HERE / "hand" / source, HERE / "kernels.c"]
    command = [*CC, *FLAGS, *flags, *includes, "-shared", *sources, "-lm", "-o", target]
    subprocess.run(list(map(str, command)), check=True)
    print(f"{target.name}: {target.stat().st_size / 1024:.0f} KiB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=DEFAULT_OUT, help="where to build")
    out = parser.parse_args().out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    hidden = "-fvisibility=hidden"
    compile_library(out / f"kernels_hand{SUFFIX}", "hand.c", hidden)
    compile_library(out / f"kernels_ufunc{SUFFIX}", "ufuncs.c", hidden)
    compile_library(out / "libkernels.so", "exported.c")


if __name__ == "__main__":
    main()
