"""The case folders in tests/cases as modules for Lua.

    run.lua    the case is built for a Lua, by turns, and the script must pass. A third of the
               cases, and those about lifetimes, run under AddressSanitizer,
               UndefinedBehaviorSanitizer and LeakSanitizer; some of the latter run under valgrind,
               and some cases as users build them. `--all`: each case in every Lua, and under these

The tour of docs/lua.md and each demo.lua of examples/ are built and run likewise. Next to a module
are the tensor library and `foreign`, a foreign library. crates/driver/tests/cases.rs tests the
generated files.
"""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path

import pytest
from compilers import ALL, CHECKING, CXX, LEVEL, file_of, share, unoptimised
from luas import (
    LIBRARY,
    LUAS,
    OPTIONAL,
    ROOT,
    SANITIZE,
    SANITIZE_MODULE,
    SANITIZED,
    SCRIPTS,
    STRICT,
    asan,
    interpret,
    need,
    package,
    run,
)
from needs import need_languages, program

CASES = Path(__file__).resolve().parent / "cases"


def folders() -> list[Path]:
    return sorted(script.parent for script in CASES.glob("*/run.lua"))


def interface(folder: Path) -> Path:
    return folder / f"{folder.name}.toml"


def build(fishplate: Path, folder: Path, lua: str, out: Path, **environment: str) -> None:
    command = [fishplate, "build", interface(folder), "--host", "lua", "--lua", lua, "--out", out]
    env = {**os.environ, "NO_COLOR": "1", **environment}
    run(command, env=env if folder in AS_USERS else unoptimised(env))


# Every twelfth case is optimised, as users build, others than in test_cases.py; see compilers.py.
AS_USERS = folders()[1::12]
# Cases of objects that C and Lua both refer to: callbacks, handles, C-allocated memory.
LIFETIMES = [
    "c_strings",
    "consumed",
    "destroyed",
    "cplusplus_destroyed",
    "filled_lists",
    "filled_strings",
    "union_members",
    "callback_objects",
    "callbacks",
    "returned_pointers",
    "handles",
    "invalidates",
    "lifetimes",
    "optimizers",
    "pointer_arrays",
    "pointer_lists",
    "retained",
    "retained_structs",
    "stored",
    "struct_arrays",
]
NEWEST = "lua5.4"
# The newest, and the one with a frame layout and a collector of its own.
UNLIKE = ["lua5.4", "luajit"]
INSTALLED = [lua for lua in LUAS if lua not in OPTIONAL]


def sources(folder: Path) -> tuple[list[Path], bool]:
    """The files that the case compiles with its module, and whether they are C++."""
    module = tomllib.loads(interface(folder).read_text())["module"]
    return [folder / name for name in module.get("sources", [])], module.get("language") == "c++"


def has_one_language(folder: Path) -> bool:
    """One command can compile the case, as test_sanitizers does."""
    files, is_cxx = sources(folder)
    return all(file.suffix == (".cpp" if is_cxx else ".c") for file in files)


# Each case in one Lua, by turns, but for those about lifetimes.
TURNS = [
    (folder, INSTALLED[turn % len(INSTALLED)])
    for turn, folder in enumerate(filter(has_one_language, folders()))
    if folder.name not in LIFETIMES
]
# Under sanitizers. `--all`: each case, those about lifetimes in two Luas.
CHECKED = [
    *((CASES / name, lua) for k, name in enumerate(LIFETIMES) for lua in share(UNLIKE, 2, k)),
    *share(TURNS),
]


def runs(folder: Path, lua: str) -> bool:
    """Without sanitizers, which slow cases down, but are as strict. `--all`: every case in each."""
    if folder.name in LIFETIMES:
        return lua == "lua5.3"
    if lua == NEWEST and (folder in AS_USERS or not has_one_language(folder)):
        return True
    return (folder, lua) in TURNS and (folder, lua) not in CHECKED


RUNS = [(folder, lua) for folder in folders() for lua in LUAS if ALL or runs(folder, lua)]


@pytest.mark.parametrize(("folder", "lua"), RUNS, ids=lambda x: getattr(x, "name", x))
def test_runs(folder: Path, lua: str, fishplate: Path, built, tmp_path: Path) -> None:
    need(lua)
    need_languages(folder)
    build(fishplate, folder, lua, tmp_path)
    assert interpret(lua, folder / "run.lua", tmp_path, built(lua)) == ""


