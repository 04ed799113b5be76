"""Functions as files that need neither Fishplate nor a compiler.

Purpose: a linked graph as a C library with its header, or as an extension module of Python.
Invariant: an exported function has no state: equal inputs give equal results.
Reason: a function that was developed in Python should run where only its results are needed.
"""

from __future__ import annotations

import keyword
import os
import re
import sys
import sysconfig
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol, cast

import numpy as np

from fishplate import _native

from .core.graph import FunctionGraph, replace
from .core.nodes import Variable
from .errors import made_at
from .link.compiled import CompileOptions, has_vector_math
from .link.evaluation import fold
from .link.native import translate
from .shared import SharedVariable
from .signature import Form, Signature
from .tensors.builtin import Builtin
from .tensors.type import TensorType

Kind = Literal["c", "python"]

_LIBRARIES = (".so", ".dylib", ".a")

# Keywords of C and C++, and names that headers and compilers define.
_RESERVED = frozenset(
    """
    alignas alignof and and_eq asm assert auto bitand bitor bool break case catch char class compl
    complex const constexpr const_cast continue decltype default delete do double dynamic_cast else
    enum errno explicit export extern false float for friend goto I if imaginary inline int linux
    long mutable namespace new noexcept not not_eq NULL nullptr operator or or_eq private protected
    public register reinterpret_cast restrict return short signed sizeof static static_assert
    static_cast stderr stdin stdout struct switch template this thread_local throw true try typedef
    typeid typename typeof union unix unsigned using virtual void volatile wchar_t while xor xor_eq
    """.split()
)


class Target(NamedTuple):
    """The files of an export.

    Parameters
    ----------
    kind : {"c", "python"}
        The sort of library.
    name : str
        The name of the C function, or of the module.
    folder : Path
        The folder of all files.
    library : Path
        The file that is compiled.
    """

    kind: Kind
    name: str
    folder: Path
    library: Path

    @staticmethod
    def of(path: str | os.PathLike[str], kind: Kind | None, function: str) -> Target:
        """The interpretation of a path: a file, a folder, or a file without its suffix."""
        if kind not in (None, "c", "python"):
            raise ValueError(f"kind {kind!r} is not one of 'c', 'python'")
        where = Path(path)
        if where.is_dir() or os.fspath(path).endswith(os.sep):
            where = where / function
        ours = sysconfig.get_config_var("EXT_SUFFIX") or ".so"
        if where.name.endswith(ours) and ours not in _LIBRARIES:
            found: Kind = kind or "python"
            name, library = where.name[: -len(ours)], where
        elif where.suffix in _LIBRARIES:
            found = kind or "c"
            name, library = where.stem, where
            if found == "c":
                name = name.removeprefix("lib")
        else:
            found = kind or "python"
            name = where.name
            system = ".dylib" if sys.platform == "darwin" else ".so"
            library = where.with_name(name + ours if found == "python" else f"lib{name}{system}")
        if not (name.isidentifier() and name.isascii()) or keyword.iskeyword(name):
            what = "module" if found == "python" else "C function"
            raise ValueError(
                f"{name!r} cannot be the name of a {what}: "
                f"it comes from the path {os.fspath(path)!r}"
            )
        if found == "python" and library.suffix == ".a":
            raise ValueError(f"a module of Python cannot be a static library: {os.fspath(path)!r}")
        if found == "c" and name in _RESERVED:
            raise ValueError(f"{name!r} is a word of C: {os.fspath(path)!r}")
        return Target(found, name, where.parent, library)


class Exported(Protocol):
    """The parts of a function that are exported."""

    name: str
    options: CompileOptions
    signature: Signature
    form: Form
    graph: FunctionGraph
    shared: list[SharedVariable]
    updates: list[tuple[SharedVariable, Variable]]


def export(
    function: Exported, path: str | os.PathLike[str], kind: Kind | None, native: bool
) -> list[Path]:
    """See `Detail.export`."""
    target = Target.of(path, kind, function.name)
    graph = _without_state(function)
    _check_ops(function.name, graph)
    rewritten, _ = translate(graph).rewrite(function.options.skipped, fold)
    linked = rewritten.link()
    steps = [_told(function.name, graph, node[3]) for node in rewritten.nodes()]
    vector_math = not function.options.exact_math and has_vector_math()
    if target.kind == "python":
        return _export_module(function, target, graph, linked, steps, vector_math, native)
    return _export_library(function, target, graph, linked, steps, vector_math, native)


def _without_state(function: Exported) -> FunctionGraph:
    """The graph with the present values of shared variables as constants."""
    if function.updates:
        names = ", ".join(str(shared) for shared, _ in function.updates)
        raise ValueError(
            f"{function.name}() cannot be exported: it updates {names}, and an exported function "
            "keeps nothing from call to call. Give the value as an argument and return the new one"
        )
    values: dict[Variable, Variable] = {
        shared: shared.type.make_constant(shared.get_value(), shared.name)
        for shared in function.shared
    }
    given = function.graph.inputs[: len(function.signature.inputs)]
    return FunctionGraph(given, replace(function.graph.outputs, values))


def _check_ops(name: str, graph: FunctionGraph) -> None:
    ops = {f"op {node.op}" for node in graph.nodes if not isinstance(node.op, Builtin)}
    types = {
        f"type {v.type}"
        for v in graph.variables()
        if not (isinstance(v.type, TensorType) and v.type.is_built_in())
    }
    if ops or types:
        raise ValueError(
            f"{name}() cannot be exported: only built-in ops and tensors can, and it has "
            f"{', '.join(sorted(ops) + sorted(types))}"
        )


def _told(name: str, graph: FunctionGraph, sites: Iterable[int]) -> str:
    """The origin of a step: nodes as text."""
    return "\n".join(
        f"In node {site} of {name}(): {graph.nodes[site]}\n{made_at(graph.nodes[site].made_at)}"
        for site in sorted(sites)
    )


