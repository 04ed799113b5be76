"""fishplate/python.h and python.hpp, by real compilers and in real Pythons.

exercise.py asserts the behaviour, in every build here; code that must not compile, and code that
must end the program, is here.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import textwrap
from pathlib import Path

import pytest
from compilers import ALL, LEVEL, share
from toolbox import (
    COMPILERS,
    HERE,
    INCLUDE,
    STRICT,
    compile_edges,
    compile_glue,
    exercise,
    lacking,
    need,
    python_headers,
    python_with,
    run,
)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """built(compiler): a folder with the modules, as a user would compile them while developing."""
    folders: dict[str, Path] = {}

    def built(compiler: str) -> Path:
        if compiler not in folders:
            out = tmp_path_factory.mktemp(compiler)
            folders[compiler] = compile_glue(out, compiler, LEVEL)
        return folders[compiler]

    return built


@pytest.mark.parametrize("compiler", COMPILERS)
def test_behaviour(compiler, built):
    done = exercise(built(compiler))
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stdout


def test_nothing_piles_up(built):
    done = exercise(built("gcc"), 20 if ALL else 5)
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stdout


def test_each_allocation_fails(built):
    if run([sys.executable, "-c", "import _testcapi"], check=False).returncode:
        lacking("Python's own _testcapi")
    done = run([sys.executable, "-X", "dev", HERE / "starve.py", built("gcc")], check=False)
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stdout


OTHERS = ["3.12", "3.13", "3.13t", "3.14", "3.14t"]


@pytest.mark.parametrize("version", OTHERS if ALL else ["3.13t", "3.14"])
def test_other_pythons(version, tmp_path):
    """The installed ones, free-threaded ones ("t") too."""
    kept = sorted(Path.home().glob(f".pyenv/versions/{version}*/bin/python{version}"))
    if not kept:
        pytest.skip(f"no Python {version}")
    out = compile_glue(tmp_path / "out", "gcc", "-O2", "-DNDEBUG", python=kept[-1])
    done = exercise(out, python=kept[-1])
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stdout


SANITIZERS = {
    "libasan.so": (
        ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"],
        {"PYTHONMALLOC": "malloc", "ASAN_OPTIONS": "detect_leaks=1"},
    ),
    "libtsan.so": (["-fsanitize=thread"], {"TSAN_OPTIONS": "exitcode=66"}),
}


@pytest.mark.parametrize("library", SANITIZERS)
def test_sanitizers(library, tmp_path):
    flags, environment = SANITIZERS[library]
    runtime = run([need("gcc"), f"-print-file-name={library}"]).stdout.strip()
    if not Path(runtime).is_absolute():
        lacking(library)
    # The sanitizer looks up the throwing functions of the C++ library when it starts.
    cxx = run([need("gcc"), "-print-file-name=libstdc++.so.6"]).stdout.strip()
    out = compile_glue(tmp_path / "out", "gcc", LEVEL, "-fno-omit-frame-pointer", *flags)
    done = exercise(out, LD_PRELOAD=f"{runtime} {cxx}", **environment)
    assert done.returncode == 0 and done.stdout.endswith("done\n"), done.stdout
    assert "WARNING" not in done.stdout, done.stdout


# ---- The end of Python, forks, and other interpreters --------------------------------------------


def scripted(folder: Path, script: str, check: bool = True, **more):
    head = f"import sys; sys.path.insert(0, {str(folder)!r})\nimport edges\n"
    return run([sys.executable, "-c", head + textwrap.dedent(script)], check, **more)


@pytest.mark.parametrize("value", ["{'a': 1}", "lambda: 0", "[object()]"])
def test_a_static_pointer_outlives_python(value, built):
    scripted(built("gcc"), f"edges.cache({value})")


def test_threads_that_outlive_python(built):
    for _ in range(5):
        done = scripted(built("gcc"), "import time; edges.start_thread(); time.sleep(0.02)")
        assert done.stdout == ""


def test_forks_while_another_thread_warns(built):
    done = scripted(
        built("gcc"),
        """
        import os, signal, warnings
        # The thread may warn before this call returns.
        warnings.simplefilter("ignore")
        edges.start_warning()
        for _ in range(300):
            child = os.fork()
            if child == 0:
                signal.alarm(20)
                with warnings.catch_warnings(record=True) as caught:
                    warnings.simplefilter("always")
                    edges.warn_unguarded(2)
                    edges.warn_inside()
                texts = [str(warning.message) for warning in caught]
                os._exit(texts != ["inner", "unguarded", "unguarded"])
            assert os.waitpid(child, 0)[1] == 0
        print("done", flush=True)
        os._exit(0)
        """,
    )
    assert done.stdout == "done\n"


INTERPRETER = """
try:
    import _interpreters as interpreters
    make, execute = (lambda: interpreters.create("legacy")), interpreters.exec