# Valgrind sees uninitialised values, and accesses of the interpreter. `--all`: in all cases, each
# in two Luas; else in some of those about lifetimes, which take turns.
WATCHED = [
    (folder, lua)
    for turn, folder in enumerate(folders() if ALL else [CASES / name for name in LIFETIMES[1::4]])
    for lua in share(UNLIKE, 2, turn)
]


@pytest.mark.parametrize(("folder", "lua"), CHECKED, ids=lambda x: getattr(x, "name", x))
def test_sanitizers(folder: Path, lua: str, fishplate: Path, built, tmp_path: Path) -> None:
    need(lua)
    runtime = asan()
    _, is_cxx = sources(folder)
    # LeakSanitizer guesses where a loaded library's variables of a thread lie, and is killed where
    # it guesses wrong; the list names these.
    flags = f"-g {STRICT} {SANITIZE_MODULE} -ftls-model=initial-exec -Wl,-z,nodelete"
    if CHECKING == "clang":
        flags += " -Wno-unused-command-line-argument"
    compiler = program(CXX[CHECKING]) if is_cxx else CHECKING
    build(fishplate, folder, lua, tmp_path, **{"CXX" if is_cxx else "CC": f"{compiler} {flags}"})
    if is_cxx:
        # The sanitizer intercepts throwing only if it finds the C++ library when it starts.
        runtime += " " + file_of(compiler, "libstdc++.so.6")
    library = built(lua, f"{LEVEL} -g {SANITIZE_MODULE}", CHECKING)
    options = "allocator_may_return_null=1:detect_leaks=1:quarantine_size_mb=64"
    output = interpret(
        lua, folder / "run.lua", tmp_path, library, LD_PRELOAD=runtime, ASAN_OPTIONS=options
    )
    assert "ERROR" not in output, output


@pytest.mark.parametrize(("folder", "lua"), WATCHED, ids=lambda x: getattr(x, "name", x))
def test_valgrind(folder: Path, lua: str, fishplate: Path, built, tmp_path: Path) -> None:
    need(lua)
    need_languages(folder)
    valgrind = (program("valgrind"), "-q", "--error-exitcode=99", "--leak-check=full")
    build(fishplate, folder, lua, tmp_path, CC="gcc -g", CXX="g++ -g")
    library = built(lua, f"{LEVEL} -g")
    assert interpret(lua, folder / "run.lua", tmp_path, library, under=valgrind) == ""


@pytest.mark.parametrize("lua", SANITIZED if ALL else [NEWEST])
def test_every_allocation_fails_in_turn(lua: str, fishplate: Path, tmp_path: Path) -> None:
    """Those of Lua and those of generated modules, as tests/lua/faults.c explains."""
    need(lua)
    names = ["intents_fortran", "nullable", "complex_numbers", "overloads", "overload_order"]
    names += ["returns", "status"]
    sources = [SCRIPTS / "faults.c", *sorted((LIBRARY / "fishplate").glob("*.c"))]
    includes = [f"-I{tmp_path}", *package(lua, "--cflags")]
    for case in names:
        folder = CASES / case
        run([fishplate, "emit", interface(folder), "--host", "lua", "--out", tmp_path])
        sources += [tmp_path / f"{case}_lua.c", *sorted(folder.glob("*.c"))]
        includes.append(f"-I{folder}")
    modules = "".join(f"MODULE({name})" for name in ["fishplate", *names])
    flags = ["-std=gnu17", LEVEL, "-g", *STRICT.split(), f"-DMODULES={modules}"]
    flags += [f"-Wl,--wrap={name}" for name in ("malloc", "calloc", "free")]
    flags += SANITIZE.split()
    made = tmp_path / "faults"
    run([CHECKING, *flags, *includes, *sources, "-o", made, *package(lua, "--libs"), "-lm"])
    env = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}  # leaks are counted
    done = run([made, SCRIPTS / "faults_calls.lua"], env=env)
    assert re.fullmatch(r"\d+ failures\n", done.stdout), done.stdout


