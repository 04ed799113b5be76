"""The Luas of this machine, and how tests build and run for them."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
from pathlib import Path

import pytest
from compilers import ASAN, CHECKING, SHARED, file_of
from needs import lacking

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = ROOT / "tests" / "lua"
LIBRARY = ROOT / "bindings" / "lua"
# 5.2 is used if it is installed.
LUAS = ["lua5.1", "luajit", "lua5.3", "lua5.4", "lua5.2"]
OPTIONAL = {"lua5.2"}
# Where sanitizers look: the oldest, the newest and the one that differs most.
SANITIZED = ["lua5.1", "luajit", "lua5.4"]
STRICT = "-Wall -Wextra -Werror"
SANITIZE = "-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer"
# For modules, which a program without sanitizers loads.
SANITIZE_MODULE = f"{SANITIZE} {SHARED}"


def need(lua: str) -> None:
    """Skips a test if this Lua or its headers are missing."""
    if shutil.which(lua) is None or run(["pkg-config", "--exists", lua], check=False).returncode:
        lacking(f"{lua} with its headers", f"install {lua} and its headers", lua in OPTIONAL)


def run(command: list[object], check: bool = True, **more) -> subprocess.CompletedProcess:
    done = subprocess.run(
        [str(word) for word in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        **more,
    )
    if check and done.returncode != 0:
        pytest.fail(f"{command}\n{done.stdout}", pytrace=False)
    return done


def package(lua: str, what: str) -> list[str]:
    return run(["pkg-config", what, lua]).stdout.split()


def asan() -> str:
    """The runtime that an interpreter must load first."""
    runtime = file_of(CHECKING, ASAN[CHECKING])
    if not Path(runtime).is_absolute():
        lacking("libasan")
    return runtime


def interpret(
    lua: str, script: Path, *folders: Path, under: tuple[str, ...] = (), **environment: str
) -> str:
    """Runs a script with the modules in these folders, if wanted `under` a program; its output."""

    def limit() -> None:
        # memory.lua needs a limit to mean anything; sanitizers and valgrind reserve more than any.
        if "LD_PRELOAD" not in environment and not under:
            resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))

    found = ";".join(f"{folder}/?.so" for folder in folders)
    paths = {"LUA_PATH": f"{SCRIPTS}/?.lua", "LUA_CPATH": found}
    env = {**os.environ, **paths, **environment}
    return run([*under, lua, script], env=env, preexec_fn=limit).stdout