except ImportError:
    import _xxsubinterpreters as interpreters
    make, execute = (lambda: interpreters.create(isolated=False)), interpreters.run_string
script = '''
import sys; sys.path[:] = PATH
try:
    import edges
except ImportError as error:
    print("ImportError", error)
else:
    raises = lambda: edges.raises("errno")
    for call in (edges.quiet, edges.throws_after_error, edges.warn_inside, raises):
        try:
            print(call())
        except BaseException as error:
            print(type(error).__name__, error)
'''
execute(make(), script.replace("PATH", repr(sys.path)))
print("back")
try:
    edges.check_without_gil()
except IndexError:
    print("done")
"""


@pytest.mark.parametrize("slots", [True, False])
def test_sub_interpreters(slots, built, tmp_path):
    folder = built("gcc")
    if not slots:
        shutil.copytree(folder, tmp_path / "out")
        folder = tmp_path / "out"
        compile_edges(folder, "gcc", LEVEL, "-DWITHOUT_SLOTS")
    done = scripted(folder, INTERPRETER)
    why = "this module does not support sub-interpreters (it uses fishplate/python.h)"
    # Without the slots, at the first boundary that has something to raise.
    refused = [f"ImportError {why}"] if slots else ["None", *3 * [f"RuntimeError {why}"]]
    assert done.stdout.splitlines() == [*refused, "back", "done"]


CHECKS = """
SCRIPT = '''
import sys; sys.path[:] = PATH
import plain
for call in (plain.check_without_gil, plain.without_gil):
    try:
        print(call())
    except BaseException as error:
        print(type(error).__name__, error)
'''
execute(make(), SCRIPT.replace("PATH", repr(sys.path)))
try:
    plain.check_without_gil()
except ValueError:
    print("done")
"""


def test_checks_without_the_gil_in_a_sub_interpreter(built):
    """In C the exception is raised in the interpreter that called, not in the main one."""
    script = "import plain\n" + INTERPRETER.split("script =")[0] + CHECKS
    expected = ["ValueError without the GIL, in C", "IndexError 7", "done"]
    assert scripted(built("gcc"), script).stdout.splitlines() == expected


def test_warnings_without_python(built, tmp_path):
    folder = built("gcc")
    command = [need("gcc"), HERE / "agnostic_main.c", f"-L{folder}", "-lagnostic"]
    run([*command, f"-Wl,-rpath,{folder}", "-o", tmp_path / "main"])
    done = run([tmp_path / "main"])
    assert done.stdout == "warning: library 1 of 2\nwarning: library 2 of 2\n"


# ---- Misuse that ends the program, or does not compile ------------------------------------------


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        ("drops_without_gil", "an fp::object_ptr was dropped without the GIL"),
        ("resets_to_itself", "it would be dropped twice"),
    ],
)
def test_misuse_ends_the_program(function, reason, built):
    script = f"import sys; sys.path.insert(0, {str(built('gcc'))!r})\n"
    script += f"import throwing; throwing.{function}(object())"
    done = run([sys.executable, "-c", script], check=False)
    assert done.returncode == -6
    assert reason in done.stdout


def compiled(tmp_path: Path, compiler: str, name: str, text: str, only: str = "-c"):
    """The compiler's error for a file, or nothing; with "-E" that of its preprocessor `only`."""
    source = tmp_path / name
    source.write_text(text)
    language = (
        [COMPILERS[compiler], "-std=c++17"] if name.endswith("pp") else [compiler, "-std=c99"]
    )
    command = [need(language[0]), language[1], only, "-o", tmp_path / "out", *STRICT]
    folders = [f"-I{INCLUDE}", f"-isystem{python_headers()}"]
    return run([*command, *folders, source], check=False).stdout


