"""The Python package: loading interfaces and C in strings, and the command.

Everything is run in processes of their own, with a cache of their own, as a user's program is. The
wheel is built and installed once, in `test_wheel`, where modules are optimised too; the others take
the package from the checkout.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import sysconfig
import tarfile
import time
import venv
from pathlib import Path

import pytest
from compilers import unoptimised
from needs import lacking

ROOT = Path(__file__).resolve().parent.parent
KERNELS = ROOT / "tests" / "kernels"

HEADER = "double total(size_t n, const double x[]);\n"
SOURCE = """
#include <stddef.h>
#include "total.h"
double total(size_t n, const double x[])
{
    double sum = START;
    for (size_t i = 0; i < n; i++) sum += x[i];
    return sum;
}
"""
INTERFACE = """
[module]
name    = "total"
headers = ["<stddef.h>", "total.h"]
sources = ["total.c"]
defines = ["START=0"]

[function.total]
proto = "double total(size_t n, const double x[n])"
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A small interface, in a folder with a name that many tools handle wrongly."""
    folder = tmp_path / "été au lait"
    folder.mkdir()
    (folder / "total.h").write_text(HEADER)
    (folder / "total.c").write_text(SOURCE)
    (folder / "total.toml").write_text(INTERFACE)
    return folder


@pytest.fixture
def python(tmp_path: Path):
    """python(script, cwd): runs a script that must pass; returns its output."""
    cache = tmp_path / "cache, à moi"

    def run(script: str, cwd: Path = tmp_path, *, wait: bool = True, **environment: str):
        process = subprocess.Popen(
            [sys.executable, "-W", "error", "-c", "import fishplate\n" + script],
            cwd=cwd,
            env=unoptimised({**os.environ, "FISHPLATE_CACHE_DIR": str(cache), **environment}),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        return finish(process) if wait else process

    run.cache = cache
    return run


def finish(process) -> str:
    output, _ = process.communicate(timeout=300)
    assert process.returncode == 0, output
    return output


def libraries(cache: Path) -> int:
    """The number of libraries in a cache."""
    return len(list((cache / "entries").glob("*/*.so")))


def test_load_gives_one_module_until_something_changes(project, python):
    python(
        """
from pathlib import Path
first = fishplate.load("total.toml")
assert first.total([1, 2, 3]) == 6
assert first.__name__ == "total" and first.total.__module__ == "total"
assert fishplate.load(Path("total.toml").absolute()) is first
source = Path("total.c").read_text()
Path("total.c").write_text(source.replace("sum += x[i]", "sum += 2 * x[i]"))
second = fishplate.load("total.toml")
assert second is not first
assert (first.total([1, 2, 3]), second.total([1, 2, 3])) == (6, 12)
Path("total.c").write_text(source)
assert fishplate.load("total.toml").total([1]) == 1
""",
        project,
    )
    assert python("print(fishplate.load('total.toml').total([4]))", project) == "4.0\n"


def test_load_leaves_the_folder_and_other_modules_alone(project, python):
    before = sorted(path.name for path in project.iterdir())
    project.chmod(0o555)
    python(
        """
import sys
sys.modules["total"] = other = type(sys)("total")
assert fishplate.load("total.toml").total([1]) == 1
assert sys.modules["total"] is other
""",
        project,
    )
    project.chmod(0o755)
    assert sorted(path.name for path in project.iterdir()) == before


def test_load_reads_headers_and_configurations_too(tmp_path, python):
    (tmp_path / "half.h").write_text(
        '#include "fishplate.h"\n'
        "static inline double half(double x FP_DEFAULT(1)) { return x / 2; }\n"
    )
    python("assert fishplate.load('half.h').half() == 0.5")
    configuration = next(iter(sorted((ROOT / "tests" / "cases").glob("*/*-kernels.cfg"))))
    python(f"assert dir(fishplate.load({str(configuration)!r}))")


def test_errors_are_data_too(project, python):
    interface = INTERFACE.replace("x[n])", "y[m])").replace("total.c", "totl.c")
    (project / "total.toml").write_text(interface)
    output = python(
        """
