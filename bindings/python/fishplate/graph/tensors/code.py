"""The C of tensors, as methods that a subclass extends and another type calls.

Purpose: the part of the protocol of types for `TensorType`: the C code that the linker uses itself.
Invariant: for a type that extends none of these methods, the linker needs only dtype and shape.
Reason: Theano's types are composed of one another, by `super()` and by calls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fishplate import _native

from ..core.protocol import MethodNotDefined
from ..core.type import Type

if TYPE_CHECKING:
    import numpy as np


class TensorCode(Type):
    """Tensors in C: a `PyArrayObject *`, or a number for rank 0."""

    dtype: str
    shape: tuple[int | None, ...]
    numpy_dtype: np.dtype[Any]

    def is_built_in(self) -> bool:
        """Whether no subclass changes the set of values, or their C code."""
        return not any(self._extends(name) for name in EXTENDED)

    def is_tensor_in_c(self) -> bool:
        """Whether C has a value in the form of built-in ops."""
        return not self._extends("c_declare")

    def _extends(self, name: str) -> bool:
        from .type import TensorType

        return name in self.__dict__ or getattr(type(self), name) is not getattr(TensorType, name)

    def _fragment(self, method: str, name: str, sub: dict[str, str], check_input: bool) -> str:
        fail = sub.get("fail", "")
        return _native.type_fragment(self.dtype, self.shape, method, name, fail, check_input)

    def dtype_specs(self) -> tuple[type, str, str]:
        """The class of a number of this dtype, its C type, and NumPy's name of the dtype in C."""
        number = self.numpy_dtype.type
        return (
            float if self.dtype == "float64" else number,
            f"npy_{self.dtype}",
            f"NPY_{self.dtype.upper()}",
        )

    def c_element_type(self) -> str:
        """The C type of an element."""
        return f"npy_{self.dtype}"

    def c_is_simple(self) -> bool:
        """A number is created again in each call."""
        return not self.shape

    def c_literal(self, data: Any) -> str:
        """A number as an expression in C."""
        literal = None if self.shape else _native.type_literal(self.dtype, data)
        if literal is None:
            raise MethodNotDefined(self, "c_literal")
        return literal

    def c_declare(self, name: str, sub: dict[str, str], check_input: bool = True) -> str:
        """Declares `PyArrayObject *name`, or a number."""
        return self._fragment("c_declare", name, sub, check_input)

    def c_init(self, name: str, sub: dict[str, str]) -> str:
        """Sets it to NULL, or to 0."""
        return self._fragment("c_init", name, sub, True)

    def c_extract(self, name: str, sub: dict[str, str], check_input: bool = True) -> str:
        """Sets it from the array `py_<name>`, after a check of dtype and shape, or reads the
        number."""
        return self._fragment("c_extract", name, sub, check_input)

    def c_sync(self, name: str, sub: dict[str, str]) -> str:
        """Sets `py_<name>` to the array, or the number."""
        return self._fragment("c_sync", name, sub, True)

    def c_cleanup(self, name: str, sub: dict[str, str]) -> str:
        """Releases the array."""
        return self._fragment("c_cleanup", name, sub, True)

    def c_headers(self) -> list[str]:
        """The functions that these fragments call, and NumPy's C API."""
        return ['"fishplate_values.h"']

    def c_init_code(self) -> list[str]:
        """Imports NumPy's C API."""
        return ["import_array();"]

    def c_code_cache_version(self) -> tuple[Any, ...]:
        """These fragments change only with the version of Fishplate."""
        return ("tensor", self.dtype, self.shape)


#: The methods by which a subclass changes values or their C code.
EXTENDED = ("filter", *sorted({name for name in dir(TensorCode) if name.startswith("c_")}))
