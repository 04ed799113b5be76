"""Wrapped functions as ops: the implementation of `stats.op.mean(x)`.

Purpose: a function of a module that Fishplate built, applied to variables.
Invariant: an op does not change its inputs: an argument that the function writes to is copied, and
the changed copy is an output.
Reason: the linked function calls the C function itself, according to the interface, without Python
in between.
"""

from __future__ import annotations

import weakref
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from fishplate import _native
from fishplate._about import member, place

from .core.nodes import Apply, Variable
from .core.op import Op
from .core.places import here
from .tensors.builtin import Kind, NativeOp, known_value
from .tensors.elementwise import cast as cast_to
from .tensors.type import TensorType, describe, type_of

if TYPE_CHECKING:
    from .tensors.variable import TensorVariable


class Parameter(NamedTuple):
    """A parameter of an overload.

    Parameters
    ----------
    name : str
        Its name.
    dtype : str
        The type of a scalar or an element.
    rank : int
        The number of dimensions; 0 for a scalar.
    required : bool
        It is required.
    changes : bool
        The function writes to it.
    fortran : bool
        C expects it in Fortran order.
    """

    name: str
    dtype: str
    rank: int
    required: bool
    changes: bool
    fortran: bool

    def __str__(self) -> str:
        return self.dtype if self.rank == 0 else f"{self.dtype}[{', '.join('?' * self.rank)}]"


class Overload(NamedTuple):
    """One C function of a wrapped function.

    Parameters
    ----------
    parameters : list of Parameter
        Its inputs.
    outputs : list of (bool, int)
        For each output of the op whether it is among the function's results (else it is a parameter
        that the function changes), and which.
    """

    parameters: list[Parameter]
    outputs: list[tuple[bool, int]]


class Described:
    """The interface of a wrapped function.

    Parameters
    ----------
    function : builtin function or method descriptor
        The function.
    """

    def __init__(self, function: Any) -> None:
        module, path = place(function)
        self.name = ".".join([module.__name__, *path])
        self.node = ".".join([module.__name__, "op", *path])
        origin = member("op", function).__origin__
        if origin is None:
            raise TypeError(
                f"{self.name} cannot be an op: it takes or makes objects, calls back, keeps other "
                "threads out (`threads`), or C of its interface's own stands around its calls "
                "(pre-call, post-call)"
            )
        interface, addresses, constants = origin
        literals = {name: _literal(value) for name, value in constants.items()}
        self.source = _native.OpSource(self.name, interface, addresses, literals)
        self.overloads = [
            Overload([Parameter(*one) for one in parameters], outputs)
            for parameters, outputs in self.source.overloads
        ]


def _literal(value: float) -> str:
    """A number as C writes it."""
    if isinstance(value, int) or np.isfinite(value):
        return repr(value)
    return '__builtin_nan("")' if np.isnan(value) else f"{'-' * (value < 0)}__builtin_inf()"


_described: weakref.WeakKeyDictionary[Any, Described] = weakref.WeakKeyDictionary()


def described(function: Any) -> Described:
    """The interface of a wrapped function."""
    if function not in _described:
        _described[function] = Described(function)
    return _described[function]


class Wrapped(NativeOp):
    """A wrapped function as an op.

    Parameters
    ----------
    function : builtin function
        The function.
    overload : int
        The index of the C function.
    given : tuple of int
        The parameters that are inputs; the others are omitted.
    """

    __props__ = ("function", "overload", "given")

    def __init__(self, function: Any, overload: int, given: tuple[int, ...]) -> None:
        self.function = function
        self.overload = overload
        self.given = given
        about = described(function)
        self.name = about.name
        self._outputs = about.overloads[overload].outputs
        self.parameters = [about.overloads[overload].parameters[index] for index in given]
        self._call = about.source.op(overload, given)

    def __reduce__(self) -> tuple[type[Wrapped], tuple[Any, int, tuple[int, ...]]]:
        # The addresses of C functions are looked up again.
        return Wrapped, (self.function, self.overload, self.given)

    def infer(self, inputs: Sequence[Kind], known: Sequence[int | None]) -> Sequence[Kind]:
        """The dtypes and shapes of the outputs."""
        return self._call.infer(inputs, known)

    def add_to(self, graph: _native.Graph, inputs: Sequence[int], site: int) -> list[int]:
        """Adds a node to a graph in Rust."""
        return graph.apply_call(self._call, inputs, site)

    def perform(
        self, node: Apply, inputs: Sequence[Any], output_storage: Sequence[list[Any]]
    ) -> None:
        """Calls the function."""
        values: dict[str, Any] = {}
        for parameter, value in zip(self.parameters, inputs, strict=True):
            if parameter.changes:
                order = "F" if parameter.fortran else "C"
                value = np.array(value, parameter.dtype, order=order)  # type: ignore[call-overload]
            values[parameter.name] = value
        results = self.function(**values)
        count = sum(is_result for is_result, _ in self._outputs)
        if count == 1:
            results = (results,)
        changed = described(self.function).overloads[self.overload].parameters
        for (is_result, index), storage, output in zip(
            self._outputs, output_storage, node.outputs, strict=True
        ):
            found = results[index] if is_result else values[changed[index].name]
            storage[0] = cast("TensorType", output.type).from_numpy(found)

    def __str__(self) -> str:
        return self.name


