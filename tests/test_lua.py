"""Tensors for Lua, in every installed Lua.

The scripts in tests/lua are run by each interpreter, with the library and the module `foreign`
built for it: by gcc and clang without a warning, and again under AddressSanitizer,
UndefinedBehaviorSanitizer and LeakSanitizer. faults.c makes every allocation fail in turn,
threads.c shares storages between threads. The examples of docs/tensors.md print what they show.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest
from compilers import ALL, CHECKING, CXX, LEVEL, share
from luas import (
    LIBRARY,
    LUAS,
    ROOT,
    SANITIZE,
    SANITIZE_MODULE,
    SANITIZED,
    STRICT,
    asan,
    interpret,
    need,
    package,
    run,
)
from luas import SCRIPTS as LUA
from needs import program as need_program

NO_SCRIPTS = {
    "faults_calls.lua",
    "matrix_intents.lua",
    "support.lua",
    "faults_script.lua",
    "standalone.lua",
}


def scripts() -> list[Path]:
    return sorted(path for path in LUA.glob("*.lua") if path.name not in NO_SCRIPTS)


def made_for(lua: str, script: Path) -> bool:
    return lua == "luajit" or not script.name.startswith("jit_")


EACH = [(lua, script) for lua in LUAS for script in scripts() if made_for(lua, script)]


@pytest.mark.parametrize(("lua", "script"), EACH, ids=lambda x: getattr(x, "stem", x))
def test_script(lua: str, script: Path, built) -> None:
    assert interpret(lua, script, built(lua)) == ""


# Optimised, since some warnings depend on it. The compilers take turns; `--all`: each for each Lua.
WARNED = [
    (lua, compiler)
    for turn, lua in enumerate(LUAS if ALL else ["lua5.1", "lua5.4"])
    for compiler in share(list(CXX), 2, turn)
]


@pytest.mark.parametrize(("lua", "compiler"), WARNED)
def test_compilers_take_it_without_a_warning(lua: str, compiler: str, built) -> None:
    need_program(compiler)
    assert interpret(lua, LUA / "create.lua", built(lua, "-O2", compiler)) == ""


@pytest.mark.parametrize("script", scripts(), ids=lambda path: path.stem)
def test_luajit_loads_modules_of_lua51(script: Path, built) -> None:
    need("luajit")
    assert interpret("luajit", script, built("lua5.1")) == ""


@pytest.mark.parametrize("lua", LUAS)
def test_a_module_needs_no_library(lua: str, built, tmp_path: Path) -> None:
    """Its tensors can be passed between functions; only their methods are the library's."""
    shutil.copy(built(lua) / "foreign.so", tmp_path)
    assert interpret(lua, LUA / "standalone.lua", tmp_path) == ""


SOME = share([(lua, script) for lua, script in EACH if lua in SANITIZED], 2)


@pytest.mark.parametrize(("lua", "script"), SOME, ids=lambda x: getattr(x, "stem", x))
def test_sanitizers(lua: str, script: Path, built) -> None:
    library = built(lua, f"{LEVEL} -g {SANITIZE_MODULE}", CHECKING)
    options = "allocator_may_return_null=1:detect_leaks=1:quarantine_size_mb=64"
    assert "ERROR" not in interpret(lua, script, library, LD_PRELOAD=asan(), ASAN_OPTIONS=options)


def program(lua: str, out: Path, library: Path, name: str, *more: str) -> Path:
    """A program with the library in it."""
    flags = f"-std=gnu99 {LEVEL} -g {STRICT}".split() + package(lua, "--cflags") + [f"-I{library}"]
    sources = [LUA / f"{name}.c", *sorted((LIBRARY / "fishplate").glob("*.c"))]
    libraries = [*package(lua, "--libs"), "-lm", "-pthread"]
    run([CHECKING, *flags, *sources, *more, "-o", out / name, *libraries])
    return out / name


@pytest.mark.parametrize("lua", LUAS if ALL else ["lua5.4", "luajit"])
def test_every_allocation_fails_in_turn(lua: str, built, tmp_path: Path) -> None:
    wrap = [f"-Wl,--wrap={name}" for name in ("malloc", "calloc", "free")]
    library = built(lua)
    flags = [*wrap, str(LUA / "foreign.c")]
    if lua in SANITIZED:
        flags += SANITIZE.split()
    made = program(lua, tmp_path, library, "faults", *flags)
    env = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}  # leaks are counted
    done = run([made, LUA / "faults_script.lua"], env=env)
    assert re.fullmatch(r"\d+ failures\n", done.stdout), done.stdout


@pytest.mark.parametrize("lua", SANITIZED)
def test_threads_share_storages(lua: str, built, tmp_path: Path) -> None:
    made = program(lua, tmp_path, built(lua), "threads", "-fsanitize=thread")
    assert run([made]).stdout == "even\n"


# ---- The documentation --------------------------------------------------------------------------


def examples(language: str) -> list[str]:
    text = (ROOT / "docs" / "tensors.md").read_text()
    found = re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert found
    return found


@pytest.mark.parametrize("lua", LUAS)
def test_output_of_documented_examples(lua: str, built, tmp_path: Path) -> None:
    """Every ```lua block is run, in order; `-->` is followed by the output of its line."""
    script = tmp_path / "examples.lua"
    script.write_text("".join(examples("lua")))
    wanted = re.findall(r"--> ?(.*)", script.read_text())
    printed = interpret(lua, script, built(lua)).splitlines()
    # 5.3 and later print a float with an integer's value as `2.0`.
    assert [re.sub(r"\b(\d+)\.0\b", r"\1", line) for line in printed] == wanted


@pytest.mark.parametrize("lua", LUAS)
def test_the_module_of_the_documentation_works(lua: str, built, tmp_path: Path) -> None:
    library = built(lua)
    (source,) = examples("c")
    declared = "int luaopen_example(lua_State *L);"
    (tmp_path / "example.c").write_text(f'#include "fishplate_lua.h"\n{declared}\n{source}')
    flags = f"-std=c99 -shared -fPIC -Wl,-z,nodelete {STRICT}".split()
    paths = [*package(lua, "--cflags"), f"-I{library}"]
    run(["gcc", *flags, *paths, tmp_path / "example.c", "-o", tmp_path / "example.so", "-lm"])
    script = tmp_path / "script.lua"
    script.write_text("print(require 'example'.scale(require 'fishplate'.range(1, 3), 2))")
    paths = {"LUA_CPATH": f"{tmp_path}/?.so;{library}/?.so"}
    assert run([lua, script], env={**os.environ, **paths}).stdout == "float64[3] {2, 4, 6}\n"
