"""Modules for Lua whose calls take turns, used by states on several threads."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from luas import SANITIZED, SCRIPTS, need, package, run

HEADER = """
#include <time.h>

static int running;

static inline int
run_alone(int (*f)(void *data), void *data)
{
    int alone = running == 0, result;
    running++;
    result = f(data);
    running--;
    return alone || running ? result : -1;
}

static inline void
nap(double seconds)
{
    struct timespec t = {0, (long)(1e9 * seconds)};
    nanosleep(&t, NULL);
}

static inline int
count(void)
{
    return running;
}
"""

INTERFACE = """
[module]
name = "NAME"
headers = ["locked.h"]
threads = "module-lock"
[function.run_alone]
proto = "int run_alone(int (*f)(void *data), void *data)"
[function.nap]
proto = "void nap(double seconds)"
[function.count]
proto = "int count(void)"
"""


@pytest.mark.parametrize("lua", SANITIZED)
def test_two_modules_in_states_on_two_threads(lua: str, fishplate: Path, tmp_path: Path) -> None:
    """No thread waits for a module that waits for its own."""
    need(lua)
    (tmp_path / "locked.h").write_text(HEADER)
    for name in ["left", "right"]:
        (tmp_path / f"{name}.toml").write_text(INTERFACE.replace("NAME", name))
        command = [fishplate, "build", f"{name}.toml", "--host", "lua", "--lua", lua]
        run(command, cwd=tmp_path)
    flags = ["-Wall", "-Wextra", "-Werror", "-rdynamic", *package(lua, "--cflags")]
    libraries = [*package(lua, "--libs"), "-lpthread"]
    run(["gcc", *flags, SCRIPTS / "turns.c", "-o", tmp_path / "turns", *libraries])
    env = {**os.environ, "LUA_CPATH": f"{tmp_path}/?.so"}
    done = run(["timeout", "60", tmp_path / "turns"], env=env)
    assert done.stdout == "done\n"
