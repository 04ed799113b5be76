"""The built-in ops.

Purpose: one class for every op that Fishplate itself links; Rust infers its types and links it.
Invariant: an op is its name and its params, which are strings, ints, bools, None and tuples of
them.
Reason: types are inferred at one place only, which is not here.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from fishplate import _native

from ..core.nodes import Apply, Constant, Variable
from ..core.op import Op
from ..core.places import here
from .perform import compute
from .type import TensorType

if TYPE_CHECKING:
    from .variable import TensorVariable

# Ops for which NumPy returns a view of their first input.
_VIEWS = frozenset(["transpose", "expand", "squeeze", "broadcast_to", "reshape", "slice", "view"])
# Functions of the same kind.
_VIEW_FUNCTIONS = frozenset(["real", "imag"])


Kind = tuple[str, Sequence[int | None]]


class NativeOp(Op):
    """An op that Rust implements: it infers the types of outputs, and prints the C."""

    def infer(self, inputs: Sequence[Kind], known: Sequence[int | None]) -> Sequence[Kind]:
        """The dtypes and shapes of the outputs; `known` has the values of int64 constants."""
        raise NotImplementedError

    def add_to(self, graph: _native.Graph, inputs: Sequence[int], site: int) -> list[int]:
        """Adds a node to a graph in Rust; returns its outputs."""
        raise NotImplementedError

    def make_node(self, *inputs: Any) -> Apply:
        """Applies the op to tensors; raises if their types do not match."""
        types = []
        for variable in inputs:
            if not isinstance(variable, Variable) or not isinstance(variable.type, TensorType):
                raise TypeError(f"{self} takes tensors, not {variable!r}")
            types.append((variable.type.dtype, variable.type.shape))
        given = self.infer(types, [known_value(variable) for variable in inputs])
        place = here()
        kinds = [TensorType.of(dtype, tuple(shape)) for dtype, shape in given]
        outputs = [kind.make_variable(made_at=place) for kind in kinds]
        return Apply.of_new(self, inputs, outputs)


class Builtin(NativeOp):
    """An op that Fishplate links.

    Parameters
    ----------
    name : str
        The op.
    params : tuple
        Its parameters other than inputs.
    """

    __props__ = ("name", "params")

    def __init__(self, name: str, params: tuple[Any, ...] = ()) -> None:
        self.name = name
        self.params = params
        if name in _VIEWS or (name == "map" and params[0] in _VIEW_FUNCTIONS):
            self.view_map = {0: [0]}

    def infer(self, inputs: Sequence[Kind], known: Sequence[int | None]) -> Sequence[Kind]:
        """The dtypes and shapes of the outputs."""
        return _infer(self.name, self.params, tuple(inputs), tuple(known))

    def add_to(self, graph: _native.Graph, inputs: Sequence[int], site: int) -> list[int]:
        """Adds a node to a graph in Rust."""
        return graph.apply(self.name, self.params, inputs, site)

    def perform(
        self, node: Apply, inputs: Sequence[Any], output_storage: Sequence[list[Any]]
    ) -> None:
        """Computes with NumPy."""
        arrays = [
            variable.type.to_numpy(value)  # type: ignore[attr-defined]
            for variable, value in zip(node.inputs, inputs, strict=True)
        ]
        with np.errstate(all="ignore"):
            result = compute(self.name, self.params, arrays)
        kind = node.outputs[0].type
        output_storage[0][0] = kind.from_numpy(result)  # type: ignore[attr-defined]

    def __str__(self) -> str:
        if self.name == "map":
            function = self.params[0]
            return function if isinstance(function, str) else f"cast to {function[1]}"
        if self.name == "reduce":
            function, axes, _keep = self.params
            return f"{function}{{axis={', '.join(map(str, axes))}}}"
        if not self.params:
            return self.name
        return f"{self.name}{{{', '.join(map(str, self.params))}}}"


def known_value(variable: Variable) -> int | None:
    """The value of a size or an index, if it is known."""
    if isinstance(variable, Constant) and type(variable.data) is int:
        return variable.data
    return None


@functools.lru_cache(maxsize=4096)
def _infer(
    name: str,
    params: tuple[Any, ...],
    inputs: tuple[tuple[str, tuple[int | None, ...]], ...],
    known: tuple[int | None, ...],
) -> tuple[tuple[str, tuple[int | None, ...]], ...]:
    """A graph has few kinds of nodes, and many of each."""
    given = _native.infer(name, params, inputs, known)
    return tuple((dtype, tuple(shape)) for dtype, shape in given)


@functools.lru_cache(maxsize=4096)
def _map(params: tuple[Any, ...]) -> Builtin:
    return Builtin("map", params)


def apply(name: str, params: tuple[Any, ...], *inputs: Variable) -> TensorVariable:
    """The output of a built-in op."""
    op = _map(params) if name == "map" else Builtin(name, params)
    return cast("TensorVariable", op.make_node(*inputs).outputs[0])