# ---- C -------------------------------------------------------------------------------------------


def _export_library(
    function: Exported,
    target: Target,
    graph: FunctionGraph,
    linked: _native.LinkedGraph,
    steps: list[str],
    vector_math: bool,
    native: bool,
) -> list[Path]:
    taken = {target.name}
    inputs = []
    for index, given in enumerate(function.signature.inputs):
        note = f", by default {_line(given.value)} in Python" if given.has_value else ""
        inputs.append((_c_name(given.name or f"x{index}", taken), *_kind(given.variable), note))
    outputs = []
    for index, variable in enumerate(graph.outputs):
        alone = len(graph.outputs) == 1
        name = function.form.keys[index] if function.form.kind == "dict" else variable.name
        name = str(name or ("out" if alone else f"out{index}"))
        outputs.append((_c_name(name, taken), *_kind(variable), ""))
    made = _native.export_library(
        linked,
        target.folder,
        target.library,
        target.name,
        _line(repr(function)[len("<function ") : -1]),
        inputs,
        outputs,
        steps,
        vector_math=vector_math,
        fp_contract=function.options.fp_contract,
        native=native,
    )
    return [Path(path) for path in made]


def _kind(variable: Variable) -> tuple[str, Sequence[int | None]]:
    kind = cast(TensorType, variable.type)
    return kind.dtype, kind.shape


def _line(value: Any) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= 200 else f"{text[:200]} ..."


def _c_name(name: str, taken: set[str]) -> str:
    """A C name that is not in use, and is from now on."""
    name = re.sub(r"\W", "_", name, flags=re.ASCII)
    if not name or name[0].isdigit() or name[0] == "_":
        name = f"x{name}"
    if name in _RESERVED or name.startswith("fp_"):
        name += "_"
    return _free_name(name, taken)


def _free_name(name: str, taken: set[str]) -> str:
    """The name, or a similar one, that is not in use, and is from now on."""
    found, number = name, 2
    while found in taken:
        found, number = f"{name}{number}", number + 1
    taken.add(found)
    return found


# ---- Python --------------------------------------------------------------------------------------


def _export_module(
    function: Exported,
    target: Target,
    graph: FunctionGraph,
    linked: _native.LinkedGraph,
    steps: list[str],
    vector_math: bool,
    native: bool,
) -> list[Path]:
    _check_signature(function)
    inputs = []
    stubs = []
    taken = {given.name for given in function.signature.inputs if given.name is not None}
    for index, given in enumerate(function.signature.inputs):
        name = given.name or _free_name(f"x{index}", taken)
        dtype, shape = _kind(given.variable)
        default = None
        if given.has_value:
            value = cast(TensorType, given.variable.type).to_numpy(given.value)
            default = (value.shape, np.ascontiguousarray(value).tobytes())
        inputs.append((name, dtype, shape, default))
        accepted = "ArrayLike" if shape else _SCALARS[np.dtype(dtype).kind]
        stubs.append(f"{name}: {accepted}{' = ...' if given.has_value else ''}")
    outputs = [_kind(variable) for variable in graph.outputs]
    name = function.name
    include = [np.get_include(), sysconfig.get_path("include")]
    target.folder.mkdir(parents=True, exist_ok=True)
    _native.export_module(
        linked,
        target.library,
        target.name,
        name,
        f"{repr(function)[len('<function ') : -1]}\n\nMade of a graph by Fishplate.",
        inputs,
        [(dtype, len(shape)) for dtype, shape in outputs],
        steps,
        listed=function.form.kind == "list",
        recycle_outputs=function.options.recycle_outputs,
        include_dirs=include,
        vector_math=vector_math,
        fp_contract=function.options.fp_contract,
        native=native,
    )
    results = ", ".join(_result(dtype, shape) for dtype, shape in outputs)
    text = (
        "# Made by Fishplate.\n\nfrom typing import Any\n\nimport numpy as np\n"
        "from numpy.typing import ArrayLike, NDArray\n\n"
        f"def {name}({', '.join(stubs)}) -> "
        f"{results if function.form.kind == 'one' else 'list[Any]'}: ...\n"
    )
    stub = target.folder / f"{target.name}.pyi"
    stub.write_text(text, encoding="utf-8")
    return [target.library, stub]


# The literal for a number.
_SCALARS = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}


def _result(dtype: str, shape: Sequence[int | None]) -> str:
    if shape:
        return f"NDArray[np.{'bool_' if dtype == 'bool' else dtype}]"
    exact = {"float64": "float", "int64": "int", "bool": "bool", "complex128": "complex"}
    return exact.get(dtype, f"np.{dtype}")


def _check_signature(function: Exported) -> None:
    """Refuses features that need the package."""
    name = function.name
    if not (name.isidentifier() and name.isascii()) or keyword.iskeyword(name):
        raise ValueError(f"{name!r} cannot be the name of a function in a module; give it another")
    if function.form.kind not in ("one", "list"):
        raise ValueError(f"{name}() cannot be exported to Python: it returns a dict or nothing")
    names = [given.name for given in function.signature.inputs if given.name is not None]
    for wrong in (one for one in names if not one.isidentifier() or keyword.iskeyword(one)):
        raise ValueError(f"{name}() cannot be exported to Python: an input is named {wrong!r}")
    for given in function.signature.inputs:
        if given.strict or given.allow_downcast:
            raise ValueError(
                f"{name}() cannot be exported to Python: {given!r} is strict or allows downcasts"
            )
        if given.name is not None and names.count(given.name) > 1:
            raise ValueError(
                f"{name}() cannot be exported to Python: two inputs are named {given.name!r}"
            )
