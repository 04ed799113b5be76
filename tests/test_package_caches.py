"""The cache of the Python package: not writable, full, or another user's, too."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from needs import lacking

# Modules and graphs are built, work, and cause one warning each that they are not stored.
NOT_KEPT = """
import warnings
import numpy as np
import fishplate.graph as g
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    module = fishplate.load("total.toml")
    assert module.total([1]) == 1 and fishplate.load("total.toml") is module
    code = fishplate.inline("int f(int x) { return x + 1; }")
    assert code.f(1) == 2 and fishplate.inline("int f(int x) { return x + 1; }") is code
    x = g.vector("x")
    for k in (1, 2):
        assert g.function([x], x * k)([3.0]) == [3 * k]
kinds = [str(one.message).split(" are not kept ")[0] for one in caught]
assert kinds == ["compiled modules", "compiled graphs"], [str(one.message) for one in caught]
assert all(one.filename == "<string>" for one in caught)
print(caught[0].message, module.__file__, code.__file__, sep="\\n")
"""


def mount(place: Path, options: str) -> None:
    place.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", options, "none", place]).returncode != 0:
        lacking("the right to mount file systems", "run the tests as root", optional=True)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (None, "could not"),
        ("size=60k", "no storage space"),
        ("size=1m,nr_inodes=12", "no storage space"),
        ("noexec", "mounted `noexec`"),
    ],
)
def test_a_cache_that_cannot_be_written(options, says, tmp_path, project, python):
    """Not even by root; without space in it, or without permission to load from it."""
    temporary, mounted = tmp_path / "temporary", tmp_path / "mounted"
    temporary.mkdir()
    if options is not None:
        mount(mounted, options)
    try:
        message, *places = python(
            NOT_KEPT,
            project,
            TMPDIR=str(temporary),
            FISHPLATE_CACHE_DIR=str(mounted / "cache") if options else "/proc/fishplate",
        ).splitlines()
        assert says in message, message
        assert all(Path(place).is_relative_to(temporary) for place in places)
        assert not list(temporary.iterdir())
    finally:
        if options is not None:
            subprocess.run(["umount", mounted], check=True)


# Simulates the kernel's answer for an exhausted quota; file systems with quotas are rare in tests.
QUOTA = """
import ctypes, platform, struct
numbers = {"x86_64": (0xC000003E, 285), "aarch64": (0xC00000B7, 47)}
machine, fallocate = numbers[platform.machine()]
EDQUOT = 122
steps = [
    (0x20, 0, 0, 4),  # the machine of the call
    (0x15, 0, 3, machine),
    (0x20, 0, 0, 0),  # its number
    (0x15, 0, 1, fallocate),
    (0x06, 0, 0, 0x00050000 | EDQUOT),
    (0x06, 0, 0, 0x7FFF0000),
]
code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(steps), ctypes.addressof(code)))
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, program) == 0, ctypes.get_errno()
"""


# A library that exceeds the space that is checked before a build.
LARGE = """
import pathlib, warnings
large = "static char large[16 << 20] = {1}; int at(int i) { return large[i]; }"
pathlib.Path("large.c").write_text("char large[16 << 20] = {2}; int at(int i) { return large[i]; }")
pathlib.Path("large.toml").write_text(
    '[module]\\nname = "large"\\nsources = ["large.c"]\\nheader-code = "int at(int i);"\\n'
    '[function.at]\\nproto = "int at(int i)"\\n')
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    code = fishplate.inline(large)
    module = fishplate.load("large.toml")
    assert code.at(0) == 1 and module.at(0) == 2 and module.at(1) == 0
assert len(caught) == 1, [str(one.message) for one in caught]
print(caught[0].message, module.__file__, code.__file__, sep="\\n")
"""


@pytest.mark.parametrize("size", [12, 44])
def test_a_cache_that_a_build_fills(size, tmp_path, project, python):
    """There was space before the build: too little for an object, or for the second library."""
    temporary, mounted = tmp_path / "temporary", tmp_path / "mounted"
    temporary.mkdir()
    mount(mounted, f"size={size}m")
    try:
        environment = {"TMPDIR": str(temporary), "FISHPLATE_CACHE_DIR": str(mounted / "cache")}
        message, last, _ = python(LARGE, project, **environment).splitlines()
        assert "compiled modules are not kept" in message and "space" in message, message
        assert Path(last).is_relative_to(temporary)
        assert not list(temporary.iterdir())
    finally:
        subprocess.run(["umount", mounted], check=True)


def test_a_cache_that_a_build_of_a_graph_fills(tmp_path, python):
    """Compilers find no space in the cache, although there was some before the build."""
    compiler = tmp_path / "compiler"
    compiler.write_text(
        f"""#!{sys.executable}
import os, sys
if any(os.fspath({str(python.cache)!r}) in word for word in sys.argv):
    sys.exit("fatal error: error writing to x.o: No space left on device")
os.execvp("cc", ["cc", *sys.argv[1:]])
"""
    )
    compiler.chmod(0o755)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    (message,) = python(FILLED, CC=str(compiler), TMPDIR=str(temporary)).splitlines()
    assert "compiled graphs are not kept" in message and "space" in message, message
    assert not list(temporary.iterdir())


# Graphs of built-in ops, and of one that has its own C.
FILLED = """
import warnings
import fishplate.graph as g
class Double(g.Op):
    def make_node(self, x):
        return g.Apply(self, [x], [x.type()])
    def perform(self, node, inputs, outputs):
        raise AssertionError("C code does it")
    def c_code(self, node, name, inputs, outputs, sub):
        (x,), (y,) = inputs, outputs
        twice = f"(PyArrayObject *)PyNumber_Add((PyObject *){x}, (PyObject *){x})"
        return f"Py_XDECREF({y}); {y} = {twice};"
    def c_code_cache_version(self):
        return (1,)
x = g.vector("x")
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    assert list(g.function([x], x * 2)([3.0])) == [6]
    assert list(g.function([x], Double()(x))([3.0])) == [6]
assert len(caught) == 1, [str(one.message) for one in caught]
print(caught[0].message)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="how quotas are seen on Linux")
def test_a_cache_whose_quota_is_used_up(tmp_path, project, python):
    """The file system has space, as statvfs reports it, but not for this user."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    message, *places = python(QUOTA + NOT_KEPT, project, TMPDIR=str(temporary)).splitlines()
    assert "could not write in" in message and "quota" in message.lower(), message
    assert all(Path(place).is_relative_to(temporary) for place in places)


def test_a_umask_that_lets_groups_write(tmp_path, project, python):
    """Only the user can write the cache's folder, whatever creates it."""
    script = """
import os
os.umask(0o002)
print(fishplate.load("total.toml").__file__)
print(fishplate.inline("int f(int x) { return x; }").__file__)
"""
    home = tmp_path / "home"
    home.mkdir()
    places = {
        python(script, project, HOME=str(home), FISHPLATE_CACHE_DIR="", XDG_CACHE_HOME="")
        for _ in range(2)
    }
    (both,) = places
    cache = home / ".cache" / "fishplate"
    assert all(Path(place).is_relative_to(cache) for place in both.splitlines())
    for folder in (cache, cache / "modules", cache / "entries"):
        assert folder.stat().st_mode & 0o777 == 0o700


def test_another_user_could_write_the_cache(project, python):
    python.cache.mkdir()
    python.cache.chmod(0o777)
    output = python(
        """
try:
    fishplate.load("total.toml")
except fishplate.BuildError as error:
    print(error)
""",
        project,
    )
    assert "can be written by others" in output
