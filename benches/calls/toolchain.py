"""Compilers and flags: the same for every tool that uses a C or C++ compiler."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy
from peers import HERE

EXTENSION_SUFFIX: str = sysconfig.get_config_var("EXT_SUFFIX")
DARWIN = sys.platform == "darwin"

CC = shlex.split(os.environ.get("CC", "cc"))
CXX = shlex.split(os.environ.get("CXX", "c++"))
# Hidden visibility keeps the kernels of one module from being taken for another's.
FLAGS = ["-O3", "-DNDEBUG", "-fPIC", "-fvisibility=hidden"]
LINK = ["-bundle", "-undefined", "dynamic_lookup"] if DARWIN else ["-shared"]
DROP_UNUSED = ["-Wl,-dead_strip"] if DARWIN else ["-Wl,--gc-sections"]


class BuildError(Exception):
    """A command failed; the message is its output."""


def execute(
    command: Sequence[str | Path], env: Mapping[str, str] | None = None, cwd: Path | None = None
) -> None:
    """Runs a command quietly; a failure raises with all of its output."""
    argv = [str(part) for part in command]
    try:
        done = subprocess.run(
            argv,
            cwd=cwd,
            env={**os.environ, **(env or {})},
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
    except OSError as error:
        raise BuildError(f"{argv[0]}: {error}") from error
    if done.returncode != 0:
        raise BuildError(f"{shlex.join(argv)}\n{done.stdout}")


def script(name: str) -> str:
    """A command of this environment, or else one on the search path."""
    beside = Path(sys.executable).with_name(name)
    found = str(beside) if beside.exists() else shutil.which(name)
    if found is None:
        raise BuildError(f"no command '{name}'")
    return found


def includes() -> list[str]:
    paths = [HERE, sysconfig.get_path("include"), numpy.get_include()]
    return [f"-I{path}" for path in paths]


@dataclass(frozen=True)
class Place:
    """The folders of one tool's build: `work` for intermediate files, `module` for the result."""

    work: Path
    module: Path
    kernels: Path

    def extension(self, name: str) -> Path:
        return self.module / f"{name}{EXTENSION_SUFFIX}"


def compile_object(
    compiler: Sequence[str], source: Path, target: Path, extra: Sequence[str] = ()
) -> Path:
    execute([*compiler, *FLAGS, *includes(), *extra, "-c", source, "-o", target])
    return target


def compile_kernels(target: Path) -> Path:
    """The kernels, compiled once, so that every tool calls the same instructions."""
    return compile_object([*CC, "-std=c11"], HERE / "kernels.c", target)


def link_extension(
    compiler: Sequence[str],
    place: Place,
    name: str,
    objects: Sequence[Path],
    extra: Sequence[str] = (),
) -> None:
    execute([*compiler, *LINK, *objects, place.kernels, *extra, "-o", place.extension(name)])


def c_extension(
    place: Place, name: str, sources: Sequence[Path], extra: Sequence[str] = ()
) -> None:
    objects = [compile_object(CC, s, place.work / f"{s.stem}.o", extra) for s in sources]
    link_extension(CC, place, name, objects)