import pickle
try:
    fishplate.load("total.toml")
except fishplate.BuildError as error:
    file, dimension = error.diagnostics
    assert file.code == "FP0312" and file.severity == "error", file
    assert (dimension.code, dimension.file, dimension.line) == ("FP0303", "total.toml", 9)
    assert dimension.label and dimension.hint and dimension.column < dimension.end_column
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) and again.diagnostics == error.diagnostics
    print(error)
try:
    fishplate.load("nothing.toml")
except fishplate.BuildError as error:
    assert "cannot read nothing.toml" in str(error)
""",
        project,
    )
    assert "9 | proto" in output and "\x1b" not in output


def test_importing_imports_little(python):
    python(
        """
import sys
assert "numpy" not in sys.modules and "fishplate.graph" not in sys.modules
assert not hasattr(fishplate, "nothing")
assert fishplate.graph is sys.modules["fishplate.graph"]
"""
    )


def test_inline(python):
    output = python(
        '''
f = fishplate.inline("double f(double x) { return sin(x) + 1; }").f
assert f(0) == 1
code = """
static double square(double x) { return x * x; }

/** The squares of `x`. */
void squares(size_t n, const double *x FP_SHAPE(n), FP_OUT double *y FP_SHAPE(n))
{
    for (size_t i = 0; i < n; i++) y[i] = square(x[i]);
}
"""
module = fishplate.inline(code, name="squares")
assert module.__name__ == "squares" and not hasattr(module, "square")
assert module.squares([1, 2, 3]).tolist() == [1, 4, 9]
assert module.squares.__doc__.startswith("The squares of `x`.")
assert fishplate.inline(code, name="squares") is module
assert fishplate.inline(code) is not module
print(module.__file__)
'''
    )
    assert Path(output.strip()).is_file()


def test_inline_takes_module_keys(tmp_path, python):
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "squares.h").write_text("#define POWER 3\n")
    python(
        """
from pathlib import Path
def build():
    return fishplate.inline(
        "int f(int x) { return POWER * x + OFFSET + crypt_missing(); }",
        name="squares",
        headers=["squares.h"],
        include_dirs=["include"],
        defines=["OFFSET=4"],
        cflags=["-Dcrypt_missing()=0"],
        libraries=["m"],
    )
first = build()
assert first.f(2) == 10
Path("include/squares.h").write_text("#define POWER 5\\n")
assert build().f(2) == 14 and first.f(2) == 10
try:
    fishplate.inline("int f(int x) { return x; }", headers="math.h")
except TypeError as error:
    assert "headers is a list" in str(error)
for header in ('a"b.h', "<math.h> <x.h>", 'a.h"\\n#include "b.h', ""):
    try:
        fishplate.inline("int f(int x) { return x; }", headers=[header])
        raise AssertionError(header)
    except fishplate.BuildError as error:
        assert "is not the name of a header" in str(error), error
        assert "<inline>" in str(error) and "other C goes into the code" in str(error), error
"""
    )


@pytest.mark.parametrize(
    ("code", "place", "says"),
    [
        ("int f(int x)\n{\n    return y;\n}", (3, 12), "undeclared"),
        ("\nint f(int *x) { return *x; }", (2, 7), "FP_OUT"),
        ("int f(int x { return x; }", (1, 1), "cannot be read"),
        ("void f(FP_OT int *x) { *x = 1; }", (1, 8), "did you mean `FP_OUT`?"),
        ("void f(out int *x) { *x = 1; }", (1, 8), "write `FP_OUT`"),
        ("#include <vector>\nint f(int x) { return x; }", (1, 1), "`vector` is a header of C++"),
        ("double f(std::vector<double> x) { return 1; }", (1, 10), "`std::vector` is C++"),
        ("template <class T> T f(T x) { return x; }", (1, 1), "`template` is C++"),
        ("namespace a { int f(int x) { return x; } }", (1, 1), "`namespace` is C++"),
        ("#include <nowhere.h>\nint f(int x) { return x; }", (1, 1), "nowhere.h"),
        ("static int f(int x) { return x; }", (1, 1), "static"),
        ("", (1, 1), "declares no usable functions"),
    ],
)
def test_mistakes_in_code_have_their_place_in_the_string(code, place, says, python):
    output = python(
        f"""
