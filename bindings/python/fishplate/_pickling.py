"""Pickles functions and values of modules from `load` and `inline`.

Purpose: the members of such a module can be pickled, and so can the module.
Invariant: an unpickled function computes the same: it comes from the same library, or from one that
is built again from the same C; if that is impossible, an ImportError explains why.
Reason: such a module is not in `sys.modules`, so no other process could import it by its name.
"""

from __future__ import annotations

import copyreg
import enum
import os
import sysconfig
from collections.abc import Iterable, Mapping
from functools import partial, reduce
from types import BuiltinFunctionType, MethodDescriptorType, ModuleType
from typing import Any
from weakref import WeakKeyDictionary


class Recipe:
    """How to build a module again.

    Parameters
    ----------
    name : str
        The module's name.
    library : str
        Its path in the cache.
    made : {"load", "inline"}
        The function that built it.
    arguments : mapping
        The arguments of that function.
    digests : mapping
        Files and hashes of their contents.
    """

    def __init__(
        self,
        name: str,
        library: str,
        made: str,
        arguments: Mapping[str, Any],
        digests: Mapping[str, str],
    ) -> None:
        self.name = name
        self.library = library
        self.made = made
        self.arguments = dict(arguments)
        self.digests = dict(digests)

    def module(self) -> ModuleType:
        """The module: from this process, else from the cache, else built again."""
        from fishplate import _modules

        known = _modules.known(self.library)
        if known is not None:
            return known
        if _is_loadable(self.library):
            return _modules.import_library(self)
        self._check_files()
        if self.made == "inline":
            return _modules.inline(**self.arguments)
        return _modules.load(**self.arguments)

    def _check_files(self) -> None:
        for file, digest in self.digests.items():
            try:
                changed = digest_of(file) != digest
            except OSError as error:
                raise ImportError(
                    f"module {self.name!r} was pickled, and cannot be built here: it is not in "
                    f"this process's cache, and {file}, of which it was made, cannot be read "
                    f"({error.strerror}). Give all processes one FISHPLATE_CACHE_DIR, or the files"
                ) from error
            if changed:
                raise ImportError(
                    f"module {self.name!r} was pickled, and cannot be built here as it was: it is "
                    f"not in this process's cache, and {file} has changed since. Load and pickle "
                    "it anew"
                )


class LoadedModule(ModuleType):
    """A module that is not in `sys.modules`, and can be pickled nevertheless."""

    def __reduce__(self) -> tuple[Any, ...]:
        return Recipe.module, (self.__dict__["__recipe__"],)


def digest_of(file: str) -> str:
    """A hash of a file's contents."""
    import hashlib

    with open(file, "rb") as opened:
        return hashlib.sha256(opened.read()).hexdigest()


def digests_of(files: Iterable[str | os.PathLike[str]]) -> dict[str, str]:
    """A hash for each file that can be read."""
    found = {}
    for file in files:
        path = os.path.abspath(file)
        try:
            found[path] = digest_of(path)
        except OSError:
            continue
    return found


def _is_loadable(library: str) -> bool:
    """Whether there is a library for this Python that only this user could have written."""
    if not library.endswith(sysconfig.get_config_var("EXT_SUFFIX") or ".so"):
        return False
    try:
        found = [os.stat(path) for path in (library, os.path.dirname(library))]
    except OSError:
        return False
    if not hasattr(os, "getuid"):
        return True
    return all(one.st_uid in (0, os.getuid()) and not one.st_mode & 0o022 for one in found)


# The module of each class whose module was built by `load` or `inline`.
recipes: WeakKeyDictionary[type, Recipe] = WeakKeyDictionary()


def register(module: ModuleType, recipe: Recipe) -> None:
    """Makes the members of a module pickle by how the module is built."""
    module.__class__ = LoadedModule
    module.__dict__["__recipe__"] = recipe
    for one in [v for v in vars(module).values() if _is_own(v, module)]:
        recipes[one] = recipe
        reducer = _reduce_member if issubclass(one, enum.Enum) else _reduce_value
        copyreg.pickle(one, partial(reducer, recipe))
    # Functions and methods are of Python's own types.
    copyreg.pickle(BuiltinFunctionType, _reduce_function)
    copyreg.pickle(MethodDescriptorType, _reduce_method)


def _is_own(value: Any, module: ModuleType) -> bool:
    return isinstance(value, type) and value.__module__ == module.__name__


def _reduce_function(function: BuiltinFunctionType) -> str | tuple[Any, ...]:
    if isinstance(function.__self__, LoadedModule):
        return find, (function.__self__.__dict__["__recipe__"], function.__name__)
    return function.__reduce__()


def _reduce_method(method: MethodDescriptorType) -> str | tuple[Any, ...]:
    recipe = recipes.get(method.__objclass__)
    return method.__reduce__() if recipe is None else (find, (recipe, method.__qualname__))


def _reduce_member(recipe: Recipe, member: Any) -> tuple[Any, ...]:
    # A flag may combine several members, and then has no name.
    return make, (recipe, type(member).__qualname__, (member.value,))


def _reduce_value(recipe: Recipe, value: Any) -> tuple[Any, ...]:
    kind, values = value.__reduce__()
    return make, (recipe, kind.__qualname__, values)


def find(recipe: Recipe, name: str) -> Any:
    """A module's member with a dotted name."""
    return reduce(getattr, name.split("."), recipe.module())


def make(recipe: Recipe, name: str, values: tuple[Any, ...]) -> Any:
    """A value of a module's class."""
    return find(recipe, name)(*values)
