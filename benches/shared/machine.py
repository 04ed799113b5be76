"""The machine that measures: a description, and settings that reduce noise."""

from __future__ import annotations

import gc
import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path


def environment() -> dict[str, str]:
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        cpu = names[0].partition(":")[2].strip() if names else cpu
    return {
        "python": platform.python_version(),
        "numpy": metadata.version("numpy"),
        "system": platform.system(),
        "cpu": cpu,
        "cores": str(os.cpu_count()),
    }


def python() -> str:
    """Its name with the version that decides about its speed."""
    return f"Python {'.'.join(platform.python_version_tuple()[:2])}"


def machine() -> str:
    e = environment()
    return f"Python {e['python']}, NumPy {e['numpy']}, {e['system']}, {e['cpu']}"


@contextmanager
def quiet_interpreter() -> Iterator[None]:
    """No garbage collection and, where the system allows, no move to another core."""
    cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
    gc.collect()
    gc.disable()
    if cores:
        os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        gc.enable()
        if cores:
            os.sched_setaffinity(0, cores)
