"""Ops for values of any type: copies and views.

Purpose: what linkers put into graphs so that memory is not shared where it must not be.
Invariant: C code for a type's values comes from who wrote the type, by registration.
Reason: the tensors' own are built-in ops; these serve everything else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from .builtin import Builtin
from .core import Apply, Variable
from .op import Op
from .protocol import MethodNotDefined
from .tensor import TensorType
from .type import Type


class _Registered(Op):
    """An op of one input whose C code is registered by the class of the input's type."""

    __props__ = ()
    #: Class of type: code and version.
    codes: ClassVar[dict[type, tuple[str, tuple[Any, ...] | int]]]

    @classmethod
    def register(cls, kind: type, code: str, version: tuple[Any, ...] | int = ()) -> None:
        """Adds the C code for values of a type."""
        cls.codes[kind] = (code, version)

    def code_for(self, kind: Type) -> tuple[str, tuple[Any, ...] | int] | None:
        """The code for values of this type."""
        return self.codes.get(type(kind))

    def make_node(self, x: Variable) -> Apply:
        """One output of the input's type."""
        return Apply(self, [x], [x.type.make_variable()])

    def c_code(
        self, node: Apply, name: str, inputs: list[str], outputs: list[str], sub: dict[str, str]
    ) -> str:
        """The registered code, filled in."""
        found = self.code_for(node.inputs[0].type)
        if found is None:
            raise MethodNotDefined(self, f"c_code for {type(node.inputs[0].type).__qualname__}")
        return found[0] % {"iname": inputs[0], "oname": outputs[0], "fail": sub["fail"]}

    def c_code_cache_version_apply(self, node: Apply) -> tuple[Any, ...]:
        """The version that the code was registered with."""
        found = self.code_for(node.inputs[0].type)
        if found is None or found[1] == ():
            return ()
        return (1, found[1])


class DeepCopyOp(_Registered):
    """A value that shares no memory with its input."""

    codes: ClassVar[dict[type, tuple[str, tuple[Any, ...] | int]]] = {}

    def perform(
        self, node: Apply, inputs: Sequence[Any], output_storage: Sequence[list[Any]]
    ) -> None:
        """Copies as the type says."""
        output_storage[0][0] = node.inputs[0].type.copy_value(inputs[0])


class ViewOp(_Registered):
    """The same value again."""

    codes: ClassVar[dict[type, tuple[str, tuple[Any, ...] | int]]] = {}
    view_map = {0: [0]}

    def code_for(self, kind: Type) -> tuple[str, tuple[Any, ...] | int] | None:
        """The code for the type's class, or the nearest of its bases."""
        return next((self.codes[c] for c in type(kind).__mro__ if c in self.codes), None)

    def perform(
        self, node: Apply, inputs: Sequence[Any], output_storage: Sequence[list[Any]]
    ) -> None:
        """Passes it on."""
        output_storage[0][0] = inputs[0]


_deep_copy = DeepCopyOp()
_view = ViewOp()


def deep_copy(x: Variable) -> Variable:
    """A copy of `x`, of whatever type it is."""
    op: Op = Builtin("deep_copy") if isinstance(x.type, TensorType) else _deep_copy
    return op.make_node(x).outputs[0]


def view(x: Variable) -> Variable:
    """`x` as another variable that shares its memory."""
    op: Op = Builtin("view") if isinstance(x.type, TensorType) else _view
    return op.make_node(x).outputs[0]


def register_deep_copy_op_c_code(
    kind: type, code: str, version: tuple[Any, ...] | int = ()
) -> None:
    """Gives `DeepCopyOp` the C code for the values of a type.

    Parameters
    ----------
    kind : type
        The class of the type, exactly.
    code : str
        C code in which `%(iname)s`, `%(oname)s` and `%(fail)s` are filled in.
    version : tuple or int
        The version of the code; empty: it is compiled for this process only.
    """
    DeepCopyOp.register(kind, code, version)


def register_view_op_c_code(kind: type, code: str, version: tuple[Any, ...] | int = ()) -> None:
    """Gives `ViewOp` the C code for the values of a type and of those derived from it.

    The parameters are those of `register_deep_copy_op_c_code`.
    """
    ViewOp.register(kind, code, version)
