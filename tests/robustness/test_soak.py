"""Many calls over every language boundary leak nothing: memory, references, C objects.

Ten million of them are `cargo xtask soak --borders`.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
import tools
from compilers import ALL, unoptimised
from luas import LUAS, need

CALLS = os.environ.get("FISHPLATE_CALLS", "100000")
SOAK = tools.HERE / "soak"
NAMES = ["borders", "thrown"]


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("soak")
    for name in NAMES:
        tools.build(SOAK / f"{name}.toml", out)
    return out


def test_python_grows_by_nothing(modules: Path) -> None:
    env = {"PYTHONPATH": str(modules)}
    print(tools.run([sys.executable, SOAK / "turns.py", CALLS], env=env, timeout=3000).stdout)


@pytest.mark.parametrize("lua", LUAS if ALL else ["lua5.4", "luajit"])
def test_lua_grows_by_nothing(lua: str, tmp_path: Path) -> None:
    need(lua)
    there: list[str | Path] = ["--lua", lua, "--out", tmp_path]
    for name in NAMES:
        interface = SOAK / f"{name}.toml"
        build = [tools.fishplate(), "build", interface, "--host", "lua", *there]
        tools.run(build, env=unoptimised(os.environ))
    tools.run([tools.fishplate(), "lua-library", *there])
    env = {"LUA_CPATH": f"{tmp_path}/?.so"}
    print(tools.run([lua, SOAK / "turns.lua", CALLS], env=env, timeout=3000).stdout)


LOST = """
import sys
sys.argv[1:] = ["100000"]
import turns
lost = []
turns.PARTS.append(lambda: {lose} or 1)
turns.main()
"""


@pytest.mark.parametrize(
    ("lose", "grown"),
    [
        ("lost.append(turns.m.Counter(1))", "objects of C"),
        ("lost.append(turns.point)", "references"),
        ("lost.append(b'%d' % len(lost))", "Python's blocks"),
        ("lost.append(turns.np.empty(4000))", "bytes of C's heap"),
    ],
)
def test_leaks_are_detected(lose: str, grown: str, modules: Path) -> None:
    """The set-up itself: a leak in one of about sixty calls is detected."""
    script = LOST.format(lose=lose)
    env = {"PYTHONPATH": f"{modules}:{SOAK}"}
    done = tools.run([sys.executable, "-c", script], env=env, check=False)
    assert done.returncode != 0 and "assert" in done.stderr and grown in done.stderr, done.stderr
