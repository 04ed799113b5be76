"""The cost of a tool besides the time of its calls: lines, bytes and the time of an import."""

from __future__ import annotations

import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from peers import Tool

# By suffix, the pattern of a comment. No source here has a comment mark in a string.
_HASH = re.compile(r"#[^\n]*")
_SLASH = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_BANG = re.compile(r"![^\n]*")
COMMENTS: Mapping[str, re.Pattern[str]] = {
    ".py": _HASH,
    ".pyx": _HASH,
    ".toml": _HASH,
    ".pyf": _BANG,
    ".c": _SLASH,
    ".cpp": _SLASH,
    ".i": _SLASH,
    ".rs": _SLASH,
}

_IMPORT = (
    "import sys, time, numpy; sys.path.insert(0, sys.argv[1]); "
    "start = time.perf_counter_ns(); __import__(sys.argv[2]); "
    "print(time.perf_counter_ns() - start)"
)


def count_lines(sources: Sequence[Path]) -> int:
    """Lines that are neither blank nor comment."""
    texts = (COMMENTS[path.suffix].sub("", path.read_text()) for path in sources)
    return sum(1 for text in texts for line in text.splitlines() if line.strip())


def count_bytes(files: Iterable[Path]) -> int:
    """The size of a module: its Python files, and its libraries without symbol tables."""
    return sum(
        _stripped_size(path) if path.suffix == ".so" else path.stat().st_size
        for path in files
        if path.suffix in (".so", ".py")
    )


def _stripped_size(library: Path) -> int:
    strip = shutil.which("strip")
    if strip is None:
        return library.stat().st_size
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / library.name
        options = ["-x"] if sys.platform == "darwin" else []
        subprocess.run([strip, *options, "-o", str(copy), str(library)], check=True)
        return copy.stat().st_size


def _import_once(tool: Tool, folder: Path) -> float:
    done = subprocess.run(
        [sys.executable, "-I", "-c", _IMPORT, str(folder), tool.module],
        capture_output=True,
        text=True,
        check=True,
    )
    return int(done.stdout) / 1e6


def time_imports(folders: Mapping[Tool, Path], rounds: int) -> dict[str, float]:
    """Milliseconds to import each module once NumPy is there: the median of fresh processes.

    One round before those that count writes the caches of compiled Python files.
    """
    times: dict[str, list[float]] = {tool.name: [] for tool in folders}
    for number in range(rounds + 1):
        for tool, folder in folders.items():
            elapsed = _import_once(tool, folder)
            if number > 0:
                times[tool.name].append(elapsed)
    return {name: statistics.median(samples) for name, samples in times.items()}