SYSTEM = ["stdio.h", "stddef.h", "stdint.h", "limits.h", "stdarg.h", "stdbool.h", "float.h"]


@pytest.mark.parametrize("compiler", share(list(COMPILERS), 2))
def test_python_comes_first(compiler, tmp_path):
    ours = {"a.c": "fishplate/python.h", "a.cpp": "fishplate/python.hpp"}
    for name, header in ours.items():
        others = SYSTEM + (["vector", "cstddef"] if name == "a.cpp" else [])
        for other in others:
            text = f"#include <{other}>\n#include <{header}>\n"
            output = compiled(tmp_path, compiler, name, text, "-E")
            assert "Python.h comes first: a system header was included before it" in output, other
        after = "".join(f"#include <{file}>\n" for file in [header, *others])
        assert compiled(tmp_path, compiler, name, after) == ""
    late = "#include <stdio.h>\n#include <Python.h>\n#include <fishplate/python.h>\n"
    assert "Python.h comes first" in compiled(tmp_path, compiler, "a.c", late, "-E")
    early = "#include <Python.h>\n#include <stdio.h>\n#include <fishplate/python.h>\n"
    assert compiled(tmp_path, compiler, "a.c", early) == ""


@pytest.mark.parametrize("compiler", COMPILERS)
def test_exceptions_are_needed(compiler, tmp_path):
    source = tmp_path / "a.cpp"
    source.write_text("#include <fishplate/python.hpp>\n")
    command = [need(COMPILERS[compiler]), "-std=c++17", "-fno-exceptions", "-fsyntax-only"]
    command += [f"-I{INCLUDE}", f"-isystem{python_headers()}", source]
    assert "compile without -fno-exceptions" in run(command, check=False).stdout


@pytest.mark.parametrize("compiler", COMPILERS)
def test_each_header_stands_alone(compiler, tmp_path):
    for header in sorted((INCLUDE / "fishplate").iterdir()):
        if header.name.startswith("generated"):
            continue  # for modules that are generated
        # In C++, python.h is python.hpp.
        names = ["a.cpp"] if header.suffix == ".hpp" else ["a.c", "a.cpp"]
        # Of one compiler C, of the other C++; `--all`: both of each.
        for name in [name for name in names if ALL or (name == "a.c") == (compiler == "gcc")]:
            text = f"#include <fishplate/{header.name}>\n" * 2
            assert compiled(tmp_path, compiler, name, text) == "", header.name


BODY = """#include <fishplate/python.hpp>
namespace {{ struct handle {{}}; }}
template <> struct fp::counting<handle> {{ static void drop(handle *) {{}} }};
{result} f([[maybe_unused]] fp::object_ptr p, [[maybe_unused]] int n)
{{
    FP_HANDLE_ERRORS
    {body}
    {end}
}}
"""
OBJECT = ("PyObject *", "FP_END_HANDLE_ERRORS")
LENGTH = ("Py_ssize_t", "FP_END_HANDLE_ERRORS_RET(-1)")


