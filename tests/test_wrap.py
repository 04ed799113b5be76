"""The cases in tests/wrap/cases: scripts for torch's `wrap`, on every installed Lua.

    wrap.lua    the script; `lua wrap.lua FILE` writes the C
    golden.c    that C, verbatim, whichever Lua has run the script; UPDATE=1 rewrites it
    run.lua     requires the compiled module and tries it

The C is compiled by gcc and clang without a warning. tests/wrap/double is a stand-in for
Torch.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from compilers import CHECKING, SHARED, share
from luas import asan
from needs import lacking, program

ROOT = Path(__file__).resolve().parent.parent
WRAP = ROOT / "tests" / "wrap"
CASES = WRAP / "cases"
UPDATE = os.environ.get("UPDATE") == "1"
MODULES = ROOT / "bindings" / "lua"


@dataclass(frozen=True)
class Lua:
    program: str
    headers: Path


LUAS = [
    Lua("lua5.1", Path("/usr/include/lua5.1")),
    Lua("luajit", Path("/usr/include/luajit-2.1")),
    Lua("lua5.3", Path("/usr/include/lua5.3")),
    Lua("lua5.4", Path("/usr/include/lua5.4")),
]
WARNINGS = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function"]


def is_there(lua: Lua) -> bool:
    return shutil.which(lua.program) is not None and (lua.headers / "lua.h").is_file()


@pytest.fixture(params=LUAS, ids=lambda lua: lua.program)
def lua(request) -> Lua:
    if not is_there(request.param):
        lacking(request.param.program)
    return request.param


def run(command: list[object], folder: Path, **environment: str) -> str:
    done = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env={**os.environ, "LUA_PATH": f"{MODULES}/?.lua;{WRAP}/double/?.lua;;", **environment},
        capture_output=True,
        text=True,
        timeout=300,
    )
    if done.returncode != 0:
        pytest.fail(f"{command} failed\n{done.stdout}{done.stderr}", pytrace=False)
    return done.stdout


def compile_module(
    source: Path, module: Path, lua: Lua, *options: str, compiler: str = "gcc"
) -> None:
    includes = [f"-I{lua.headers}", f"-I{WRAP / 'double'}"]
    command = [compiler, *WARNINGS, *includes, *options, "-fPIC", "-shared"]
    run([*command, source, "-o", module, "-lm"], module.parent)


def cases() -> list[Path]:
    return sorted(folder for folder in CASES.iterdir() if (folder / "wrap.lua").is_file())


def case_name(folder: Path) -> str:
    return folder.name


@pytest.mark.parametrize("case", cases(), ids=case_name)
def test_generates(case: Path, lua: Lua, tmp_path: Path) -> None:
    out, golden = tmp_path / "out.c", case / "golden.c"
    run([lua.program, case / "wrap.lua", out], tmp_path)
    if UPDATE:
        golden.write_bytes(out.read_bytes())
    assert out.read_text() == golden.read_text()


@pytest.mark.parametrize("case", cases(), ids=case_name)
def test_runs(case: Path, lua: Lua, tmp_path: Path) -> None:
    compile_module(case / "golden.c", tmp_path / f"{case.name}.so", lua, "-O2")
    run([lua.program, case / "run.lua"], tmp_path, LUA_CPATH=f"{tmp_path}/?.so")


@pytest.mark.parametrize("case", cases(), ids=case_name)
def test_clang_takes_it(case: Path, lua: Lua, tmp_path: Path) -> None:
    program("clang")
    compile_module(case / "golden.c", tmp_path / "module.so", lua, compiler="clang")


# LuaJIT leaves no room for AddressSanitizer.
SANITIZED = [lua for lua in LUAS if lua.program in ("lua5.1", "lua5.4")]


@pytest.fixture(params=SANITIZED, ids=lambda lua: lua.program)
def sanitized(request) -> Lua:
    if not is_there(request.param):
        lacking(request.param.program)
    return request.param


def run_sanitized(
    source: Path, script: Path, name: str, lua: Lua, folder: Path
) -> subprocess.CompletedProcess[str]:
    """Runs the script with the module of the source under all sanitizers."""
    options = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", *SHARED.split()]
    compile_module(source, folder / f"{name}.so", lua, *options, compiler=CHECKING)
    return subprocess.run(
        [lua.program, str(script)],
        cwd=folder,
        env={
            **os.environ,
            "LUA_PATH": f"{WRAP}/double/?.lua;;",
            "LUA_CPATH": f"{folder}/?.so",
            "LD_PRELOAD": asan(),
            "ASAN_OPTIONS": "detect_leaks=1",
        },
        capture_output=True,
        text=True,
        timeout=300,
    )


def is_clean(done: subprocess.CompletedProcess[str]) -> bool:
    return done.returncode == 0 and "Sanitizer" not in done.stderr


@pytest.mark.parametrize("case", cases(), ids=case_name)
def test_runs_under_sanitizers(case: Path, sanitized: Lua, tmp_path: Path) -> None:
    done = run_sanitized(case / "golden.c", case / "run.lua", case.name, sanitized, tmp_path)
    assert is_clean(done), done.stdout + done.stderr


@pytest.mark.parametrize("fault", ["leak", "overflow"])
def test_sanitizers_see_it(fault: str, sanitized: Lua, tmp_path: Path) -> None:
    """The other tests rely on this: a leak and a write beyond the end are found."""
    source, script = tmp_path / "wrong.c", tmp_path / "run.lua"
    source.write_text(
        '#include "module.h"\n#include <stdlib.h>\n'
        "static char *volatile last;\n"
        "static int leak(lua_State *L) { (void)L; last = malloc(100); last = NULL; return 0; }\n"
        "static int overflow(lua_State *L) { last = malloc(4); last[lua_gettop(L) + 4] = 1;"
        " free(last); return 0; }\n"
        'static const luaL_Reg functions[] = {{"leak", leak}, {"overflow", overflow},'
        " {NULL, NULL}};\n"
        "int luaopen_wrong(lua_State *L) { NEW_MODULE(L, functions); return 1; }\n"
    )
    script.write_text(f"require('wrong').{fault}()\n")
    done = run_sanitized(source, script, "wrong", sanitized, tmp_path)
    expected = {"leak": "LeakSanitizer: detected memory leaks", "overflow": "heap-buffer-overflow"}
    assert done.returncode != 0 and expected[fault] in done.stderr, done.stderr


@pytest.fixture
def faulty(tmp_path: Path) -> Path:
    source = tmp_path / "faulty.c"
    program = next((lua.program for lua in LUAS if is_there(lua)), None)
    if program is None:
        lacking("Lua")
    run([program, WRAP / "faults" / "wrap.lua", source], tmp_path)
    return source


def test_memory_may_run_out(faulty: Path, lua: Lua, tmp_path: Path) -> None:
    """Each allocation fails in turn: each time a plain error, and nothing leaks."""
    compile_module(faulty, tmp_path / "faulty.so", lua, "-O1")
    run([lua.program, WRAP / "faults" / "run.lua"], tmp_path, LUA_CPATH=f"{tmp_path}/?.so")


def test_memory_may_run_out_under_sanitizers(faulty: Path, sanitized: Lua, tmp_path: Path) -> None:
    script = WRAP / "faults" / "run.lua"
    done = run_sanitized(faulty, script, "faulty", sanitized, tmp_path)
    assert is_clean(done), done.stdout + done.stderr


@pytest.mark.parametrize("case", cases(), ids=case_name)
def test_the_command_has_it_built_in(case: Path, fishplate: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.c"
    run([fishplate, "lua", case / "wrap.lua", out], tmp_path, LUA_PATH=";;")
    assert out.read_text() == (case / "golden.c").read_text()


@pytest.mark.parametrize("seed", share(range(4), 4))
def test_the_choice_is_the_original_s(seed: int, lua: Lua, tmp_path: Path) -> None:
    """Random functions accept the same calls as a chain of complete tests."""
    source, module = tmp_path / "random.c", tmp_path / "random.so"
    path = f"{MODULES}/?.lua;{ROOT}/benches/lua/?.lua;;"
    count = "25"
    run([lua.program, WRAP / "random" / "wrap.lua", source, seed, count], tmp_path, LUA_PATH=path)
    compile_module(source, module, lua, "-O1")
    run([lua.program, WRAP / "random" / "run.lua", count], tmp_path, LUA_CPATH=f"{tmp_path}/?.so")


@pytest.mark.parametrize("seed", share(range(2), 2))
def test_no_test_is_made_twice(seed: int, lua: Lua, tmp_path: Path) -> None:
    """Random functions count how often each test of each value is made in a call."""
    source, module = tmp_path / "counts.c", tmp_path / "counts.so"
    count = "40"
    run([lua.program, WRAP / "counts" / "wrap.lua", source, seed, count], tmp_path)
    compile_module(source, module, lua, "-O1")
    run([lua.program, WRAP / "counts" / "run.lua", count], tmp_path, LUA_CPATH=f"{tmp_path}/?.so")


@pytest.mark.parametrize("script", sorted(WRAP.glob("*.lua")), ids=lambda path: path.stem)
def test_script_passes(script: Path, lua: Lua, tmp_path: Path) -> None:
    """Tests without C: assertions of the scripts next to the cases."""
    run([lua.program, script], tmp_path)


def command(fishplate: Path, *words: object, memory: int = 0) -> subprocess.CompletedProcess:
    limit = f"ulimit -v {memory} && " if memory else ""
    quoted = shlex.join(str(word) for word in (fishplate, "lua", *words))
    return subprocess.run(
        ["sh", "-c", limit + quoted], capture_output=True, text=True, timeout=300, check=False
    )


def test_the_command_has_the_options_of_lua(fishplate: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.lua"
    script.write_text("print(x, wrap.CInterface ~= nil, arg[0] == ..., select('#', ...))")
    done = command(fishplate, "-e", "x = 1", "-lwrap", script, script, "-e")
    assert done.stdout == "1\ttrue\ttrue\t2\n", done.stderr
    assert command(fishplate, "-v").stdout.startswith("LuaJIT 2")
    assert "(command line):1:" in command(fishplate, "-e", "error('x')").stderr
    assert "`-q` is not an option" in command(fishplate, "-q").stderr


def test_memory_that_ends_is_an_error_of_lua(fishplate: Path) -> None:
    done = command(fishplate, "-e", "print(#(('x'):rep(1e9)))", memory=800_000)
    assert (done.returncode, done.stderr) == (1, "fishplate lua: not enough memory\n")