class Batched(Op):
    """A wrapped function as an op on batches, which calls the module's function.

    Parameters
    ----------
    function, overload, given
        As for `Wrapped`.
    """

    __props__ = ("function", "overload", "given")

    def __init__(self, function: Any, overload: int, given: tuple[int, ...]) -> None:
        self.function = function
        self.overload = overload
        self.given = given
        self._item = Wrapped(function, overload, given)

    def make_node(self, *inputs: Any) -> Apply:
        """Applies the op to tensors with loop dimensions, which broadcast."""
        loops, items = [], []
        for variable, parameter in zip(inputs, self._item.parameters, strict=True):
            border = variable.type.ndim - parameter.rank
            loops.append(variable.type.shape[:border])
            items.append((variable.type.dtype, variable.type.shape[border:]))
        most = max(map(len, loops))
        for parameter, sizes in zip(self._item.parameters, loops, strict=True):
            if parameter.changes and len(sizes) < most:
                raise TypeError(
                    f"{self}(): argument '{parameter.name}' is written to, so it must have all "
                    f"{most} loop dimensions of the batch, not {len(sizes)}"
                )
        loop = tuple(
            _loop_size([sizes[axis] for sizes in loops if len(sizes) >= -axis], self)
            for axis in range(-most, 0)
        )
        found = self._item.infer(items, [known_value(variable) for variable in inputs])
        outputs = [TensorType.of(dtype, (*loop, *shape)).make_variable() for dtype, shape in found]
        return Apply(self, list(inputs), outputs)

    def perform(
        self, node: Apply, inputs: Sequence[Any], output_storage: Sequence[list[Any]]
    ) -> None:
        """Calls the function."""
        self._item.perform(node, inputs, output_storage)

    def __str__(self) -> str:
        return self._item.name


def _loop_size(sizes: Sequence[int | None], op: Batched) -> int | None:
    """The size of a loop dimension, if it is known."""
    large = {size for size in sizes if size is not None and size != 1}
    if len(large) > 1:
        raise ValueError(f"{op}(): loop dimensions {sorted(large)} do not broadcast")
    return large.pop() if large else None if None in sizes else 1


def apply(
    function: Any, arguments: Sequence[Any], keywords: Mapping[str, Any] | None
) -> TensorVariable | tuple[TensorVariable, ...]:
    """The call of a wrapped function as a node of a graph.

    Parameters
    ----------
    function : builtin function
        The function.
    arguments : sequence
        Variables, arrays and numbers, as for the function.
    keywords : mapping, optional
        The same by name.

    Returns
    -------
    TensorVariable or tuple of TensorVariable
        The results of the function, followed by the copies of arguments that it changes, if these
        are not among the results.
    """
    about = described(function)
    place = here()
    bound, reasons = [], []
    for number, overload in enumerate(about.overloads):
        try:
            values = _bind(about.node, overload, arguments, keywords or {})
            steps = [
                _steps(about.node, overload.parameters[k], v, about.source.batched)
                for k, v in values.items()
            ]
        except (TypeError, ValueError, OverflowError) as error:
            reasons.append(error)
            continue
        is_batch = any(_rank(v) > overload.parameters[k].rank for k, v in values.items())
        bound.append((max(steps, default=0), is_batch, number, values))
    if not bound:
        raise _refusal(about.node, reasons)
    # Exact types before casts, single items before batches, earlier overloads before later ones.
    _, is_batch, number, values = min(bound, key=lambda one: one[:3])
    parameters = about.overloads[number].parameters
    if not about.overloads[number].outputs:
        raise TypeError(f"{about.name} cannot be an op: it returns nothing")
    inputs = [_convert(parameters[index], value) for index, value in values.items()]
    op = (Batched if is_batch else Wrapped)(function, number, tuple(values))
    node = op.make_node(*inputs)
    node.made_at = place
    outputs = cast("tuple[TensorVariable, ...]", tuple(node.outputs))
    return outputs[0] if len(outputs) == 1 else outputs


