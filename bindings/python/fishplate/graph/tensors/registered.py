"""Ops for values of any type: copies, views, shapes.

Purpose: ops that linkers insert into graphs, and that every type with a shape supports.
Invariant: the author of a type registers the C code for its values; without a version it is
compiled for one process only.
Reason: those of tensors are built-in ops; these handle everything else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..core.nodes import Apply, Variable
from ..core.op import Op
from ..core.protocol import MethodNotDefined
from ..core.type import Type
from .builtin import Builtin
from .type import TensorType


class Code(NamedTuple):
    """C code that was registered."""

    text: str
    check_input: str
    version: tuple[Any, ...] | int


class RegisteredOp(Op):
    """An op of one input whose C code is registered for the class of the input's type."""

    __props__: tuple[str, ...] = ()
    codes: ClassVar[dict[type, Code]]

    @classmethod
    def register(
        cls, kind: type, code: str, version: tuple[Any, ...] | int = (), check_input: str = ""
    ) -> None:
        """Adds the C code for values of a type."""
        cls.codes[kind] = Code(code, check_input, version)

    def code_for(self, kind: Type) -> Code | None:
        """The code for values of this type."""
        return self.codes.get(type(kind))

    def make_node(self, x: Variable) -> Apply:
        """One output of the input's type."""
        return Apply(self, [x], [x.type.make_variable()])

    def has_c_code(self, node: Apply) -> bool:
        """Whether there is code for the type of the input."""
        return self.code_for(node.inputs[0].type) is not None

    def c_code(
        self, node: Apply, name: str, inputs: list[str], outputs: list[str], sub: dict[str, str]
    ) -> str:
        """The registered code, with its placeholders replaced."""
        found = self.code_for(node.inputs[0].type)
        if found is None:
            raise MethodNotDefined(self, f"c_code for {type(node.inputs[0].type).__qualname__}")
        filled = {"iname": inputs[0], "oname": outputs[0], "fail": sub["fail"], **self.numbers()}
        return found.check_input % filled + found.text % filled

    def numbers(self) -> dict[str, Any]:
        """The values of placeholders other than names."""
        return {}

    def c_code_cache_version_apply(self, node: Apply) -> tuple[Any, ...]:
        """The version that the code was registered with."""
        found = self.code_for(node.inputs[0].type)
        if found is None or found.version == ():
            return ()
        return (1, found.version)


class DeepCopyOp(RegisteredOp):
    """A value that shares no memory with its input."""

    codes: ClassVar[dict[type, Code]] = {}

    def perform(
        self, node: Apply, inputs: Sequence[Any], output_storage: Sequence[list[Any]]
    ) -> None:
        """Copies by the type's method."""
        output_storage[0][0] = node.inputs[0].type.copy_value(inputs[0])


class ViewOp(RegisteredOp):
    """The same value again."""

    codes: ClassVar[dict[type, Code]] = {}
    view_map = {0: [0]}

    def code_for(self, kind: Type) -> Code | None:
        """The code for the type's class, or the nearest of its bases."""
        return next((self.codes[c] for c in type(kind).__mro__ if c in self.codes), None)

    def perform(
        self, node: Apply, inputs: Sequence[Any], output_storage: Sequence[list[Any]]
    ) -> None:
        """Returns it."""
        output_storage[0][0] = inputs[0]


class Shape(RegisteredOp):
    """The sizes of a value of any type that has a `shape`, as an int64 vector."""

    codes: ClassVar[dict[type, Code]] = {}

    def make_node(self, x: Variable) -> Apply:
        """One int64 vector."""
        ndim = getattr(x.type, "ndim", None)
        return Apply(self, [x], [TensorType("int64", (ndim,)).make_variable()])

    def perform(
        self, node: Apply, inputs: Sequence[Any], output_storage: Sequence[list[Any]]
    ) -> None:
        """Reads its shape."""
        output_storage[0][0] = np.array(np.shape(inputs[0]), np.int64)


class Shape_i(RegisteredOp):
    """One size of a value of any type that has a `shape`, as an int64 scalar.

    Parameters
    ----------
    i : int
        The axis.
    """

    __props__ = ("i",)
    codes: ClassVar[dict[type, Code]] = {}

    def __init__(self, i: int) -> None:
        if int(i) < 0:
            raise ValueError(f"Shape_i counts from 0, not from {i}")
        self.i = int(i)

    def numbers(self) -> dict[str, Any]:
        """The axis."""
        return {"i": self.i}

    def make_node(self, x: Variable) -> Apply:
        """One int64 scalar."""
        ndim = getattr(x.type, "ndim", None)
        if isinstance(ndim, int) and self.i >= ndim:
            raise IndexError(f"{x!r} has {ndim} dimensions, and so no size {self.i}")
        return Apply(self, [x], [TensorType("int64").make_variable()])

    def perform(
        self, node: Apply, inputs: Sequence[Any], output_storage: Sequence[list[Any]]
    ) -> None:
        """Reads its shape."""
        output_storage[0][0] = int(np.shape(inputs[0])[self.i])


_deep_copy = DeepCopyOp()
_view = ViewOp()


def deep_copy(x: Variable) -> Variable:
    """A copy of `x`, of any type."""
    op: Op = Builtin("deep_copy") if isinstance(x.type, TensorType) else _deep_copy
    return op.make_node(x).outputs[0]


def view(x: Variable) -> Variable:
    """`x` as another variable that shares its memory."""
    op: Op = Builtin("view") if isinstance(x.type, TensorType) else _view
    return op.make_node(x).outputs[0]


def register_deep_copy_op_c_code(
    kind: type, code: str, version: tuple[Any, ...] | int = ()
) -> None:
    """Registers the C code of `DeepCopyOp` for the values of a type.

    Parameters
    ----------
    kind : type
        The class of the type, exactly.
    code : str
        C code with the placeholders `%(iname)s`, `%(oname)s` and `%(fail)s`.
    version : tuple or int
        The version of the code; empty: it is compiled for this process only.
    """
    DeepCopyOp.register(kind, code, version)


def register_view_op_c_code(kind: type, code: str, version: tuple[Any, ...] | int = ()) -> None:
    """Registers the C code of `ViewOp` for the values of a type and of those derived from it.

    The parameters are those of `register_deep_copy_op_c_code`.
    """
    ViewOp.register(kind, code, version)


def register_shape_c_code(kind: type, code: str, version: tuple[Any, ...] | int = ()) -> None:
    """Registers the C code of `Shape` for the values of a type.

    The parameters are those of `register_deep_copy_op_c_code`.
    """
    Shape.register(kind, code, version)


def register_shape_i_c_code(
    kind: type, code: str, check_input: str, version: tuple[Any, ...] | int = ()
) -> None:
    """Registers the C code of `Shape_i` for the values of a type.

    Parameters
    ----------
    kind : type
        The class of the type, exactly.
    code : str
        C code with the placeholders `%(iname)s`, `%(oname)s`, `%(i)s` and `%(fail)s`.
    check_input : str
        C code, likewise, that runs first: it fails if the size is unknown.
    version : tuple or int
        The version of the code; empty: it is compiled for this process only.
    """
    Shape_i.register(kind, code, version, check_input)