# A body, and a part of the compiler's message; None: it compiles.
BODIES = [
    (OBJECT, "fp::object_ptr q = std::move(p); return q;", None),
    (OBJECT, "if (n) { return nullptr; } Py_RETURN_NONE;", None),
    (OBJECT, "if (n) { return NULL; } return p.release();", None),
    (LENGTH, "return n;", None),
    (("Py_ssize_t", "FP_END_HANDLE_ERRORS_RET(Py_ssize_t{-1})"), "return n;", None),
    (LENGTH, "return Py_ssize_t{1};", "narrower type than the returned expression"),
    (
        ("Py_ssize_t", "FP_END_HANDLE_ERRORS_RET(Py_ssize_t{-1})"),
        "return sizeof(n);",
        "differ in signedness",
    ),
    (OBJECT, 'FP_CHECK(n, "%s", n); return NULL;', "format"),
    (OBJECT, 'FP_WARN(PyExc_Warning, "%ld", n); return NULL;', "format"),
    (OBJECT, "fp::object_ptr q = p; return NULL;", "deleted"),
    (OBJECT, "p.release(); return nullptr;", "nodiscard|unused"),
    (OBJECT, "return p.get() ? n : 1;", "convert|conversion"),
    (OBJECT, "fp::ptr<handle> h; auto other = h.copy(); return NULL;", "keep"),
    (OBJECT, "if (n) return std::move(p);", "return"),
]
# Each by one compiler, by turns; `--all`: by both.
COMPILED = [
    (compiler, *body)
    for turn, body in enumerate(BODIES)
    for compiler in share(list(COMPILERS), len(COMPILERS), turn)
]


@pytest.mark.parametrize(("compiler", "kind", "body", "says"), COMPILED)
def test_compile_time_checks(compiler, kind, body, says, tmp_path):
    text = BODY.format(result=kind[0], body=body, end=kind[1]) + "[[maybe_unused]] auto used = f;\n"
    output = compiled(tmp_path, compiler, "a.cpp", text)
    assert re.search(says, output) if says else output == "", output


def test_formats_in_c_are_checked(tmp_path):
    text = "#include <fishplate/python.h>\n"
    text += "PyObject *f(int n);\nPyObject *f(int n) {{ {} return NULL; }}\n"
    for body in ('FP_CHECK(n, "%s", n);', 'FP_WARN(PyExc_Warning, "%ld", n);'):
        assert "format" in compiled(tmp_path, "gcc", "a.c", text.format(body))
    assert (
        "C++17"
        in run(
            [
                need("g++"),
                "-std=c++14",
                "-fsyntax-only",
                f"-I{INCLUDE}",
                f"-isystem{python_headers()}",
            ]
            + ["-x", "c++", "-include", "fishplate/python.hpp", os.devnull],
            check=False,
        ).stdout
    )


# ---- pybind11 and nanobind -----------------------------------------------------------------------


@pytest.fixture(scope="module", params=share(["pybind11", "nanobind"], 2))
def bound(request, tmp_path_factory):
    """A framework's name, the folder with the module, and a Python to import it in."""
    name, out = request.param, tmp_path_factory.mktemp(request.param)
    python = python_with(name)
    includes = [f"-I{INCLUDE}", f"-isystem{python_headers(python)}"]
    ask = {"pybind11": "get_include", "nanobind": "include_dir"}[name]
    where = Path(run([python, "-c", f"import {name}; print({name}.{ask}())"]).stdout.strip())
    library = []
    if name == "nanobind":
        library = [where.parent / "src" / "nb_combined.cpp"]
        includes.append(f"-isystem{where.parent / 'ext' / 'robin_map' / 'include'}")
    command = [need("g++"), "-std=c++17", "-O0", "-fPIC", "-shared", "-fvisibility=hidden"]
    command += ["-fno-strict-aliasing", *includes, f"-isystem{where}"]
    defines = [f"-DBIND_{name.upper()}", f"-DNAME=bound_{name}"]
    own = out / "own.o"
    run([*command, *STRICT, *defines, "-c", HERE / "bound.cpp", "-o", own])
    run([*command, own, *library, "-o", out / f"bound_{name}.so"])
    return name, out, python


def test_functions_that_are_bound(bound):
    name, out, python = bound
    done = run([python, "-X", "dev", HERE / "exercise_bound.py", out, f"bound_{name}"], check=False)
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stdout
