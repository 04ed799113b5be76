"""How each tool is built: one function a tool, from its sources to an importable module."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from peers import BASELINE, HERE
from toolchain import (
    CC,
    CXX,
    DROP_UNUSED,
    EXTENSION_SUFFIX,
    FLAGS,
    LINK,
    BuildError,
    Place,
    c_extension,
    compile_object,
    execute,
    includes,
    link_extension,
    script,
)

PEERS = HERE / "peers"
# Warnings in generated code are ignored.
QUIET = ["-w"]


def hand(place: Place) -> None:
    c_extension(
        place, "calls_hand", [HERE / "hand" / "hand.c"], ["-std=c11", "-Wall", "-Wextra", "-Werror"]
    )


def nanobind(place: Place) -> None:
    """The build steps in the head of nanobind's nb_combined.cpp, all at -O3."""
    import nanobind as package

    headers = [
        f"-I{package.include_dir()}",
        f"-I{Path(package.source_dir()).parent / 'ext' / 'robin_map' / 'include'}",
    ]
    options = ["-std=c++17", "-DNB_COMPACT_ASSERTIONS", *headers]
    library = compile_object(
        CXX,
        Path(package.source_dir()) / "nb_combined.cpp",
        place.work / "nanobind.o",
        [*options, "-fno-strict-aliasing", "-ffunction-sections", "-fdata-sections"],
    )
    calls = compile_object(CXX, PEERS / "nanobind" / "calls.cpp", place.work / "calls.o", options)
    link_extension(CXX, place, "calls_nanobind", [calls, library], DROP_UNUSED)


def pybind11(place: Place) -> None:
    import pybind11 as package

    calls = compile_object(
        CXX,
        PEERS / "pybind11" / "calls.cpp",
        place.work / "calls.o",
        ["-std=c++17", f"-I{package.get_include()}"],
    )
    link_extension(CXX, place, "calls_pybind11", [calls])


def _cython(place: Place, peer: str) -> None:
    source = place.work / f"calls_{peer}.c"
    execute(
        [sys.executable, "-m", "cython", "-3", PEERS / peer / f"calls_{peer}.pyx", "-o", source]
    )
    c_extension(
        place, f"calls_{peer}", [source], [*QUIET, "-DNPY_NO_DEPRECATED_API=NPY_2_0_API_VERSION"]
    )


def cython(place: Place) -> None:
    _cython(place, "cython")


def cython_numpy(place: Place) -> None:
    _cython(place, "cython_numpy")


def f2py(place: Place) -> None:
    """f2py writes the C; it is compiled here, with the flags of all the others."""
    from numpy.f2py import get_include

    execute(
        [
            sys.executable,
            "-m",
            "numpy.f2py",
            "--build-dir",
            place.work,
            PEERS / "f2py" / "calls_f2py.pyf",
        ],
        cwd=place.work,
    )
    runtime = Path(get_include())
    c_extension(
        place,
        "calls_f2py",
        [place.work / "calls_f2pymodule.c", runtime / "fortranobject.c"],
        [*QUIET, f"-I{runtime}"],
    )


def swig(place: Place) -> None:
    """-fastproxy leaves no Python function between the caller and the C wrapper."""
    source = place.work / "calls_swig_wrap.c"
    execute(
        [
            script("swig"),
            "-python",
            "-keyword",
            "-fastproxy",
            "-outdir",
            place.module,
            "-o",
            source,
            PEERS / "swig" / "calls_swig.i",
        ]
    )
    c_extension(place, "_calls_swig", [source], QUIET)


def cffi(place: Place) -> None:
    source = place.work / "_calls_cffi.c"
    execute([sys.executable, PEERS / "cffi" / "calls_cffi_build.py", source])
    c_extension(place, "_calls_cffi", [source], QUIET)
    shutil.copy(PEERS / "cffi" / "calls_cffi.py", place.module)


def ctypes(place: Place) -> None:
    """A shared library of its own: here the kernels must be visible from outside."""
    flags = [flag for flag in FLAGS if flag != "-fvisibility=hidden"]
    execute(
        [
            *CC,
            *flags,
            "-std=c11",
            *includes(),
            "-shared",
            HERE / "kernels.c",
            "-o",
            place.module / "libkernels.so",
        ]
    )
    shutil.copy(PEERS / "ctypes" / "calls_ctypes.py", place.module)


def pyo3(place: Place) -> None:
    """The crate is built from a copy: Cargo writes its lock file next to the manifest."""
    crate = place.work / "crate"
    shutil.copytree(PEERS / "pyo3", crate, dirs_exist_ok=True)
    flags = " ".join(f"-C link-arg={arg}" for arg in LINK[1:])
    env = {"CALLS_KERNELS": str(place.kernels), "PYO3_PYTHON": sys.executable}
    if flags:
        env["RUSTFLAGS"] = flags
    target = place.work / "target"
    execute(["cargo", "build", "--release", "--target-dir", target], env=env, cwd=crate)
    built = [
        path
        for suffix in ("so", "dylib")
        if (path := target / "release" / f"libcalls_pyo3.{suffix}").exists()
    ]
    if not built:
        raise BuildError("cargo left no library")
    shutil.copy(built[0], place.module / f"calls_pyo3{EXTENSION_SUFFIX}")


def fetch_crates(place: Place) -> None:
    """Downloads what PyO3 needs, so that the network is not timed as a build."""
    crate = place.work / "crate"
    shutil.copytree(PEERS / "pyo3", crate, dirs_exist_ok=True)
    execute(["cargo", "fetch"], cwd=crate)


RECIPES: dict[str, Callable[[Place], None]] = {
    BASELINE: hand,
    "nanobind": nanobind,
    "pybind11": pybind11,
    "cython": cython,
    "cython_numpy": cython_numpy,
    "f2py": f2py,
    "swig": swig,
    "cffi": cffi,
    "ctypes": ctypes,
    "pyo3": pyo3,
}

# Steps that run before the clock of a build starts.
PREPARATIONS: dict[str, Callable[[Place], None]] = {"pyo3": fetch_crates}
