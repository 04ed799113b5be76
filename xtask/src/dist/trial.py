"""Tries an installed Fishplate: `cargo xtask dist` runs this in an environment with nothing else.

Arguments: the behaviour of `fishplate lua`; if a program runs this Python, which emulates its machine, its path.
"""

import os
import subprocess
import sys
from pathlib import Path

import fishplate
import fishplate.graph as g

EMULATOR = sys.argv[2:]
COMMAND = [*EMULATOR, "-m", "fishplate"] if EMULATOR else [str(Path(sys.executable).with_name("fishplate"))]
# Other programs cannot start a Python that needs an emulator.
PYTHON = ["--python", *EMULATOR] if EMULATOR else []
PACKAGES = os.environ["PYTHONPATH"] if EMULATOR else sys.prefix


def run(*arguments: str, fails: bool = False) -> str:
    """The output of the command."""
    done = subprocess.run([*COMMAND, *arguments], capture_output=True, text=True)
    assert (done.returncode != 0) == fails, done.stdout + done.stderr
    return done.stdout + done.stderr


assert Path(fishplate.__file__).is_relative_to(PACKAGES), fishplate.__file__
assert run("--version").split()[1] == fishplate.__version__

# A first module, from a string and from a file.
assert fishplate.inline("double twice(double x) { return 2 * x; }").twice(21) == 42
Path("half.h").write_text("static inline double half(double x) { return x / 2; }\n")
Path("half.toml").write_text(
    '[module]\nname = "half"\nheaders = ["half.h"]\n\n[function.half]\nproto = "double half(double x)"\n'
)
run("build", "half.toml", "--out", ".", *PYTHON)
sys.path.insert(0, os.getcwd())
import half  # noqa: E402

assert half.half(42) == 21

# A graph, which needs the module of this Python.
x = g.vector("x")
assert g.function([x], 2 * x + 1)([1.0, 2.0]).tolist() == [3.0, 5.0]

Path("script.lua").write_text("print(require('wrap') ~= nil)\n")
if sys.argv[1] == "lua":
    assert run("lua", "script.lua") == "true\n"
else:
    assert "has no Lua interpreter" in run("lua", "script.lua", fails=True)
print(f"Python {sys.version.split()[0]}: a module, a graph and the command work")
