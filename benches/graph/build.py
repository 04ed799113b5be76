"""Builds the C that is not Fishplate's: the extension written by hand, in variants,
and the user's C for the tools that call it by address or through JAX's interface."""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sysconfig
from pathlib import Path

import numpy

HERE = Path(__file__).resolve().parent
DEFAULT_OUT = HERE.parent.parent / "target" / "bench" / "graph"
CC = shlex.split(os.environ.get("CC", "cc"))
CXX = shlex.split(os.environ.get("CXX", "c++"))
WARNINGS = ["-Wall", "-Wextra", "-Werror", "-Wno-psabi"]
# For this machine, as tools that compile on it do.
FLAGS = ["-O3", "-march=native", "-fno-math-errno", "-fopenmp-simd", "-DNDEBUG", "-fPIC"]
SUFFIX: str = sysconfig.get_config_var("EXT_SUFFIX")

# The flags of each variant, by the module's name.
VARIANTS = {
    "hand_exact": [],
    "hand_vector": ["-DVECTOR_MATH", "-lmvec"],
    "hand_threads": ["-DVECTOR_MATH", "-lmvec", "-fopenmp", "-DTHREADS"],
}


def run(*command: str | Path) -> None:
    subprocess.run(list(map(str, command)), check=True)


def blas() -> list[str]:
    """The OpenBLAS that NumPy has loaded already, else the system's."""
    bundled = Path(numpy.__file__).parent.parent.glob("numpy.libs/libscipy_openblas64_*")
    for library in bundled:
        folder = f"-Wl,-rpath,{library.parent}"
        return ["-DGEMM=scipy_cblas_dgemm64_", "-DBLAS_INT=npy_int64", str(library), folder]
    return ["-DGEMM=cblas_dgemm", "-DBLAS_INT=int", "-lopenblas"]


def extension(out: Path, name: str, extra: list[str]) -> None:
    includes = [f"-I{path}" for path in (sysconfig.get_path("include"), numpy.get_include())]
    sources = [HERE / "hand" / "hand.c", HERE / "hand" / "loops.c"]
    common = [*CC, "-std=c11", *WARNINGS, *FLAGS, *includes, f"-DMODULE={name}", "-shared"]
    hidden = ["-fvisibility=hidden", "-o", out / f"{name}{SUFFIX}"]
    run(*common, *sources, *extra, *blas(), "-lm", *hidden)


def user_function(out: Path) -> None:
    exported = HERE / "hand" / "exported.c"
    run(*CC, "-std=c11", *WARNINGS, *FLAGS, "-shared", exported, "-o", out / "libuserop.so")


def jax_handler(out: Path) -> None:
    import jax

    include = f"-isystem{jax.ffi.include_dir()}"
    source = HERE / "hand" / "ffi.cc"
    target = out / "libuserop_jax.so"
    run(*CXX, "-std=c++17", *WARNINGS, *FLAGS, include, "-shared", source, "-o", target)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=DEFAULT_OUT, help="where to build")
    out = parser.parse_args().out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    for name, extra in VARIANTS.items():
        try:
            extension(out, name, extra)
        except subprocess.CalledProcessError:
            # Not every system has a vector math library.
            if not extra:
                raise
            print(f"{name} is left out")
    user_function(out)
    jax_handler(out)


if __name__ == "__main__":
    main()
