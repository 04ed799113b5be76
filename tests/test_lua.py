"""Tensors for Lua, in every Lua that is here.

The scripts in tests/lua are run by each interpreter, with the library and the module `foreign`
built for it: by gcc and clang without a warning, and again under AddressSanitizer,
UndefinedBehaviorSanitizer and LeakSanitizer. faults.c makes every allocation fail in turn,
threads.c shares storages between threads. The examples of docs/tensors.md print what it says.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LUA = ROOT / "tests" / "lua"
LIBRARY = ROOT / "bindings" / "lua"
CI = os.environ.get("CI") == "true"
# 5.2 is compiled for and tried where it happens to be.
LUAS = ["lua5.1", "luajit", "lua5.3", "lua5.4", "lua5.2"]
OPTIONAL = {"lua5.2"}
# Where sanitizers look: the oldest, the newest and the one that differs most.
SANITIZED = ["lua5.1", "luajit", "lua5.4"]
NO_SCRIPTS = {"support.lua", "faults_script.lua", "standalone.lua"}
STRICT = "-Wall -Wextra -Werror"
SANITIZE = "-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer"


def scripts() -> list[Path]:
    return sorted(path for path in LUA.glob("*.lua") if path.name not in NO_SCRIPTS)


def missing(what: str, optional: bool = False) -> None:
    (pytest.fail if CI and not optional else pytest.skip)(f"{what} is not here")


def need(lua: str) -> None:
    """Skips a test where this Lua or its headers are not here."""
    if shutil.which(lua) is None or run(["pkg-config", "--exists", lua], check=False).returncode:
        missing(f"{lua} with its headers", lua in OPTIONAL)


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


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """built(lua, flags, compiler): a folder with fishplate.so and foreign.so, without a warning."""
    root, folders = tmp_path_factory.mktemp("lua"), {}

    def built(lua: str, flags: str = "-O2", compiler: str = "gcc") -> Path:
        need(lua)
        key = (lua, flags, compiler)
        if key not in folders:
            out = root / str(len(folders))
            flags += f" {STRICT}"
            run(["make", "-C", LIBRARY, f"LUA={lua}", f"OUT={out}", f"CC={compiler}"]
                + [f"CFLAGS={flags}"])  # fmt: skip
            run([compiler, "-std=c99", *flags.split(), "-shared", "-fPIC", f"-I{out}"]
                + [*package(lua, "--cflags"), LUA / "foreign.c"]
                + ["-Wl,-z,nodelete", "-o", out / "foreign.so", "-lm"])  # fmt: skip
            folders[key] = out
        return folders[key]

    return built


def interpret(lua: str, script: Path, library: Path, **environment: str) -> str:
    def limit() -> None:
        # memory.lua needs a limit to mean anything; sanitizers reserve more than any.
        if "LD_PRELOAD" not in environment:
            resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))

    paths = {"LUA_PATH": f"{LUA}/?.lua", "LUA_CPATH": f"{library}/?.so"}
    env = {**os.environ, **paths, **environment}
    return run([lua, script], env=env, preexec_fn=limit).stdout


def made_for(lua: str, script: Path) -> bool:
    return lua == "luajit" or not script.name.startswith("jit_")


EACH = [(lua, script) for lua in LUAS for script in scripts() if made_for(lua, script)]


@pytest.mark.parametrize(("lua", "script"), EACH, ids=lambda x: getattr(x, "stem", x))
def test_script(lua: str, script: Path, built) -> None:
    assert interpret(lua, script, built(lua)) == ""


@pytest.mark.parametrize("lua", LUAS)
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_compilers_take_it_without_a_warning(lua: str, compiler: str, built) -> None:
    if shutil.which(compiler) is None:
        missing(compiler)
    assert interpret(lua, LUA / "create.lua", built(lua, compiler=compiler)) == ""


@pytest.mark.parametrize("script", scripts(), ids=lambda path: path.stem)
def test_luajit_takes_what_was_built_for_lua51(script: Path, built) -> None:
    need("luajit")
    assert interpret("luajit", script, built("lua5.1")) == ""


@pytest.mark.parametrize("lua", LUAS)
def test_a_module_needs_no_library(lua: str, built, tmp_path: Path) -> None:
    """Its tensors go from function to function; only their methods are the library's."""
    shutil.copy(built(lua) / "foreign.so", tmp_path)
    assert interpret(lua, LUA / "standalone.lua", tmp_path) == ""


SOME = [(lua, script) for lua, script in EACH if lua in SANITIZED]


@pytest.mark.parametrize(("lua", "script"), SOME, ids=lambda x: getattr(x, "stem", x))
def test_sanitizers(lua: str, script: Path, built) -> None:
    runtime = run(["gcc", "-print-file-name=libasan.so"]).stdout.strip()
    if not Path(runtime).is_absolute():
        missing("libasan")
    library = built(lua, f"-O1 -g {SANITIZE}")
    options = "allocator_may_return_null=1:detect_leaks=1:quarantine_size_mb=64"
    assert "ERROR" not in interpret(lua, script, library, LD_PRELOAD=runtime, ASAN_OPTIONS=options)


def program(lua: str, out: Path, library: Path, name: str, *more: str) -> Path:
    """A program with the library in it."""
    flags = f"-std=gnu99 -O1 -g {STRICT}".split() + package(lua, "--cflags") + [f"-I{library}"]
    sources = [LUA / f"{name}.c", *sorted((LIBRARY / "fishplate").glob("*.c"))]
    libraries = [*package(lua, "--libs"), "-lm", "-pthread"]
    run(["gcc", *flags, *sources, *more, "-o", out / name, *libraries])
    return out / name


@pytest.mark.parametrize("lua", LUAS)
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
def test_examples_print_what_the_documentation_says(lua: str, built, tmp_path: Path) -> None:
    """Every ```lua block is run, in order; what follows `-->` is what its line prints."""
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