def _refusal(name: str, reasons: Sequence[Exception]) -> Exception:
    if len(reasons) == 1:
        return reasons[0]
    lines = "\n".join(f"  {reason}" for reason in dict.fromkeys(map(str, reasons)))
    return TypeError(f"{name}(): no overload takes these arguments:\n{lines}")


def _bind(
    name: str, overload: Overload, arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> dict[int, Any]:
    """The argument for each parameter, by its number; None counts as absent."""
    parameters = overload.parameters
    if len(arguments) > len(parameters):
        most = "1 argument" if len(parameters) == 1 else f"{len(parameters)} arguments"
        raise TypeError(f"{name}() takes at most {most}, got {len(arguments)}")
    given = dict(enumerate(arguments))
    for key, value in keywords.items():
        place = next((k for k, one in enumerate(parameters) if one.name == key), None)
        if place is None:
            raise TypeError(f"{name}() has no argument '{key}'")
        if place in given:
            raise TypeError(f"{name}(): argument '{key}' is given twice")
        given[place] = value
    for index, parameter in enumerate(parameters):
        if given.get(index) is None:
            if parameter.required:
                raise TypeError(f"{name}(): argument '{parameter.name}' is missing")
            given.pop(index, None)
    return dict(sorted(given.items()))


def _steps(name: str, parameter: Parameter, value: Any, batched: bool) -> int:
    """The distance of a value from a parameter's type: 0, exact; 1, by a safe cast."""

    def fits(rank: int) -> bool:
        return rank == parameter.rank or (batched and rank > parameter.rank)

    where = f"{name}(): argument '{parameter.name}': wanted {parameter}, got"
    if not isinstance(value, Variable):
        try:
            made = TensorType(parameter.dtype, np.shape(value)).filter(value)
        except (TypeError, ValueError) as error:
            raise TypeError(f"{where} {describe(value)}") from error
        kind = type_of(made)
        if not fits(kind.ndim):
            raise TypeError(f"{where} {describe(value)}{_leading(kind, parameter)}")
        is_weak = not isinstance(value, (np.ndarray, np.generic))
        return 0 if is_weak or type_of(value).dtype == parameter.dtype else 1
    kind = value.type  # type: ignore[assignment]
    if not isinstance(kind, TensorType):
        raise TypeError(f"{where} {kind}")
    if not fits(kind.ndim):
        raise TypeError(f"{where} {kind}{_leading(kind, parameter)}")
    if kind.dtype == parameter.dtype:
        return 0
    if np.can_cast(kind.dtype, parameter.dtype, "safe") or _is_checked(kind, parameter):
        return 1
    raise TypeError(f"{where} {kind}")


def _rank(value: Any) -> int:
    return value.type.ndim if isinstance(value, Variable) else np.ndim(value)  # type: ignore[attr-defined]


def _leading(kind: TensorType, parameter: Parameter) -> str:
    if kind.ndim > parameter.rank > 0:
        return ": it has no batches (`ellipses`)"
    return ""


def _is_checked(kind: TensorType, parameter: Parameter) -> bool:
    """Whether the linked function checks that an integer fits."""
    wanted = np.dtype(parameter.dtype).kind
    return kind.ndim == 0 and wanted in "iu" and kind.numpy_dtype.kind in "iu"


def _convert(parameter: Parameter, value: Any) -> Variable:
    if not isinstance(value, Variable):
        kind = TensorType(parameter.dtype, np.shape(value))
        return kind.make_constant(np.array(kind.filter(value)) if kind.ndim else value)
    if np.can_cast(value.type.dtype, parameter.dtype, "safe"):  # type: ignore[attr-defined]
        return cast_to(value, parameter.dtype)
    return value
