"""Linker "c": graphs of built-in ops as one native function.

Purpose: rewrite, print as C, compile unless cached, and load.
Invariant: the callable is an object of the native part, which converts arguments and results as
wrapped functions do; a call that succeeds runs no Python code.
Reason: a call should cost what its arithmetic costs.
"""

from __future__ import annotations

import functools
import os
import platform
import warnings
from collections.abc import Mapping, Sequence
from threading import RLock
from typing import Any, NamedTuple

import numpy as np

from fishplate import _native

from ..core.graph import FunctionGraph
from ..core.nodes import Apply
from ..core.places import depth
from ..tensors.type import TensorType
from .evaluation import fold
from .native import failure, translate
from .statistics import count


class CompileOptions:
    """How a graph is compiled and called.

    Parameters
    ----------
    exclude : sequence of str
        Rewrites that are skipped.
    exact_math : bool
        Use the C library's functions, at most 1 unit in the last place off, and neither its vector
        functions nor products for powers, which may be 4 off.
    fp_contract : bool
        Allow fused multiply-adds.
    recycle_outputs : bool
        Return small arrays of earlier calls again.
    """

    def __init__(
        self,
        exclude: Sequence[str] = (),
        exact_math: bool = False,
        fp_contract: bool = False,
        recycle_outputs: bool = True,
    ) -> None:
        if isinstance(exclude, str):
            raise TypeError(f"exclude is a list of names of rewrites, such as [{exclude!r}]")
        self.exclude = tuple(exclude)
        self.exact_math = exact_math
        self.fp_contract = fp_contract
        self.recycle_outputs = recycle_outputs

    @property
    def skipped(self) -> tuple[str, ...]:
        """The rewrites that are skipped, including those that `exact_math` forbids."""
        return (*self.exclude, "powers") if self.exact_math else self.exclude


class _Rewritten(NamedTuple):
    """A graph after its rewrites."""

    done: Sequence[tuple[str, int, list[str]]]
    nodes: Sequence[tuple[str, list[int], list[int], list[int]]]
    source: str


def _libc_version() -> str:
    """The version of glibc ("glibc 2.36"), or an empty string."""
    try:
        return os.confstr("CS_GNU_LIBC_VERSION") or ""
    except (AttributeError, ValueError, OSError):  # Windows, macOS, musl
        return ""


# The software that computes with constants.
_EVALUATOR = f"numpy {np.__version__}, {_libc_version()}"


