"""The built-in type: arrays of one dtype and rank.

Purpose: the counterpart of NumPy's arrays and scalars in a graph.
Invariant: a value of rank 0 is a Python float, int, bool or complex if its dtype is float64, int64,
bool or complex128, and otherwise a NumPy scalar; a value of a higher rank is an array of exactly
the dtype.
Reason: inputs and results are those of the same Python code without a graph.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from ..core.nodes import Constant, Variable
from ..core.places import Place
from .code import EXTENDED, TensorCode
from .dtypes import WEAK, name_of

#: The largest rank, `FP_AXES` of the C runtime (NumPy's is 64).
MAX_NDIM = 32

_PYTHON: dict[str, type] = {"float64": float, "int64": int, "bool": bool, "complex128": complex}


class TensorType(TensorCode):
    """Arrays of a dtype and a rank.

    Parameters
    ----------
    dtype : dtype-like
        The type of an element.
    shape : sequence of int or None
        For each axis its size, or None if it is unknown before a call. A scalar has none.
    """

    __props__ = ("dtype", "shape")

    # Set by `variable`: their operators create variables of this type.
    variable_class: ClassVar[type[Variable]] = Variable
    constant_class: ClassVar[type[Constant]] = Constant

    def __init__(self, dtype: Any = "float64", shape: Sequence[int | None] = ()) -> None:
        self.dtype = name_of(dtype)
        if hasattr(shape, "__index__"):
            raise TypeError(f"a shape is a tuple of sizes, each an int or None, not {shape!r}")
        self.shape = tuple(None if size is None else _size(size) for size in shape)
        if len(self.shape) > MAX_NDIM:
            raise ValueError(
                f"a tensor has at most {MAX_NDIM} dimensions, not {len(self.shape)}; "
                "reshape to fewer"
            )
        self.numpy_dtype: np.dtype[Any] = np.dtype(self.dtype)
        # The class of values of rank 0.
        self.scalar_class: type = _PYTHON.get(self.dtype, self.numpy_dtype.type)

    def is_built_in(self) -> bool:
        """Whether no subclass changes the set of values, or their C code."""
        # Asked for each variable of a graph, whose type is mostly this class itself.
        if type(self) is TensorType and self.__dict__.keys().isdisjoint(EXTENDED):
            return True
        return super().is_built_in()

    @staticmethod
    def of(dtype: str, shape: tuple[int | None, ...]) -> TensorType:
        """The type of results: one object for all that are equal.

        Notes
        -----
        If somebody has set attributes of that object, such as a method, a new one is created.
        """
        made = _interned(dtype, shape)
        return made if len(made.__dict__) == _ATTRIBUTES else TensorType(dtype, shape)

    @property
    def ndim(self) -> int:
        """The rank."""
        return len(self.shape)

    @property
    def broadcastable(self) -> tuple[bool, ...]:
        """For each axis whether its size is known to be 1."""
        return tuple(size == 1 for size in self.shape)

    def filter(self, data: Any, strict: bool = False, allow_downcast: bool | None = None) -> Any:
        """A value of this type from an array, a number or lists of numbers."""
        if not self.shape:
            if type(data) is self.scalar_class:
                if type(data) is int and not -(2**63) <= data < 2**63:
                    raise OverflowError(f"{data} is out of range for int64")
                return data
        elif type(data) is np.ndarray and data.dtype == self.numpy_dtype:
            self._check_shape(data)
            return data
        if isinstance(data, Variable):
            raise TypeError(f"wanted a value, got the variable {data!r}")
        if strict:
            raise TypeError(f"wanted exactly {self}, got {describe(data)}")
        return self.from_numpy(self._convert(data, bool(allow_downcast)))

    def _convert(self, data: Any, allow_downcast: bool) -> np.ndarray[Any, Any]:
        refuse_masked(data)
        try:
            array = np.asarray(data)
        except (ValueError, TypeError) as error:
            raise TypeError(f"wanted {self}, got {describe(data)}") from error
        if array.dtype.kind not in "biufc" or (self.shape and data is None):
            raise TypeError(f"wanted {self}, got {describe(data)}")
        self._check_shape(array)
        if np.can_cast(array.dtype, self.numpy_dtype, "safe"):
            return array.astype(self.numpy_dtype, copy=False)
        # An empty list has no numbers from which NumPy could have determined a dtype.
        if allow_downcast or (array.size == 0 and isinstance(data, (list, tuple))):
            return array.astype(self.numpy_dtype)
        if _is_weak(data) and np.can_cast(array.dtype, self.numpy_dtype, "same_kind"):
            return array.astype(self.numpy_dtype)
        if _is_weak(data) and array.dtype.kind in "iu" and self.numpy_dtype.kind in "iufc":
            return np.asarray(data, self.numpy_dtype)  # raises OverflowError
        raise TypeError(f"wanted {self}, got {describe(data)}")

    def _check_shape(self, array: np.ndarray[Any, Any]) -> None:
        if array.ndim != len(self.shape):
            raise TypeError(f"wanted {self}, of {_dimensions(self.ndim)}, got {describe(array)}")
        for axis, (wanted, got) in enumerate(zip(self.shape, array.shape, strict=True)):
            if wanted is not None and wanted != got:
                raise ValueError(
                    f"wanted {self}, got {describe(array)}: "
                    f"dimension {axis} is {got}, but must be {wanted}"
                )

    def from_numpy(self, value: Any) -> Any:
        """NumPy's result, an array or a scalar, as a value of this type."""
        if self.shape:
            return np.asarray(value, self.numpy_dtype)
        if type(value) is self.scalar_class:
            return value
        scalar = self.numpy_dtype.type(value)
        return scalar.item() if self.dtype in _PYTHON else scalar

    def to_numpy(self, value: Any) -> np.ndarray[Any, Any]:
        """A value of this type as an array, of rank 0 too."""
        return np.asarray(value, self.numpy_dtype)

    def values_eq(self, a: Any, b: Any) -> bool:
        """Whether shapes and all elements are equal; NaN equals NaN."""
        return np.shape(a) == np.shape(b) and np.array_equal(
            a, b, equal_nan=self.numpy_dtype.kind in "fc"
        )

    def values_eq_approx(self, a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8) -> bool:
        """Whether shapes are equal and all elements about equal; NaN equals NaN."""
        return np.shape(a) == np.shape(b) and np.allclose(a, b, rtol, atol, equal_nan=True)

    def copy_value(self, value: Any) -> Any:
        """A copy in C order."""
        return np.array(value, order="C") if self.shape else value

    def may_share_memory(self, a: Any, b: Any) -> bool:
        """Whether two arrays overlap."""
        return bool(self.shape) and np.may_share_memory(a, b)

    def make_variable(self, name: str | None = None, *, made_at: Place | None = None) -> Variable:
        """A variable with NumPy's operators."""
        return self.variable_class(self, None, None, name, made_at=made_at)

    def make_constant(self, value: Any, name: str | None = None) -> Constant:
        """A constant with NumPy's operators; it has a copy of the value."""
        return self.constant_class(self, value, name)

    def convert_variable(self, variable: Variable) -> Variable | None:
        """A variable with a more precise shape."""
        kind = variable.type
        if not isinstance(kind, TensorType) or kind.dtype != self.dtype or kind.ndim != self.ndim:
            return None
        if all(a is None or a == b for a, b in zip(self.shape, kind.shape, strict=True)):
            return variable
        return None

    def __str__(self) -> str:
        if not self.shape:
            return self.dtype
        return f"{self.dtype}[{', '.join('?' if n is None else str(n) for n in self.shape)}]"


