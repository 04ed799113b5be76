"""The Python package: loading interfaces and C in strings, and the command.

Everything is run in processes of their own, with a cache of their own, as a user's program is, and
takes the package from the checkout; `test_wheel.py` tests the wheel.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import pytest
from compilers import unoptimised
from packages import INTERFACE, finish, libraries

ROOT = Path(__file__).resolve().parent.parent
KERNELS = ROOT / "tests" / "kernels"


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

    def prepare():
        # A shell starts background jobs with SIGINT ignored, which processes inherit.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        # One compiler at a time: a second one could lose the signal while it starts.
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

    process = subprocess.Popen(
        [sys.executable, "-c", "import fishplate; fishplate.inline('int f(int x) { return x; }')"],
        cwd=project,
        env={**os.environ, "CC": f"'{compiler}'", "FISHPLATE_CACHE_DIR": str(python.cache)},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=prepare,
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