try:
    fishplate.inline({code!r})
except fishplate.BuildError as error:
    first = error.diagnostics[0]
    assert first.file == "<inline>" and (first.line, first.column) == {place}, first
    print(error)
"""
    )
    assert says in output, output
    assert str(python.cache) not in output


@pytest.mark.parametrize("name", ["a/b", "..", "class", "x y", ""])
def test_a_name_that_is_none(name, python):
    output = python(
        f"""
try:
    fishplate.inline("int f(int x) {{ return x; }}", name={name!r})
except fishplate.BuildError as error:
    print(error)
"""
    )
    problem = "could not be imported" if name == "class" else "cannot be a module's name"
    assert f"`{name}` {problem}" in output


def test_compiler_warnings(python):
    python(
        """
import warnings
code = "int f(int x) { int y = x; y; return x; }"
for _ in range(2):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert fishplate.inline(code, cflags=["-Wall"]).f(3) == 3
    (warning,) = caught
    assert warning.category is fishplate.BuildWarning and warning.filename == "<string>"
    assert "<inline>:1:" in str(warning.message)
"""
    )


def test_processes_build_once(project, python):
    script = "print(fishplate.load('total.toml').__file__)"
    processes = [python(script, project, wait=False) for _ in range(6)]
    assert len({finish(process) for process in processes}) == 1
    assert libraries(python.cache) == 1


def test_threads_get_one_module(project, python):
    python(
        """
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(8) as pool:
    loaded = list(pool.map(lambda _: fishplate.load("total.toml"), range(16)))
    made = list(pool.map(lambda _: fishplate.inline("int f(int x) { return x; }"), range(16)))
assert len(set(map(id, loaded))) == len(set(map(id, made))) == 1
""",
        project,
    )


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


def test_a_build_that_is_interrupted(project, python):
    compiler = project / "slow"
    # Not a shell: one that is about to start a program may lose a signal.
    compiler.write_text(
        f"""#!{sys.executable}
import os, signal, sys, time
if "-c" in sys.argv:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    open("compiling", "w").close()
    time.sleep(60)