class Compiled:
    """A graph of built-in ops as a native function.

    Parameters
    ----------
    graph : FunctionGraph
        A graph for which `native.is_native` holds.
    name : str
        The function's name, for messages.
    options : CompileOptions
        The options for compiling.
    numbers : mapping, optional
        The numbers of nodes in messages.

    Attributes
    ----------
    merged : sequence of str
        The nodes that were merged before, in words.
    function : _native.Function
        The function with positional inputs and a list as result.
    """

    def __init__(
        self,
        graph: FunctionGraph,
        name: str,
        options: CompileOptions,
        numbers: Mapping[Apply, int] | None = None,
    ) -> None:
        self.graph = graph
        self.merged: Sequence[str] = ()
        self._numbers = numbers
        self.name = name
        self._skipped = options.skipped
        self._recycles = options.recycle_outputs
        self._functions: Sequence[int] = ()
        constants = self._load(options)
        # The addresses of constants must not change.
        self._constants = [np.frombuffer(data, np.uint8).copy() for data in constants]
        inputs = tuple(
            (f"input {k}", *_kind(variable.type)) for k, variable in enumerate(graph.inputs)
        )
        self.function = self.callable(inputs, detail=None, listed=True)

    def _load(self, options: CompileOptions) -> Sequence[bytes]:
        """Finds or compiles the library; the bytes of its constants."""
        graph = translate(self.graph)
        vector_math = not options.exact_math and has_vector_math()
        how = {"vector_math": vector_math, "fp_contract": options.fp_contract}
        known = graph.find(self._skipped, _EVALUATOR, **how)
        if known is not None:
            self._library, constants = known
            count(False)
            return constants
        self._rewritten, linked = self._link(graph)
        self._functions = linked.functions
        self._library, made, not_kept = linked.compile(**how)
        count(made)
        if not_kept is not None:
            warn_not_kept(not_kept)
        else:
            graph.remember(linked, self._skipped, _EVALUATOR, **how)
        return linked.constants

    def _link(self, graph: _native.Graph) -> tuple[_Rewritten, _native.LinkedGraph]:
        rewritten, done = graph.rewrite(self._skipped, fold)
        linked = rewritten.link()
        return _Rewritten(done, rewritten.nodes(), linked.source), linked

    @functools.cached_property
    def _rewritten(self) -> _Rewritten:
        """For messages; a library that was compiled before is loaded without it."""
        return self._link(translate(self.graph))[0]

    @property
    def done(self) -> Sequence[tuple[str, int, list[str]]]:
        """The rewrites: name, number of nodes, and sentences."""
        return self._rewritten.done

    @property
    def nodes(self) -> Sequence[tuple[str, list[int], list[int], list[int]]]:
        """The linked nodes: name, inputs, outputs, and the nodes of the graph."""
        return self._rewritten.nodes

    @property
    def source(self) -> str:
        """The C source."""
        return self._rewritten.source

    def callable(
        self,
        inputs: tuple[tuple[object, ...], ...],
        detail: object,
        *,
        outputs: Sequence[_native.Cell | None] | None = None,
        listed: bool = False,
        keys: tuple[object, ...] | None = None,
        locks: tuple[RLock, ...] = (),
        exact: bool = False,
    ) -> _native.Function:
        """The native function with these names and defaults of its inputs.

        Outputs update the cells `outputs`, or are returned (None): alone or, if `listed` or if
        there are several, in a list, or in a dict with `keys`. Calls hold `locks`. If `exact`,
        `detail` handles all calls whose arguments must be converted.
        """
        kinds = [_kind(variable.type) for variable in self.graph.outputs]
        cells = [None] * len(kinds) if outputs is None else outputs
        described = tuple(
            (dtype, len(shape), cell) for (dtype, shape), cell in zip(kinds, cells, strict=True)
        )
        constants = (each.__array_interface__["data"][0] for each in self._constants)
        pointers = (*constants, *self._functions)
        on_error = failure(
            self.name, self.graph, lambda: [node[3] for node in self.nodes], self._numbers
        )
        return _native.Function(
            self._library,
            _native.SYMBOL,
            self.name,
            inputs,
            described,
            pointers,
            on_error,
            detail,
            listed,
            self._recycles,
            keys,
            locks,
            exact,
        )

    def run(self, inputs: Sequence[Any]) -> list[Any]:
        """The values of the outputs for these values of the inputs."""
        results: list[Any] = self.function(*inputs)
        return results


def _kind(kind: Any) -> tuple[str, tuple[int | None, ...]]:
    assert isinstance(kind, TensorType)
    return kind.dtype, kind.shape


def has_vector_math() -> bool:
    """Whether the C library has vector functions (glibc's libmvec, complete since 2.35)."""
    name, _, version = _libc_version().partition(" ")
    numbers = [int(part) for part in version.split(".") if part.isdigit()]
    return platform.machine() == "x86_64" and name == "glibc" and numbers >= [2, 35]


_warned: set[str] = set()


def warn_once(about: str, text: str) -> None:
    """Warns at the user's line, once per process."""
    if about not in _warned:
        _warned.add(about)
        warnings.warn(text, RuntimeWarning, stacklevel=depth())


def warn_not_kept(reason: str) -> None:
    """Warns that the compiled library is not stored."""
    warn_once("cache", f"compiled graphs are not kept for other processes: {reason}")


def warn_unversioned(names: Sequence[str]) -> None:
    """Warns about types and ops whose C is compiled in every process."""
    for name in dict.fromkeys(names):
        warn_once(
            f"version {name}",
            f"the C of {name} is compiled in every process: its c_code_cache_version is missing or "
            "empty, or has parts that another process may write otherwise. Return a tuple such as "
            "(1,), and another one when the C changes",
        )


def warn_no_compiler(reason: object) -> None:
    """Warns about a missing compiler."""
    warn_once("compiler", f"graphs are computed by NumPy, node by node: {reason}")
