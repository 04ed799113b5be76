"""Modules from interface files, and from C in strings.

Rust builds the library; this file imports it as a module. The path of a library contains a hash of
its contents, so a path that was imported identifies that module for the lifetime of the process.
"""

from __future__ import annotations

import os
import sys
import threading
import warnings
from collections.abc import Sequence
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType
from typing import Any

from fishplate import _errors, _native
from fishplate._pickling import Recipe, digests_of, register

__all__ = ["inline", "load"]

_modules: dict[str, ModuleType] = {}
_importing = threading.RLock()
_warned = False


def load(file: str | os.PathLike[str], *, verbose: bool = False) -> ModuleType:
    """Build the module of an interface file for this Python, unless it is in the cache, and import
    it.

    `file` is an interface file, an annotated header, or a configuration of xndtools, as for the
    command `fishplate build`. The result is stored in the user's cache (`FISHPLATE_CACHE_DIR`), and
    is rebuilt when any input has changed: the file, sources, headers, flags, the compiler, this
    Python, Fishplate itself.

    Loading the same thing again returns the same module; after a change, a new one. The module is
    not added to `sys.modules`, where it could replace another one of the same name.

    With `verbose`, the command lines of compilers and of the linker, if any were run, are written
    to `sys.stderr` after the build, quoted for a shell.

    Raises BuildError with all errors; the compiler's warnings are a BuildWarning.
    """
    path = os.path.abspath(file)
    built = _native.load_file(os.fspath(file))
    return _import(built, "load", {"file": path}, verbose)


def inline(
    code: str,
    *,
    name: str | None = None,
    headers: Sequence[str] = (),
    include_dirs: Sequence[str | os.PathLike[str]] = (),
    libraries: Sequence[str] = (),
    library_dirs: Sequence[str | os.PathLike[str]] = (),
    cflags: Sequence[str] = (),
    defines: Sequence[str] = (),
    verbose: bool = False,
) -> ModuleType:
    """Build a module from C in a string, unless it is in the cache, and import it.

    The functions that `code` defines become functions of the module, except for `static` ones.
    Numbers are passed unchanged; arrays, and results that are passed by pointer, are annotated as
    in a header: `const double *x FP_SHAPE(n)`, `FP_OUT double *y FP_SHAPE(n)`. The headers
    `<math.h>`, `<stddef.h>`, `<stdint.h>` and `<stdbool.h>` are included.

    `name` is the module's, by default derived from the code; `headers` are included before the
    code. Relative folders are relative to the current one. `verbose`, warnings and errors are those
    of `load`, with places in the string. The other keywords are those of `[module]` in an interface
    file.
    """
    arguments: dict[str, Any] = {
        "code": code,
        "name": name,
        "headers": _texts("headers", headers),
        "include_dirs": [os.path.abspath(folder) for folder in include_dirs],
        "libraries": _texts("libraries", libraries),
        "library_dirs": [os.path.abspath(folder) for folder in library_dirs],
        "cflags": _texts("cflags", cflags),
        "defines": _texts("defines", defines),
    }
    return _import(_native.load_inline(**arguments), "inline", arguments, verbose)


def _texts(keyword: str, values: Sequence[str]) -> list[str]:
    if isinstance(values, str):
        raise TypeError(f"inline(): {keyword} is a list of strings, not one string")
    return list(values)


def _import(
    built: _native.Built, made: str, arguments: dict[str, Any], verbose: bool
) -> ModuleType:
    if verbose:
        sys.stderr.writelines(f"{command}\n" for command in built.commands)
    if built.path is None:
        raise _errors.BuildError(built.text, _errors.diagnostics(built.json))
    if built.text:
        warnings.warn(f"\n{built.text}", _errors.BuildWarning, stacklevel=3)
    if built.not_kept is not None:
        _warn_not_kept(built.not_kept)
    path = os.fspath(built.path)
    module = known(path)
    if module is None:
        files = built.sources if made == "load" else ()
        module = import_library(Recipe(built.name, path, made, arguments, digests_of(files)))
    return module


def _warn_not_kept(reason: str) -> None:
    """Warns the line that called `load` or `inline`, the first time in this process."""
    global _warned
    if not _warned:
        _warned = True
        text = f"compiled modules are not kept for other processes: {reason}"
        warnings.warn(text, RuntimeWarning, stacklevel=4)


def known(path: str) -> ModuleType | None:
    """The module of a library that this process has imported."""
    return _modules.get(path)


def import_library(recipe: Recipe) -> ModuleType:
    """The module of a library, imported once."""
    path = recipe.library
    with _importing:
        module = _modules.get(path)
        if module is None:
            loader = ExtensionFileLoader(recipe.name, path)
            spec = spec_from_file_location(recipe.name, path, loader=loader)
            assert spec is not None
            module = module_from_spec(spec)
            loader.exec_module(module)
            register(module, recipe)
            _modules[path] = module
    return module


def _forget_lock() -> None:
    """In a child: the thread that was importing does not exist, and cannot release the lock."""
    global _importing
    _importing = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_lock)
