"""Compiles graphs to functions.

Purpose: inputs, outputs and updates as a callable object.
Invariant: the only state of a function is its shared variables; a call that fails has updated none
of them.
Reason: everything that is the same for every linker: inputs, outputs, updates, and their errors.
"""

from __future__ import annotations

import copy
import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Literal, cast

from fishplate import _native

from .core.graph import FunctionGraph, replace
from .core.nodes import Constant, Variable
from .core.places import depth
from .errors import MissingInputError, UnusedInputError, introduce
from .inspection import Inspection
from .link.compiled import Compiled, CompileOptions
from .link.linked import LinkedC
from .link.linkers import Linking, link
from .link.plain import PlainGraph, from_plain, to_plain
from .link.segments import Runnable, Segments
from .shared import SharedVariable
from .show.profile import Profile
from .signature import Form, In, Out, Signature
from .tensors.type import TensorType

if TYPE_CHECKING:
    import inspect
    from pathlib import Path

LINKERS = ("c", "c-opwise", "perform")

Updates = Mapping[SharedVariable, Any] | Iterable[tuple[SharedVariable, Any]]


class Detail(Inspection):
    """The details of a function: its graph, and calls of every form."""

    def __init__(
        self,
        signature: Signature,
        outputs: Sequence[Out],
        form: Form,
        updates: Sequence[tuple[SharedVariable, Variable]],
        linker: str = "c",
        profile: bool = False,
        options: CompileOptions | None = None,
        on_unused_input: str = "ignore",
    ) -> None:
        self.options = options or CompileOptions()
        self.signature = signature
        self.name = signature.name
        self.outputs = list(outputs)
        self.form = form
        self.updates = list(updates)
        self.linker = linker
        given = [i.variable for i in signature.inputs]
        wanted = [*(o.variable for o in outputs), *(new for _, new in updates)]
        self.graph = FunctionGraph(given, wanted)
        leaves = self.graph.leaves()
        _check_unused(signature, leaves, on_unused_input)
        self.shared = [v for v in leaves if isinstance(v, SharedVariable)]
        # No node computes them, so that the nodes in between are the same.
        self.graph.inputs += self.shared
        self._check(leaves)
        # In one order for all functions, so that two of them never deadlock.
        self._locks = [shared.lock for shared in sorted((s for s, _ in updates), key=id)]
        self._linked, self._profile = self._link(profile)

    def _check(self, leaves: Sequence[Variable]) -> None:
        known = set(self.graph.inputs)
        missing = [v for v in leaves if v not in known and not isinstance(v, Constant)]
        if missing:
            first = missing[0]
            need = next((n for n in self.graph.nodes if first in n.inputs), None)
            by = f"\nIt is needed by {need}, made at {need.made_at}" if need else ""
            raise MissingInputError(
                f"{self.name}(): {len(missing)} variable{'s are' if len(missing) > 1 else ' is'} "
                f"needed, but not among the inputs: {', '.join(map(repr, missing))}\n"
                f"First {introduce(first)}{by}"
            )

    def _link(self, profiled: bool) -> tuple[Runnable, Profile | None]:
        inputs = self.signature.inputs
        return link(
            Linking(
                self.graph,
                self.name,
                self.linker,
                self.options,
                shared_inputs=[i.variable for i in inputs if i.borrow],
                mutable=[i.variable for i in inputs if i.mutable],
                borrowed=[index for index, out in enumerate(self.outputs) if out.borrow],
                profiled=profiled,
            )
        )

    def callable(self) -> _native.Function:
        """The function: an object of the native part, which handles common calls itself."""
        inputs = self.signature.inputs
        linked = self._linked
        has_rules = any(given.strict or given.allow_downcast for given in inputs)
        names = {self.signature.keyword(index) for index in range(len(inputs))}
        listed = self.form.kind == "list"
        keys = tuple(self.form.keys) if self.form.kind == "dict" else None
        updated = tuple(shared.cell for shared, _ in self.updates)
        outputs = (*[None] * len(self.outputs), *updated)
        locks = tuple(self._locks)
        if isinstance(linked, Compiled) and len(names) == len(inputs):
            described: list[tuple[object, ...]] = []
            for index, given in enumerate(inputs):
                kind = cast(TensorType, given.variable.type)
                default = (given.value,) if given.has_value else ()
                described.append((self.signature.keyword(index), kind.dtype, kind.shape, *default))
            for shared in self.shared:
                kind = cast(TensorType, shared.type)
                described.append((shared.cell, kind.dtype, kind.shape))
            return linked.callable(
                tuple(described),
                self,
                outputs=outputs,
                listed=listed,
                keys=keys,
                locks=locks,
                exact=has_rules,
            )
        target = None
        if isinstance(linked, LinkedC) and not has_rules:
            takers = [self.signature.taker(index) for index in range(len(inputs))]
            # The values of shared variables are valid.
            target = linked.call = linked.callable([*takers, *[None] * len(self.shared)])
        cells = tuple(shared.cell for shared in self.shared)
        return _native.Function.forward(
            self.name, self, target, len(inputs), cells, outputs, listed, keys, locks
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        values = self.signature.bind(args, kwargs)
        if not self._locks:
            values.extend(s.cell.value for s in self.shared)
            return self.form.pack(self._linked.run(values))
        with ExitStack() as held:
            for lock in self._locks:
                held.enter_context(lock)
            values.extend(s.cell.value for s in self.shared)
            results = self._linked.run(values)
            count = len(self.outputs)
            for (shared, _), value in zip(self.updates, results[count:], strict=True):
                shared.cell.value = value
        return self.form.pack(results[:count])

    @property
    def doc(self) -> str:
        """The docstring of the callable."""
        from .documentation import docstring

        return docstring(self.signature, self.outputs, self.form, len(self.updates))

    @property
    def __signature__(self) -> inspect.Signature:
        from .documentation import signature_of

        return signature_of(self.signature)

    def free(self) -> None:
        """Frees the memory that calls of the parts have left for the next call."""
        linked = self._linked
        for part in linked.parts if isinstance(linked, Segments) else [linked]:
            for one in part.parts if isinstance(part, LinkedC) else [part]:
                if isinstance(one, Compiled):
                    one.function.free()

    def export(
        self,
        path: str | os.PathLike[str],
        kind: Literal["c", "python"] | None = None,
        *,
        native: bool = False,
    ) -> list[Path]:
        """Writes this function as a file that needs neither Fishplate nor a compiler.

        Parameters
        ----------
        path : path
            `libNAME.so`, `NAME.dylib`, `NAME.a`: a C library. Any other name: that of a module, or
            of a C library if `kind` says so. A folder: the name is the function's own.
        kind : {"c", "python"}, optional
            A C library, with NAME.h and NAME.c next to it, or a module of Python, with NAME.pyi.
        native : bool
            Optimise for this processor; others may then not be able to run it.

        Returns
        -------
        list of Path
            The files that were written, the compiled one first.

        Raises
        ------
        ValueError
            If it has ops or types that are not built in, or updates shared variables.

        Notes
        -----
        Shared variables become constants with their present values.
        """
        from .export import export  # with modules that nothing else needs

        return export(self, path, kind, native)

    def _state(self) -> tuple[PlainGraph, dict[str, Any]]:
        """The arguments that create this function again."""
        position = {variable: index for index, variable in enumerate(self.graph.inputs)}
        return to_plain(self.graph), {
            "name": self.name,
            "inputs": [given.options() for given in self.signature.inputs],
            "borrowed": [out.borrow for out in self.outputs],
            "form": self.form,
            # A shared variable may be updated without being read.
            "updates": [position.get(shared, shared) for shared, _ in self.updates],
            "linker": self.linker,
            "profile": self._profile is not None,
            "options": self.options,
        }

    def __reduce__(self) -> tuple[Any, ...]:
        plain, options = self._state()
        from .pickling import by_cloudpickle, needs_cloudpickle

        things = [*plain.types, *plain.ops, *(root.type for root in plain.roots)]
        if needs_cloudpickle(things):
            return _from_bytes, (by_cloudpickle((plain, options), things),)
        return _from_plain, (plain, options)

    def __copy__(self) -> _native.Function:
        return _from_plain(*self._state())

    def __repr__(self) -> str:
        results = ", ".join(str(out.variable.type) for out in self.outputs)
        return f"<function {self.signature} -> {results or 'None'}>"


def _from_bytes(data: bytes) -> _native.Function:
    import pickle

    return _from_plain(*pickle.loads(data))


def _from_plain(plain: PlainGraph, options: Mapping[str, Any]) -> _native.Function:
    graph = from_plain(plain)
    inputs = [
        In(variable, **given)
        for variable, given in zip(graph.inputs, options["inputs"], strict=False)
    ]
    outputs = [
        Out(variable, borrow)
        for variable, borrow in zip(graph.outputs, options["borrowed"], strict=False)
    ]
    updated = [graph.inputs[s] if isinstance(s, int) else s for s in options["updates"]]
    updates = zip(updated, graph.outputs[len(outputs) :], strict=True)
    return Detail(
        Signature(options["name"], inputs),
        outputs,
        options["form"],
        cast("list[tuple[SharedVariable, Variable]]", list(updates)),
        options["linker"],
        options["profile"],
        options["options"],
    ).callable()


def _in(given: Any, allow_downcast: bool | None) -> In:
    if isinstance(given, SharedVariable):
        raise TypeError(f"a shared variable is an input already: {given!r}")
    made = copy.copy(given) if isinstance(given, In) else In(given)
    if made.allow_downcast is None:
        made.allow_downcast = allow_downcast
    return made


def function(
    inputs: Sequence[Variable | In],
    outputs: Any = None,
    *,
    updates: Updates = (),
    givens: Mapping[Any, Any] | Iterable[tuple[Variable, Any]] = (),
    name: str | None = None,
    linker: str = "c",
    allow_input_downcast: bool | None = None,
    on_unused_input: Literal["raise", "warn", "ignore"] = "raise",
    profile: bool = False,
    exclude: Sequence[str] = (),
    exact_math: bool = False,
    fp_contract: bool = False,
    recycle_outputs: bool = True,
) -> _native.Function:
    """Links a graph into a function.

    Parameters
    ----------
    inputs : sequence of Variable or In
        The parameters.
    outputs : Variable, Out, list, dict or None
        The results: a single variable returns a single value, a list a list, a dict a dict.
    updates : mapping or pairs, optional
        New values of shared variables; they are set after everything is computed.
    givens : mapping or pairs, optional
        Variables and their replacements, applied simultaneously.
    name : str, optional
        For messages.
    linker : {"c", "c-opwise", "perform"}
        Link the whole graph into one C function; each node into one; or compute in Python.
    allow_input_downcast : bool, optional
        Accept arguments that lose precision by the cast to the input's dtype.
    on_unused_input : {"raise", "warn", "ignore"}
        How to treat an input that no output needs.
    profile : bool
        Record the time of every node, for `profile()`. Nodes are then computed one by one.
    exclude : sequence of str
        Rewrites that are skipped, by name; `explain()` lists those that were applied.
    exact_math : bool
        Use the C library's functions unchanged, at most 1 unit in the last place off, instead of
        its functions of whole vectors and of products for powers, at most 4 off.
    fp_contract : bool
        Allow products and sums to be contracted to fused multiply-adds, as C's `FP_CONTRACT` does.
        Results then depend on fusion and on the processor; `x*x - y*y` may be below 0 where
        x and y are equal.
    recycle_outputs : bool
        Return small arrays of earlier calls again, once there is no other reference to them.

    Returns
    -------
    Function

    Raises
    ------
    MissingInputError
        If a variable is needed that is not an input.
    UnusedInputError
        If an input is not needed.
    """
    if linker not in LINKERS:
        raise ValueError(f"linker {linker!r} is not one of {', '.join(map(repr, LINKERS))}")
    if isinstance(inputs, (Variable, In)) or not isinstance(inputs, Iterable):
        raise TypeError(f"inputs must be a list of variables, not {type(inputs).__name__}")
    form, outs = Form.of(outputs)
    signature = Signature(name or "function", [_in(i, allow_input_downcast) for i in inputs])
    pairs = _updates(updates)
    substitutes = _givens(givens)
    if substitutes:
        new = replace([*(o.variable for o in outs), *(n for _, n in pairs)], substitutes)
        outs = [Out(v, o.borrow) for v, o in zip(new, outs, strict=False)]
        pairs = [(s, v) for (s, _), v in zip(pairs, new[len(outs) :], strict=True)]
    options = CompileOptions(exclude, exact_math, fp_contract, recycle_outputs)
    detail = Detail(signature, outs, form, pairs, linker, profile, options, on_unused_input)
    return detail.callable()


def _updates(updates: Updates) -> list[tuple[SharedVariable, Variable]]:
    items = updates.items() if isinstance(updates, Mapping) else updates
    pairs: dict[SharedVariable, Variable] = {}
    for target, value in items:
        if not isinstance(target, SharedVariable):
            raise TypeError(f"only shared variables can be updated, not {target!r}")
        if target in pairs:
            raise ValueError(f"{target!r} is updated twice")
        try:
            pairs[target] = target.type.filter_variable(value)
        except (TypeError, ValueError, OverflowError) as error:
            message = f"the update of {introduce(target)}\ndoes not fit: {error}"
            raise TypeError(message) from error
    return list(pairs.items())


def _givens(
    givens: Mapping[Any, Any] | Iterable[tuple[Variable, Any]],
) -> dict[Variable, Variable]:
    items = givens.items() if isinstance(givens, Mapping) else givens
    found: dict[Variable, Variable] = {}
    for old, new in items:
        if not isinstance(old, Variable):
            raise TypeError(f"givens are for variables, not for {type(old).__name__}")
        found[old] = old.type.filter_variable(new)
    return found


def _check_unused(signature: Signature, leaves: Sequence[Variable], action: str) -> None:
    if action not in ("raise", "warn", "ignore"):
        raise ValueError(f"on_unused_input {action!r} is not one of 'raise', 'warn', 'ignore'")
    if action == "ignore":
        return
    used = set(leaves)
    for index, variable in enumerate(i.variable for i in signature.inputs):
        if variable not in used:
            message = (
                f"{signature.name}(): argument {signature.label(index)} is not used: "
                f"{introduce(variable)}\n(on_unused_input='ignore' allows it)"
            )
            if action == "raise":
                raise UnusedInputError(message)
            warnings.warn(message, stacklevel=depth())
