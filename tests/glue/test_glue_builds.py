"""The headers are found: by Python, the command, CMake, pkg-config and Meson."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from toolbox import ROOT, STRICT, need, program_of, python_headers, run

PACKAGE = ROOT / "bindings" / "python" / "fishplate"
SOURCE = """
#include <fishplate/python.hpp>

static PyObject *hello(PyObject *, PyObject *arg)
{
    FP_HANDLE_ERRORS
    FP_CHECK_TYPE(PyUnicode_Check(arg), "hello() wants a str, got %s", Py_TYPE(arg)->tp_name);
    return PyUnicode_FromFormat("hello, %U", arg);
    FP_END_HANDLE_ERRORS
}

static PyMethodDef methods[] = {{"hello", hello, METH_O, nullptr}, {nullptr, nullptr, 0, nullptr}};
static PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "hello", nullptr, 0, methods, nullptr, nullptr, nullptr, nullptr};

PyMODINIT_FUNC PyInit_hello()
{
    return PyModuleDef_Init(&module);
}
"""
CMAKE = """
cmake_minimum_required(VERSION 3.20)
project(hello LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 17)
find_package(Fishplate 0.1 REQUIRED)
add_library(hello MODULE hello.cpp)
set_target_properties(hello PROPERTIES PREFIX "" SUFFIX ".so")
target_include_directories(hello SYSTEM PRIVATE ${PYTHON_HEADERS})
target_link_libraries(hello PRIVATE Fishplate::headers)
"""
MESON = """
project('hello', 'cpp', default_options: ['cpp_std=c++17', 'warning_level=2', 'werror=true'])
python = import('python').find_installation(get_option('python'))
python.extension_module('hello', 'hello.cpp', dependencies: %s)
"""
# As in the documentation.
DEPENDENCIES = {
    "pkg-config": "[dependency('fishplate', version: '>=0.1')]",
    "command": """[declare_dependency(include_directories:
    run_command(python, '-m', 'fishplate', '--include-dir', check: true).stdout().strip())]""",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "a project"
    folder.mkdir()
    (folder / "hello.cpp").write_text(SOURCE)
    return folder


def ask(option: str) -> Path:
    command = [sys.executable, "-m", "fishplate", option]
    # Its stderr is ignored.
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return Path(done.stdout.rstrip("\n"))


def check(library: Path) -> None:
    script = "import hello; print(hello.hello('glue'))\n"
    script += "try: hello.hello(3)\nexcept TypeError as error: print(error)"
    done = run([sys.executable, "-c", script], cwd=library.parent)
    assert done.stdout == "hello, glue\nhello() wants a str, got int\n"


def test_the_command_and_the_package_agree():
    import fishplate

    assert ask("--include-dir") == Path(fishplate.get_include())
    assert ask("--cmake-dir") == Path(fishplate.get_cmake_dir())
    assert ask("--pkgconfig-dir") == Path(fishplate.get_pkgconfig_dir())
    assert (ask("--include-dir") / "fishplate" / "python.hpp").is_file()


def test_versions_agree():
    import fishplate

    version = fishplate.__version__
    assert (
        f'set(PACKAGE_VERSION "{version}")'
        in (PACKAGE / "cmake" / "FishplateConfigVersion.cmake").read_text()
    )
    assert f"Version: {version}\n" in (PACKAGE / "pkgconfig" / "fishplate.pc").read_text()


def test_the_compiler_by_itself(project):
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    library = project / f"hello{suffix}"
    flags = [f"-I{ask('--include-dir')}", f"-I{python_headers()}", "-shared", "-fPIC"]
    run([need("g++"), "-std=c++17", *flags, project / "hello.cpp", "-o", library])
    check(library)


@pytest.mark.parametrize("way", ["DIR", "PREFIX"])
def test_cmake(way, project):
    (project / "CMakeLists.txt").write_text(CMAKE)
    found = {"DIR": "-DFishplate_DIR=", "PREFIX": "-DCMAKE_PREFIX_PATH="}[way] + str(
        ask("--cmake-dir")
    )
    configure = [program_of("cmake"), "-S", project, "-B", project / "build", found]
    configure.append(f"-DPYTHON_HEADERS={python_headers()}")
    if shutil.which("make") is None:
        configure += ["-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={program_of('ninja')}"]
    run(configure)
    run([program_of("cmake"), "--build", project / "build"])
    check(project / "build" / "hello.so")


def test_cmake_refuses_another_version(project):
    (project / "CMakeLists.txt").write_text(CMAKE.replace("Fishplate 0.1", "Fishplate 0.9"))
    configure = [program_of("cmake"), "-S", project, "-B", project / "build"]
    done = run([*configure, f"-DFishplate_DIR={ask('--cmake-dir')}"], check=False)
    assert done.returncode != 0 and "version: 0.1.0" in done.stdout


@pytest.mark.parametrize("way", DEPENDENCIES)
def test_meson(way, project):
    if way == "pkg-config":
        need("pkg-config")
    (project / "meson.build").write_text(MESON % DEPENDENCIES[way])
    (project / "meson_options.txt").write_text("option('python', type: 'string')\n")
    ninja = program_of("ninja")
    env = {
        **os.environ,
        "PKG_CONFIG_PATH": str(ask("--pkgconfig-dir")),
        "NINJA": str(ninja),
        "PATH": f"{ninja.parent}:{os.environ['PATH']}",
    }
    build = project / "build"
    meson = program_of("meson")
    run([meson, "setup", build, project, f"-Dpython={sys.executable}"], env=env)
    run([ninja, "-C", build], env=env)
    (library,) = build.glob("hello*.so")
    check(library)


def test_examples_of_the_page(tmp_path):
    """The first example of docs/glue.md, compiled as documented, prints the documented output."""
    page = (ROOT / "docs" / "glue.md").read_text()
    code, session = (
        page.split(f"```{kind}\n", 1)[1].split("```", 1)[0] for kind in ("cpp", "text")
    )
    (tmp_path / "peaks.cpp").write_text(code)
    flags = [f"-I{ask('--include-dir')}", f"-I{python_headers()}", "-shared", "-fPIC", *STRICT]
    library = tmp_path / "peaks.so"
    run([need("g++"), "-std=c++17", "-O2", *flags, tmp_path / "peaks.cpp", "-o", library])
    script = """
import sys, warnings
import peaks
for line in sys.stdin.read().splitlines():
    if not line.startswith(">>> "):
        continue
    print(line)
    try:
        exec(compile(line[4:], "<page>", "single"))
    except Exception as error:
        print(f"{type(error).__name__}: {error}")
"""
    done = run([sys.executable, "-c", script], cwd=tmp_path, input=session)
    assert done.stdout == session
