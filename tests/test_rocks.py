"""Rockspecs: that of `wrap`, and the output of `fishplate init --rockspec`.

LuaRocks runs them if it is installed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from needs import lacking

ROOT = Path(__file__).resolve().parent.parent
MODULES = ROOT / "bindings" / "lua"
VERSIONS = ["5.1", "5.4"]

INTERFACE = """\
[module]
name    = "pkg.sums"
doc     = "Sums, and the user's own."
headers = ["sums.h"]
sources = ["sums.c"]
defines = ["START=1"]

[function.add]
proto = "int add(int a, int b)"
"""


def run(command: list[object], folder: Path, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1", **environment},
        capture_output=True,
        text=True,
        timeout=300,
    )


@pytest.fixture
def module(tmp_path: Path) -> Path:
    (tmp_path / "sums.toml").write_text(INTERFACE)
    (tmp_path / "sums.h").write_text("int add(int a, int b);\n")
    (tmp_path / "sums.c").write_text("int add(int a, int b) { return START + a + b; }\n")
    return tmp_path


def rocks(version: str, folder: Path, rockspec: str, tree: Path) -> None:
    if not (shutil.which("luarocks") and shutil.which(f"lua{version}")):
        lacking(f"luarocks or lua{version}", f"install luarocks and lua{version}")
    made = run(
        [
            "luarocks",
            f"--lua-version={version}",
            "--tree",
            tree,
            "make",
            "--deps-mode=none",
            rockspec,
        ],
        folder,
    )
    assert made.returncode == 0, made.stdout + made.stderr


def test_wrap_names_all_its_modules() -> None:
    text = (MODULES / "wrap-scm-1.rockspec").read_text()
    listed = dict(re.findall(r"\['([\w.]+)'\] = '([\w/.]+)'", text))
    files = [MODULES / "wrap.lua", MODULES / "cwrap.lua", *(MODULES / "wrap").rglob("*.lua")]
    names = [str(path.relative_to(MODULES)) for path in files]
    assert listed == {name.removesuffix(".lua").replace("/", "."): name for name in names}


@pytest.mark.parametrize("version", VERSIONS)
def test_wrap_is_a_rock(version: str, tmp_path: Path) -> None:
    copy = tmp_path / "lua"
    shutil.copytree(MODULES, copy)
    rocks(version, copy, "wrap-scm-1.rockspec", tmp_path / "tree")
    script = "print(require('cwrap') == require('wrap') and #wrap.CInterface.new():tostring())"
    path = f"{tmp_path}/tree/share/lua/{version}/?.lua"
    assert run([f"lua{version}", "-e", script], tmp_path, LUA_PATH=path).stdout == "0\n"


def test_fishplate_is_a_rock_by_its_folder_alone(tmp_path: Path) -> None:
    copy = tmp_path / "lua"
    shutil.copytree(MODULES, copy)
    for version in VERSIONS:
        # In the same folder, one Lua after the other.
        rocks(version, copy, "fishplate-scm-1.rockspec", tmp_path / version)
        script = "print(require('fishplate').tensor{1, 2, 3})"
        path = f"{tmp_path}/{version}/lib/lua/{version}/?.so"
        done = run([f"lua{version}", "-e", script], tmp_path, LUA_CPATH=path)
        assert done.stdout == "float64[3] {1, 2, 3}\n", done.stderr


def test_make_compiles_again_for_another_lua(tmp_path: Path) -> None:
    copy = tmp_path / "lua"
    shutil.copytree(MODULES, copy)
    library = copy / "build" / "fishplate.so"
    made = []
    for version in ["5.1", "5.1", "5.4"]:
        headers = Path(f"/usr/include/lua{version}")
        if not (shutil.which("make") and (headers / "lua.h").is_file()):
            lacking(f"make or lua{version}", f"install make and lua{version}")
        done = run(["make", "OUT=build", f"LUA_CFLAGS=-I{headers}"], copy)
        assert done.returncode == 0, done.stderr
        made.append(library.stat().st_mtime_ns)
    assert made[0] == made[1] != made[2]


def test_a_rockspec_of_an_interface(fishplate: Path, module: Path) -> None:
    made = run([fishplate, "init", "--rockspec", "sums.toml"], module)
    assert (made.returncode, made.stdout) == (0, "pkg-sums-scm-1.rockspec\n")
    assert "fishplate emit sums.toml --host lua --out generated" in made.stderr
    assert "not in the rockspec: `source.url`" in made.stderr
    text = (module / "pkg-sums-scm-1.rockspec").read_text()
    assert "-- Not an address" in text
    assert "    ['pkg.sums'] = {\n      sources = {'generated/sums_lua.c', 'sums.c'},\n" in text
    assert "      defines = {'START=1'},\n" in text
    assert "description = {summary = 'Sums, and the user\\'s own.'}" in text

    again = run([fishplate, "init", "--rockspec", "sums.toml"], module)
    assert again.returncode == 1 and "is there already" in again.stderr
    shown = run([fishplate, "--json", "init", "--rockspec", "sums.toml", "--out", "-"], module)
    assert json.loads(shown.stdout)["text"] == text


def test_a_wrong_interface_has_none(fishplate: Path, module: Path) -> None:
    (module / "sums.toml").write_text("[module]\nname = 3\n")
    made = run([fishplate, "init", "--rockspec", "sums.toml"], module)
    assert made.returncode == 1 and "sums.toml:2" in made.stderr
    assert not list(module.glob("*.rockspec"))


@pytest.mark.parametrize("version", VERSIONS)
def test_a_module_is_a_rock(version: str, fishplate: Path, module: Path) -> None:
    if "lua" not in run([fishplate, "emit", "--help"], module).stdout:
        pytest.skip("this command has no host for Lua")
    for command in (["init", "--rockspec", "sums.toml"],
                    ["emit", "sums.toml", "--host", "lua", "--out", "generated"]):  # fmt: skip
        done = run([fishplate, *command], module)
        assert done.returncode == 0, done.stderr
    rocks(version, module, "pkg-sums-scm-1.rockspec", module / "tree")
    script = "print(require('pkg.sums').add(2, 3))"
    path = f"{module}/tree/lib/lua/{version}/?.so"
    assert run([f"lua{version}", "-e", script], module, LUA_CPATH=path).stdout == "6\n"


@pytest.mark.parametrize("version", VERSIONS)
def test_a_rock_is_fetched_from_the_remote(version: str, fishplate: Path, module: Path) -> None:
    """A rockspec that was written in a folder of a git repository is sufficient without the
    repository."""
    if not (shutil.which("luarocks") and shutil.which("git") and shutil.which(f"lua{version}")):
        lacking(f"luarocks, git or lua{version}", f"install luarocks, git and lua{version}")
    work, remote, tree = module / "work", module / "remote.git", module / "tree"
    work.mkdir()
    for file in module.glob("sums.*"):
        file.rename(work / file.name)
    me = ["-c", "user.name=me", "-c", "user.email=me@example.org"]
    for folder, *command in (
        (module, "git", "init", "--quiet", "--bare", "--initial-branch=main", remote),
        (module, "git", "init", "--quiet"),
        (module, "git", "remote", "add", "origin", remote),
        (work, fishplate, "init", "--rockspec", "sums.toml"),
        (work, fishplate, "emit", "sums.toml", "--host", "lua", "--out", "generated"),
        (module, "git", "add", "work"),
        (module, "git", *me, "commit", "--quiet", "-m", "A module"),
        (module, "git", "push", "--quiet", "origin", "HEAD:refs/heads/main"),
    ):
        done = run(command, folder)
        assert done.returncode == 0, done.stderr
    text = (work / "pkg-sums-scm-1.rockspec").read_text()
    assert f"source = {{url = 'git+file://{remote}', dir = 'remote/work'}}\n" in text
    spec = shutil.copy(work / "pkg-sums-scm-1.rockspec", tree.parent / "pkg-sums-scm-1.rockspec")
    shutil.rmtree(work)
    fetch = ["luarocks", f"--lua-version={version}", "--tree", tree, "build", "--deps-mode=none"]
    built = run([*fetch, spec], module)
    assert built.returncode == 0, built.stdout + built.stderr
    script = "print(require('pkg.sums').add(2, 3))"
    path = f"{tree}/lib/lua/{version}/?.so"
    assert run([f"lua{version}", "-e", script], module, LUA_CPATH=path).stdout == "6\n"