os.execvp("cc", ["cc", *sys.argv[1:]])
"""
    )
    compiler.chmod(0o755)
    process = subprocess.Popen(
        [sys.executable, "-c", "import fishplate; fishplate.inline('int f(int x) { return x; }')"],
        cwd=project,
        env={**os.environ, "CC": f"'{compiler}'", "FISHPLATE_CACHE_DIR": str(python.cache)},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # A shell starts background jobs with SIGINT ignored, which processes inherit.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    while not (project / "compiling").exists():
        assert process.poll() is None, process.communicate()[1]
        time.sleep(0.01)
    # As a terminal does: to the compiler too.
    os.killpg(process.pid, signal.SIGINT)
    assert "KeyboardInterrupt" in process.communicate(timeout=50)[1]


def test_the_command_is_the_command(fishplate, project):
    def both(*arguments: str):
        for command in ([fishplate], [sys.executable, "-m", "fishplate"]):
            yield subprocess.run(
                [*command, *arguments], cwd=project, capture_output=True, text=True
            )

    for arguments in (["--version"], ["check", "total.toml"], ["check", "none.toml"], ["nonsense"]):
        one, other = both(*arguments)
        assert (one.returncode, one.stdout, one.stderr) == (
            other.returncode,
            other.stdout,
            other.stderr,
        )


def test_the_running_python_is_built_for(project, tmp_path):
    """The first Python on PATH, or the active one, may lack NumPy or be older."""
    other = tmp_path / "other" / "bin"
    other.mkdir(parents=True)
    for name in ("python", "python3", "python3.99"):
        (other / name).write_text("#!/bin/sh\necho another Python >&2\nexit 3\n")
        (other / name).chmod(0o755)
    environment = {
        **unoptimised(os.environ),
        "PATH": f"{other}:{os.environ['PATH']}",
        "VIRTUAL_ENV": str(other.parent),
    }

    def command(*arguments: str):
        return subprocess.run(
            [sys.executable, "-m", "fishplate", *arguments],
            cwd=project,
            env=environment,
            capture_output=True,
            text=True,
        )

    done = command("build", "total.toml")
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip().endswith(sysconfig.get_config_var("EXT_SUFFIX"))
    done = command("doctor")
    assert done.returncode == 0, done.stderr
    assert f"python: {os.path.abspath(sys.executable)}\n" in done.stdout
    # The version names the one on PATH, as does the name; neither is the running one.
    for name in ("3.99", "python3.99"):
        done = command("build", "total.toml", "--python", name)
        assert "another Python" in done.stderr and "python3.99" in done.stderr
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert command("build", "total.toml", "--python", version).returncode == 0


def test_types(tmp_path):
    """The package is typed, and its metadata are true."""
    folder = ROOT / "bindings" / "python" / "fishplate"
    mypy = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), str(folder)]
    done = subprocess.run(mypy, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_source_distribution(tmp_path):
    """Cargo reads what is distributed: every crate, also of features that pip leaves out."""
    maturin = Path(sys.executable).with_name("maturin")
    made = subprocess.run(
        [maturin, "sdist", "--out", tmp_path], cwd=ROOT, capture_output=True, text=True
    )
    assert made.returncode == 0, made.stderr
    (archive,) = tmp_path.iterdir()
    with tarfile.open(archive) as files:
        files.extractall(tmp_path, filter="data")
    manifest = tmp_path / archive.name.removesuffix(".tar.gz") / "bindings/python/Cargo.toml"
    read = ["cargo", "metadata", "--offline", "--format-version=1", "--manifest-path", manifest]
    done = subprocess.run(read, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_wheel(tmp_path, project):
    """Built by pip from the root of the checkout, and installed in an empty environment."""
    wheels = tmp_path / "wheels"
    environment = {
        **os.environ,
        # With `fishplate lua`, as the tests build it: Cargo replaces the part that they import.
        "MATURIN_PEP517_ARGS": "--profile=dev --features=lua",
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    environment.pop("PYTHONPATH", None)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    build = [*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", wheels, ROOT]
    done = subprocess.run(build, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = wheels.iterdir()
    # With the NumPy of the tests, and none of their other packages: nothing is downloaded.
    venv.create(tmp_path / "venv", symlinks=True)
    here = tmp_path / "venv" / "bin" / "python"
    site = subprocess.check_output(
        [here, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], text=True
    ).strip()
    import numpy

    packages = Path(numpy.__file__).parent.parent
    for folder in packages.glob("numpy*"):
        Path(site, folder.name).symlink_to(folder)
    install = [*pip, "--python", here, "install", "--no-deps", "--quiet", wheel]
    subprocess.run(install, env=environment, check=True)
    command = tmp_path / "venv" / "bin" / "fishplate"
    done = subprocess.run([command, "check", "total.toml"], cwd=project, env=environment)
    assert done.returncode == 0
    for option, file in [
        ("--include-dir", "fishplate/python.hpp"),
        ("--cmake-dir", "FishplateConfig.cmake"),
        ("--pkgconfig-dir", "fishplate.pc"),
    ]:
        folder = subprocess.check_output([command, option], env=environment, text=True)
        assert Path(folder.strip(), file).is_file() and Path(folder).is_relative_to(site)
    script = """
import time, numpy, json
begin = time.perf_counter()
import fishplate
took = time.perf_counter() - begin
assert fishplate.load("total.toml").total([1, 2]) == 3
print(json.dumps([took, fishplate.__file__, fishplate.__version__]))
"""
    cache = {"FISHPLATE_CACHE_DIR": str(tmp_path / "cache")}
    output = subprocess.check_output(
        [here, "-c", script], cwd=project, env={**environment, **cache}, text=True
    )
    took, file, version = json.loads(output)
    assert Path(file).is_relative_to(site)
    assert wheel.name.startswith(f"fishplate-{version}-")
    print(f"import fishplate took {1000 * took:.1f} ms beyond NumPy's own, in a debug build")
