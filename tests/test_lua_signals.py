"""Ctrl-C while C runs in Lua: `lua` notes it as a hook, which runs when C calls back."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest
from luas import LUAS, need, run

HEADER = """
#include <stdio.h>

/* Searches until it is told to stop; says when it has begun. */
static inline long
search(int (*look)(void *data), void *data)
{
    long rounds;
    puts("begun");
    fflush(stdout);
    for (rounds = 1; rounds < 1L << 40; rounds++) {
        if (rounds % 1000 == 0 && look(data) != 0) {
            return -rounds;
        }
    }
    return rounds;
}
"""

INTERFACE = """
[module]
name = "search"
headers = ["search.h"]
[function.search]
proto = "long search(fails(1) int (*look)(void *data), void *data)"
"""

SCRIPT = """
local search = require 'search'
local good, why = pcall(search.search, function() return 0 end)
print(good, tostring(why):match('interrupted!'))
"""


@pytest.mark.parametrize("lua", LUAS)
def test_ctrl_c_where_c_calls_back(lua: str, fishplate: Path, tmp_path: Path) -> None:
    need(lua)
    (tmp_path / "search.h").write_text(HEADER)
    (tmp_path / "search.toml").write_text(INTERFACE)
    (tmp_path / "script.lua").write_text(SCRIPT)
    command = [fishplate, "build", "search.toml", "--host", "lua", "--lua", lua]
    run(command, cwd=tmp_path)
    with subprocess.Popen(
        [lua, "script.lua"],
        cwd=tmp_path,
        env={**os.environ, "LUA_CPATH": "./?.so"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        # A shell may start background jobs with SIGINT ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:
        assert process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=60)[0] == "false\tinterrupted!\n"
