"""Machines without a compiler, or without a folder for compiled code."""

import os
import subprocess
import sys

import pytest

# The beginning of each script: functions that use every way of linking.
HEAD = """
import os, sys, warnings
warnings.simplefilter("always")
import numpy as np
import fishplate.graph as g

class Twice(g.Op):
    __props__ = ()
    def make_node(self, x):
        return g.Apply(self, [x], [x.type()])
    def perform(self, node, inputs, storage):
        storage[0][0] = 2 * inputs[0]

x, y = g.vector("x"), g.matrix("y")

def check(**options):
    f = g.function([x, y], [g.exp(x) @ y, (x * x).sum()], **options)
    products, total = f([0, 1], [[1, 2], [3, 4]])
    np.testing.assert_allclose(products, np.exp([0, 1]) @ [[1, 2], [3, 4]])
    assert total == 1.0
    assert g.function([x], Twice()(x + 1) * 2, **options)([1.0]).tolist() == [8.0]
    s = g.shared(0.0)
    count = g.function([], s, updates={s: s + 1}, **options)
    assert (count(), count(), s.get_value()) == (0.0, 1.0, 2.0)
    return f
"""


def python(script, cwd, **environment):
    """Runs a script; returns its output and its warnings."""
    kept = {k: v for k, v in os.environ.items() if k not in ("CC", "FISHPLATE_CACHE_DIR")}
    done = subprocess.run(
        [sys.executable, "-c", HEAD + script],
        cwd=cwd,
        env={**kept, **environment},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


@pytest.fixture
def nothing(tmp_path):
    """An environment without a compiler: an empty folder as PATH, and a cache of its own."""
    (tmp_path / "empty").mkdir()
    return {"PATH": str(tmp_path / "empty"), "FISHPLATE_CACHE_DIR": str(tmp_path / "cache")}


@pytest.mark.parametrize("linker", ["c", "c-opwise"])
def test_perform_serves_with_one_warning(tmp_path, nothing, linker):
    script = f"""
for again in range(3):
    check(linker={linker!r})
print(g.cache_stats().compiled)
"""
    out, err = python(script, tmp_path, **nothing)
    assert out == "0\n"
    assert err.count("RuntimeWarning") == 1, err
    assert "graphs are computed by NumPy, node by node" in err
    # The user's line, not one of the package.
    assert err.startswith("<string>:")
    # The help.
    assert "pip install ziglang" in err and "apt install gcc" in err.replace("apt-get", "apt"), err


def test_named_compilers_must_exist(tmp_path, nothing):
    nothing["CC"] = "/nowhere/cc"
    _, err = python("check()", tmp_path, **nothing)
    assert err.count("RuntimeWarning") == 1 and "/nowhere/cc" in err


def test_a_compiler_that_does_not_work(tmp_path, nothing):
    broken = tmp_path / "empty" / "gcc"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    _, err = python("check()", tmp_path, **nothing)
    assert err.count("RuntimeWarning") == 1 and str(broken) in err


def test_perform_asks_for_no_compiler(tmp_path, nothing):
    assert python("check(linker='perform')", tmp_path, **nothing) == ("", "")
    assert not (tmp_path / "cache").exists()


def test_errors_are_the_same(tmp_path, nothing):
    script = """
f = check()
try:
    f([1], [[1, 2], [3, 4]])
except ValueError as error:
    assert "matmul(exp.0, y)" in error.__notes__[0], error.__notes__
    print(error)
try:
    f("abc", [[1, 2], [3, 4]])
except TypeError as error:
    assert "argument 'x'" in str(error)
"""
    assert "mismatch" in python(script, tmp_path, **nothing)[0]


def test_entries_belong_to_one_compiler(tmp_path, nothing):
    """Without the compiler its output is unknown; with it again, the library is found."""
    cache = {"FISHPLATE_CACHE_DIR": nothing["FISHPLATE_CACHE_DIR"]}
    script = "check(); print(g.cache_stats().compiled)"
    assert python(script, tmp_path, **cache) == ("4\n", "")
    assert python(script, tmp_path, **cache) == ("0\n", "")
    assert python(script, tmp_path, **nothing)[0] == "0\n"


@pytest.mark.parametrize("name", ["with spaces and 'quotes'", "größer/Ünïcode ✓", "a,b;c$HOME"])
def test_folders_of_any_name(tmp_path, name):
    home = tmp_path / name
    home.mkdir(parents=True)
    for environment in ({"FISHPLATE_CACHE_DIR": str(home / "kept")}, {"HOME": str(home)}):
        environment["XDG_CACHE_HOME"] = ""
        first = python("check(); print(g.cache_stats().compiled > 0)", home, **environment)
        again = python("check(); print(g.cache_stats().compiled > 0)", home, **environment)
        assert (first, again) == (("True\n", ""), ("False\n", ""))
    assert (home / ".cache" / "fishplate").is_dir() and (home / "kept").is_dir()


def test_homes_that_cannot_be_written(tmp_path):
    # A path at which not even root can make a folder.
    home = {"HOME": "/proc", "XDG_CACHE_HOME": "", "TMPDIR": str(tmp_path)}
    script = "check(); check(); print(g.cache_stats().compiled > 0)"
    out, err = python(script, "/", **home)
    assert out == "True\n"
    assert err.count("RuntimeWarning") == 1, err
    assert "compiled graphs are not kept for other processes" in err and "/proc" in err
    assert list(tmp_path.iterdir()) == []


def test_no_home_at_all(tmp_path):
    script = """
for name in ("HOME", "XDG_CACHE_HOME"):
    os.environ.pop(name, None)
check()
"""
    _, err = python(script, tmp_path)
    assert err.count("RuntimeWarning") <= 1, err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_homes_without_write_permission(tmp_path):
    home = tmp_path / "home"
    home.mkdir(mode=0o555)
    _, err = python("check()", tmp_path, HOME=str(home), XDG_CACHE_HOME="")
    assert err.count("RuntimeWarning") == 1, err


def test_another_process_pickles_to_one_without_a_compiler(tmp_path, nothing):
    python("import pickle; pickle.dump(check(), open('f.pickle', 'wb'))", tmp_path)
    script = "import pickle; print(pickle.load(open('f.pickle', 'rb'))([1], [[1]])[1])"
    out, err = python(script, tmp_path, **nothing)
    assert out == "1.0\n" and err.count("RuntimeWarning") == 1