@functools.lru_cache(maxsize=4096)
def _interned(dtype: str, shape: tuple[int | None, ...]) -> TensorType:
    return TensorType(dtype, shape)


_ATTRIBUTES = len(TensorType().__dict__)


def describe(value: object) -> str:
    """A description of a value, without its contents."""
    if isinstance(value, (np.ndarray, np.generic)):
        sizes = f"[{', '.join(map(str, value.shape))}]" if value.ndim else ""
        return f"{value.dtype}{sizes}"
    return "None" if value is None else type(value).__name__


def plain_array(data: Any, dtype: Any = None) -> np.ndarray[Any, Any]:
    """`data` as an array of NumPy's own class, unless a mask would be lost."""
    refuse_masked(data)
    return np.asarray(data, dtype)


def refuse_masked(data: Any) -> None:
    """Raises if values are missing: tensors have no masks."""
    if _has_masked(data):
        raise ValueError(f"{describe(data)} has missing values")


def _has_masked(data: Any) -> bool:
    if isinstance(data, (list, tuple)):
        return any(_has_masked(item) for item in data if type(item) not in WEAK)
    if not isinstance(data, np.ndarray) or type(data) is np.ndarray:
        return False
    return hasattr(data, "filled") and bool(np.any(getattr(data, "mask", False)))


def type_of(data: Any) -> TensorType:
    """The type of a value: an array, a number or lists of numbers."""
    array = plain_array(data)
    if array.dtype.kind not in "biufc":
        raise TypeError(f"{describe(data)} is not an array of numbers")
    return TensorType(array.dtype, array.shape)


def _is_weak(data: Any) -> bool:
    # Lists contain numbers, which need only fit.
    return isinstance(data, (list, tuple)) or type(data) in WEAK or type(data) is bool


def _size(size: Any) -> int:
    number = size.__index__()
    if number < 0:
        raise ValueError(f"a size cannot be negative: {number}")
    return int(number)


def _dimensions(count: int) -> str:
    return "1 dimension" if count == 1 else f"{count} dimensions"
