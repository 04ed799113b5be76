"""examples/order: Rust with a C ABI, where a panic is an exception; and C that sets its own."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
from toolbox import INCLUDE, ROOT, need, run

EXAMPLE = ROOT / "examples" / "order"


@pytest.fixture(scope="module")
def order(build, tmp_path_factory) -> Path:
    """A folder with the module, from a copy of the example."""
    cargo = need("cargo")
    folder = tmp_path_factory.mktemp("order") / "order"
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("target"))
    env = {name: value for name, value in os.environ.items() if name != "CARGO_TARGET_DIR"}
    run([cargo, "build", "--quiet", "--release", "--offline"], cwd=folder, env=env)
    done = build(folder, "order.toml", folder)
    assert done.returncode == 0, done.stderr
    return folder


def test_its_demonstration(order):
    done = run([sys.executable, "-B", order / "demo.py"])
    # A panic is reported by its exception, and not printed as well.
    assert "thread" not in done.stdout
    assert "RuntimeError: panicked at src/lib.rs:" in done.stdout


def test_panics_on_many_threads(order):
    """Each thread has its own message."""
    script = """
import order
from concurrent.futures import ThreadPoolExecutor
import numpy as np
x = np.zeros(20_000)
def fail(k):
    try:
        order.nth(x, 20_000 + k)
    except RuntimeError as error:
        return f"the index is {20_000 + k}" in str(error)
with ThreadPoolExecutor(8) as pool:
    assert all(pool.map(fail, range(400)))
for _ in range(20_000):
    fail(1)
"""
    run([sys.executable, "-c", script], cwd=order)


SOURCE = """
#include <fishplate/python.h>

static int half(int x, int *result)
{
    FP_CHECK_VALUE_OR(return 1, x % 2 == 0, "%d is odd", x);
    *result = x / 2;
    return x < 0;
}
"""
INTERFACE = """
[module]
name         = "halves"
include-dirs = ["${INCLUDE}"]
header-code  = '''%s'''

[function.half]
proto    = "status int half(int x, out int *result)"
ellipses = ["none", "..."]
"""


def test_glue_in_a_generated_module(build, tmp_path):
    """A function with a return code that has set an exception by FP_CHECK raises it."""
    (tmp_path / "halves.toml").write_text(INTERFACE % SOURCE)
    done = build(
        tmp_path, "halves.toml", tmp_path, INCLUDE=str(INCLUDE), CFLAGS="-Wall -Wextra -Werror"
    )
    assert done.returncode == 0, done.stderr
    script = """
import halves, numpy as np
def message(*arguments):
    try:
        halves.half(*arguments)
    except Exception as error:
        return repr(error)
assert halves.half(8) == 4
assert message(7) == "ValueError('7 is odd')", message(7)
assert message(-8) == "RuntimeError('half(): half returned status 1')", message(-8)
items = np.array([2, 4, 5], np.int32)
assert message(items) == "ValueError('5 is odd')", message(items)
"""
    run([sys.executable, "-c", script], cwd=tmp_path)
