"""Fishplate joins native array code to Python.

Point it at C functions, one annotated prototype each, and it makes a module that checks every
argument, copies only where the layout forces it, and turns every failure into an exception:

    >>> import fishplate
    >>> stats = fishplate.load("stats.toml")
    >>> f = fishplate.inline("double f(double x) { return x * x; }").f

Libraries are stored in the user's cache, and reused as long as nothing has changed. Graphs of
ops are in `fishplate.graph`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fishplate._about import explain, op, signature
from fishplate._errors import BuildError, BuildWarning, Diagnostic
from fishplate._folders import get_cmake_dir, get_include, get_pkgconfig_dir
from fishplate._modules import inline, load
from fishplate._native import VERSION as __version__

if TYPE_CHECKING:
    from types import ModuleType

    from fishplate import graph

__all__ = [
    "BuildError",
    "BuildWarning",
    "Diagnostic",
    "__version__",
    "explain",
    "get_cmake_dir",
    "get_include",
    "get_pkgconfig_dir",
    "graph",
    "inline",
    "load",
    "op",
    "signature",
]


def __getattr__(name: str) -> ModuleType:
    # Imported on first use, because it also imports NumPy.
    if name == "graph":
        from importlib import import_module

        return import_module("fishplate.graph")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
