"""The cases in tests/wrap/cases: scripts for torch's `wrap`, on every Lua that is here.

    wrap.lua    the script; `lua wrap.lua FILE` writes the C
    golden.c    that C, to the letter, whichever Lua has run the script; UPDATE=1 rewrites it
    run.lua     requires the compiled module and tries it

The C is compiled by gcc and clang without a warning. tests/wrap/double holds what stands in for
Torch.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
WRAP = ROOT / "tests" / "wrap"
CASES = WRAP / "cases"
UPDATE = os.environ.get("UPDATE") == "1"
CI = os.environ.get("CI") == "true"
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


def missing(what: str) -> None:
    """Something that a test needs is not on this machine: fine, except where all must run."""
    (pytest.fail if CI else pytest.skip)(f"{what} is not here")


@pytest.fixture(params=LUAS, ids=lambda lua: lua.program)
def lua(request) -> Lua:
    if not is_there(request.param):
        missing(request.param.program)
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
    if shutil.which("clang") is None:
        missing("clang")
    compile_module(case / "golden.c", tmp_path / "module.so", lua, compiler="clang")


@pytest.mark.parametrize("case", cases(), ids=case_name)
def test_runs_under_sanitizers(case: Path, tmp_path: Path) -> None:
    """LuaJIT leaves no room for AddressSanitizer, and the versions do not differ in this."""
    lua = next((lua for lua in LUAS if is_there(lua) and lua.program != "luajit"), None)
    if lua is None:
        missing("lua5.1")
    options = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    compile_module(case / "golden.c", tmp_path / f"{case.name}.so", lua, *options)
    asan = subprocess.run(
        ["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True
    ).stdout.strip()
    run(
        [lua.program, case / "run.lua"],
        tmp_path,
        LUA_CPATH=f"{tmp_path}/?.so",
        LD_PRELOAD=asan,
        ASAN_OPTIONS="detect_leaks=1",
    )


@pytest.mark.parametrize("case", cases(), ids=case_name)
def test_the_command_has_it_built_in(case: Path, fishplate: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.c"
    run([fishplate, "lua", case / "wrap.lua", out], tmp_path, LUA_PATH=";;")
    assert out.read_text() == (case / "golden.c").read_text()


@pytest.mark.parametrize("seed", range(4))
def test_the_choice_is_the_original_s(seed: int, lua: Lua, tmp_path: Path) -> None:
    """Random functions take each call as a chain of complete tests takes it."""
    source, module = tmp_path / "random.c", tmp_path / "random.so"
    path = f"{MODULES}/?.lua;{ROOT}/benches/lua/?.lua;;"
    count = "25"
    run([lua.program, WRAP / "random" / "wrap.lua", source, seed, count], tmp_path, LUA_PATH=path)
    compile_module(source, module, lua, "-O1")
    run([lua.program, WRAP / "random" / "run.lua", count], tmp_path, LUA_CPATH=f"{tmp_path}/?.so")


@pytest.mark.parametrize("script", sorted(WRAP.glob("*.lua")), ids=lambda path: path.stem)
def test_script_passes(script: Path, lua: Lua, tmp_path: Path) -> None:
    """What needs no C: the scripts beside the cases assert."""
    run([lua.program, script], tmp_path)
