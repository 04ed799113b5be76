"""The tools compared: the name of each, the module it makes, and the files that its user writes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
DEFAULT_OUT = ROOT / "target" / "bench" / "calls"

BASELINE = "hand"
FISHPLATE = "fishplate"


@dataclass(frozen=True)
class Tool:
    """A way to call the kernels from Python."""

    name: str
    module: str
    title: str
    # The files that a user writes, to count their lines; build files are not counted.
    sources: tuple[Path, ...]
    # The distribution whose version is reported, or None.
    distribution: str | None = None


def _peer(name: str, title: str, distribution: str | None, *sources: str) -> Tool:
    folder = HERE / "peers" / name
    return Tool(name, f"calls_{name}", title, tuple(folder / s for s in sources), distribution)


FISHPLATE_TOOL = Tool(FISHPLATE, "calls", "Fishplate", (HERE / "calls.toml",))

# In the order in which they are built and shown.
BUILT: tuple[Tool, ...] = (
    Tool(BASELINE, "calls_hand", "by hand", (HERE / "hand" / "hand.c",)),
    _peer("nanobind", "nanobind", "nanobind", "calls.cpp"),
    _peer("pybind11", "pybind11", "pybind11", "calls.cpp"),
    _peer("cython", "Cython, memoryviews", "Cython", "calls_cython.pyx"),
    _peer("cython_numpy", "Cython, NumPy's C API", "Cython", "calls_cython_numpy.pyx"),
    _peer("f2py", "f2py", "numpy", "calls_f2py.pyf"),
    _peer("swig", "SWIG", "swig", "calls_swig.i"),
    _peer("cffi", "cffi, API mode", "cffi", "calls_cffi_build.py", "calls_cffi.py"),
    _peer("ctypes", "ctypes", None, "calls_ctypes.py"),
    _peer("pyo3", "PyO3 with rust-numpy", None, "src/lib.rs"),
)


def module_folder(out: Path, tool: Tool) -> Path:
    """The folder of the importable files of a built tool, and nothing else."""
    return out / tool.name / "module"
