"""Random functions, called from every Lua in random ways, match the model."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from random import Random

import chance
import csource
import lua_calls
import pytest
import tools
from compilers import ALL, unoptimised
from luas import LUAS, SANITIZED, interpret, need

# `cargo xtask soak` asks for another one every time; the tests are the same on every run.
USUAL = [21, 886845823] if ALL else [886845823]
SEEDS = [int(os.environ["FISHPLATE_SEED"])] if "FISHPLATE_SEED" in os.environ else USUAL
FUNCTIONS = 25
CALLS = 1500

HEAD = """\
local fp, checks = require 'fishplate', dofile '{checks}'
local module = require '{module}'
local lay, holds = checks.lay, checks.holds
local function made(...) return checks.made(module, ...) end
local function call(what, run)
  local ok, message = pcall(run)
  if not ok then error(what .. '\\n' .. tostring(message), 0) end
end
"""


@pytest.fixture(scope="session", params=SEEDS, ids=lambda seed: f"seed{seed}")
def random_module(request: pytest.FixtureRequest, tmp_path_factory) -> tuple[Path, Path]:
    """The interface of a module of random functions, and a script of random calls."""
    seed: int = request.param
    folder = tmp_path_factory.mktemp(f"lua{seed}")
    suite = chance.random_suite(f"random_{seed}", seed, FUNCTIONS)
    r, seen, texts = Random(seed + 1), Counter[str](), []
    for number in range(CALLS):
        text, outcome = lua_calls.call(r, number, r.choice(suite.functions))
        texts.append(text)
        seen[outcome] += 1
    assert min(seen["fine"], seen["refused"]) > CALLS / 5, seen
    checks = Path(__file__).with_name("lua_calls.lua")
    head = HEAD.format(checks=checks, module=suite.name)
    script = folder / "calls.lua"
    script.write_text(head + "\n".join(texts) + "\n")
    return csource.write(suite, folder), script


@pytest.mark.parametrize("lua", LUAS if ALL else SANITIZED)
def test_random_calls(lua: str, random_module: tuple[Path, Path], tmp_path: Path) -> None:
    need(lua)
    interface, script = random_module
    there: list[str | Path] = ["--lua", lua, "--out", tmp_path]
    build = [tools.fishplate(), "build", interface, "--host", "lua", *there]
    tools.run(build, env=unoptimised(os.environ))
    tools.run([tools.fishplate(), "lua-library", *there])
    assert interpret(lua, script, tmp_path) == ""
