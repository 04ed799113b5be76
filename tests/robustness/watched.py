"""Modules under ThreadSanitizer; Python is not instrumented, but its locks are known."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import tools

# Cases that racing.py uses on eight threads.
RACING = (
    *("callbacks", "returned_pointers", "structs", "struct_arrays"),
    *("cplusplus_library", "status_meanings"),
)
# Races in the code of others, with the reason why each is benign.
NOT_OURS = """
# glibc frees a finished thread's variables on any thread, under a lock that is not visible.
race:_dl_deallocate_tls
"""


def build(interface: Path, out: Path) -> None:
    """The module, instrumented, with its sources."""
    flags = "-fsanitize=thread -g"
    compilers = {
        "CC": f"{tools.compiler('gcc')} {flags}",
        "CXX": f"{tools.compiler('g++')} {flags}",
    }
    tools.build(interface, out, env=compilers)
    (out / "not-ours").write_text(NOT_OURS)


def run(
    out: Path, *arguments: str | Path, path: str = "", python: str = sys.executable
) -> subprocess.CompletedProcess[str]:
    """Runs a Python, by default this, with the module at `out`; 66 is its exit after reports."""
    libraries = [
        tools.run([tools.compiler("gcc"), f"-print-file-name={name}"]).stdout.strip()
        # The sanitizer intercepts throwing only if the C++ library is loaded at the start.
        for name in ("libtsan.so", "libstdc++.so.6")
    ]
    if not Path(libraries[0]).is_absolute():
        tools.lacking("gcc's libtsan")
    env = {
        "LD_PRELOAD": " ".join(libraries),
        "PYTHONPATH": f"{out}:{path}",
        "OMP_NUM_THREADS": "4",
        # NumPy's own threads would need instrumentation, too.
        "OPENBLAS_NUM_THREADS": "1",
        "TSAN_OPTIONS": f"exitcode=66 report_signal_unsafe=0 suppressions={out / 'not-ours'}",
    }
    # ThreadSanitizer's memory has a fixed address, at which a random one may already be in use.
    fixed = [tools.compiler("setarch"), "-R"]
    return tools.run([*fixed, python, *arguments], env=env, check=False)