@pytest.mark.parametrize("lua", LUAS if ALL else [NEWEST])
def test_output_of_the_tour(lua: str, fishplate: Path, built, tmp_path: Path) -> None:
    """The files and the ```lua blocks of docs/lua.md; each `-->` precedes printed output."""
    need(lua)
    text = (ROOT / "docs" / "lua.md").read_text()
    for name, body in re.findall(r"(?ms)^```\w+\n(?://|#) (tour\.\w+)\n(.*?)^```$", text):
        (tmp_path / name).write_text(body)
    command = [fishplate, "build", "tour.toml", "--host", "lua", "--lua", lua]
    run(command, cwd=tmp_path)
    run([fishplate, "lua-library", "--lua", lua, "--out", "library"], cwd=tmp_path)
    script = tmp_path / "tour.lua"
    script.write_text("".join(re.findall(r"(?ms)^```lua\n(.*?)^```$", text)))
    wanted = re.findall(r"--> ?(.*)", script.read_text())
    printed = interpret(lua, script, tmp_path, tmp_path / "library").splitlines()
    # 5.3 and later print a float with an integer's value as `2.0`.
    assert [re.sub(r"\b(\d+)\.0\b", r"\1", line) for line in printed] == wanted


DEMONSTRATIONS = sorted((ROOT / "examples").glob("*/demo.lua"))


@pytest.mark.parametrize("lua", LUAS)
@pytest.mark.parametrize("script", DEMONSTRATIONS, ids=lambda script: script.parent.name)
def test_demonstrations(script: Path, lua: str, fishplate: Path, built, tmp_path: Path) -> None:
    need(lua)
    build(fishplate, script.parent, lua, tmp_path)
    interpret(lua, script, tmp_path, built(lua))


def test_says_that_a_call_is_one_item(fishplate: Path) -> None:
    """If an interface has `ellipses`: once, and it is not an error."""
    command = [fishplate, "check", interface(CASES / "broadcast")]
    output = run([*command, "--host", "lua"], env={**os.environ, "NO_COLOR": "1"}).stdout
    assert output.count("FP0311") == 1, output
    assert "`square` and 15 other functions are batched, but lua has no batched calls" in output
    assert "FP0311" not in run(command).stdout


VALUES = """
local annotated, module, count = dofile(arg[1]), require(arg[2]), 0
for name, enum in pairs(annotated) do
  if type(enum) == 'table' and next(enum) then
    for key, value in pairs(enum) do
      if type(value) ~= 'function' then
        local given = module[name][key]
        assert(given == value and type(given) == type(value), key)
        assert(not math.type or math.type(given) == math.type(value), key)
        count = count + 1
      end
    end
  end
end
print(count)
"""


@pytest.mark.parametrize(
    ("case", "lua"),
    [(case, "lua5.4") for case in ("enums_of_c", "cplusplus_enums", "callback_values")]
    + [("large_enums", lua) for lua in LUAS],
)
def test_annotations_have_the_values_of_enumerators(
    case: str, lua: str, fishplate: Path, tmp_path: Path
) -> None:
    need(lua)
    need_languages(CASES / case)
    build(fishplate, CASES / case, lua, tmp_path)
    (tmp_path / "values.lua").write_text(VALUES)
    script = [lua, "values.lua", f"{case}.d.lua", case]
    counted = run(script, cwd=tmp_path, env={**os.environ, "LUA_CPATH": "./?.so"}).stdout
    beside = tmp_path / f"{case}.d.lua"
    written = beside.read_text()
    assert int(counted) == written.count("` in C") > 0
    # Also where the module is up to date, and the file is not.
    beside.write_text("-- Generated by Fishplate. Do not edit.\n")
    build(fishplate, CASES / case, lua, tmp_path)
    assert beside.read_text() == written


@pytest.fixture(scope="module")
def annotations(fishplate: Path, tmp_path_factory) -> list[Path]:
    """The file for editors of each case, and that of the library."""
    out = tmp_path_factory.mktemp("annotations")
    for folder in folders():
        run([fishplate, "emit", interface(folder), "--host", "lua", "--out", out])
    return [*out.rglob("*.d.lua"), LIBRARY / "fishplate.d.lua"]


@pytest.mark.parametrize("lua", LUAS)
def test_annotations_are_lua(lua: str, annotations: list[Path]) -> None:
    need(lua)
    files = " ".join(f"assert(loadfile'{path}')" for path in annotations)
    assert len(annotations) > len(folders())
    run([lua, "-e", files])
