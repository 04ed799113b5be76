"""Tensor variables: NumPy's operators and methods.

Purpose: expressions read as they do in NumPy.
Invariant: each method only calls a function.
Reason: `==` and hashing stay those of objects, for variables are keys; everything else is NumPy's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.nodes import Constant, Variable
from . import cumulative, elementwise, indexing, linear, numpy_protocol, reductions, shaping
from .builtin import apply
from .reductions import Axis
from .type import TensorType

if TYPE_CHECKING:
    from .convert import Tensor


class TensorVariable(Variable):
    """A tensor that is not known until a function is called."""

    type: TensorType

    # Properties that need no computation.

    @property
    def dtype(self) -> str:
        """The name of the dtype."""
        return self.type.dtype

    @property
    def ndim(self) -> int:
        """The rank."""
        return self.type.ndim

    @property
    def broadcastable(self) -> tuple[bool, ...]:
        """For each axis whether its size is known to be 1."""
        return self.type.broadcastable

    @property
    def shape(self) -> tuple[Any, ...]:
        """For each axis its size: an int if it is known, else an int64 variable."""
        return tuple(
            apply("shape_i", (axis,), self) if size is None else size
            for axis, size in enumerate(self.type.shape)
        )

    @property
    def size(self) -> Any:
        """The number of elements: an int if it is known, else an int64 variable."""
        return reductions.size(self)

    # Operators.

    def __add__(self, other: Tensor) -> TensorVariable:
        return elementwise.add(self, other)

    def __radd__(self, other: Tensor) -> TensorVariable:
        return elementwise.add(other, self)

    def __sub__(self, other: Tensor) -> TensorVariable:
        return elementwise.subtract(self, other)

    def __rsub__(self, other: Tensor) -> TensorVariable:
        return elementwise.subtract(other, self)

    def __mul__(self, other: Tensor) -> TensorVariable:
        return elementwise.multiply(self, other)

    def __rmul__(self, other: Tensor) -> TensorVariable:
        return elementwise.multiply(other, self)

    def __truediv__(self, other: Tensor) -> TensorVariable:
        return elementwise.true_divide(self, other)

    def __rtruediv__(self, other: Tensor) -> TensorVariable:
        return elementwise.true_divide(other, self)

    def __floordiv__(self, other: Tensor) -> TensorVariable:
        return elementwise.floor_divide(self, other)

    def __rfloordiv__(self, other: Tensor) -> TensorVariable:
        return elementwise.floor_divide(other, self)

    def __mod__(self, other: Tensor) -> TensorVariable:
        return elementwise.mod(self, other)

    def __rmod__(self, other: Tensor) -> TensorVariable:
        return elementwise.mod(other, self)

    def __divmod__(self, other: Tensor) -> tuple[TensorVariable, TensorVariable]:
        return elementwise.divmod(self, other)

    def __rdivmod__(self, other: Tensor) -> tuple[TensorVariable, TensorVariable]:
        return elementwise.divmod(other, self)

    def __pow__(self, other: Tensor) -> TensorVariable:
        return elementwise.power(self, other)

    def __rpow__(self, other: Tensor) -> TensorVariable:
        return elementwise.power(other, self)

    def __matmul__(self, other: Tensor) -> TensorVariable:
        return linear.matmul(self, other)

    def __rmatmul__(self, other: Tensor) -> TensorVariable:
        return linear.matmul(other, self)

    def __and__(self, other: Tensor) -> TensorVariable:
        return elementwise.bitwise_and(self, other)

    def __rand__(self, other: Tensor) -> TensorVariable:
        return elementwise.bitwise_and(other, self)

    def __or__(self, other: Tensor) -> TensorVariable:
        return elementwise.bitwise_or(self, other)

    def __ror__(self, other: Tensor) -> TensorVariable:
        return elementwise.bitwise_or(other, self)

    def __xor__(self, other: Tensor) -> TensorVariable:
        return elementwise.bitwise_xor(self, other)

    def __rxor__(self, other: Tensor) -> TensorVariable:
        return elementwise.bitwise_xor(other, self)

    def __lshift__(self, other: Tensor) -> TensorVariable:
        return elementwise.left_shift(self, other)

    def __rlshift__(self, other: Tensor) -> TensorVariable:
        return elementwise.left_shift(other, self)

    def __rshift__(self, other: Tensor) -> TensorVariable:
        return elementwise.right_shift(self, other)

    def __rrshift__(self, other: Tensor) -> TensorVariable:
        return elementwise.right_shift(other, self)

    def __lt__(self, other: Tensor) -> TensorVariable:
        return elementwise.lt(self, other)

    def __le__(self, other: Tensor) -> TensorVariable:
        return elementwise.le(self, other)

    def __gt__(self, other: Tensor) -> TensorVariable:
        return elementwise.gt(self, other)

    def __ge__(self, other: Tensor) -> TensorVariable:
        return elementwise.ge(self, other)

    def __neg__(self) -> TensorVariable:
        return elementwise.negative(self)

    def __pos__(self) -> TensorVariable:
        return elementwise.positive(self)

    def __abs__(self) -> TensorVariable:
        return elementwise.absolute(self)

    def __round__(self, ndigits: int | None = None) -> TensorVariable:
        return elementwise.round(self, 0 if ndigits is None else ndigits)

    def __invert__(self) -> TensorVariable:
        return elementwise.invert(self)

    def __getitem__(self, index: Any) -> TensorVariable:
        return indexing.getitem(self, index)

    # Unsupported conversions and operations.

    def __setitem__(self, index: Any, value: Any) -> None:
        raise TypeError(
            f"{self!r} cannot be changed; make another: x = g.set_subtensor(x[index], value), "
            "or g.inc_subtensor to add to a part"
        )

    def __bool__(self) -> bool:
        raise TypeError(
            f"{self!r} has no value yet, so it is neither true nor false; "
            "use g.where, g.logical_and, g.eq ..."
        )

    def __len__(self) -> int:
        if self.ndim and self.type.shape[0] is not None:
            return self.type.shape[0]
        raise TypeError(f"{self!r} has no known length; use x.shape[0]")

    def __iter__(self) -> Iterator[TensorVariable]:
        return iter([self[index] for index in range(len(self))])

    def __contains__(self, item: object) -> bool:
        raise TypeError(f"{self!r} has no value yet; use g.any(g.eq(x, item))")

    def __float__(self) -> float:
        raise TypeError(f"{self!r} has no value yet; compile it with g.function first")

    __int__ = __index__ = __complex__ = __float__

    def __array__(self, *args: Any, **kwargs: Any) -> np.ndarray[Any, Any]:
        raise TypeError(f"{self!r} has no value yet, so it is not an array")

    # NumPy's own functions.

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *args: Any, **kwargs: Any) -> Any:
        return numpy_protocol.ufunc(ufunc, method, args, kwargs)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return numpy_protocol.function(func, args, kwargs)

    # NumPy's methods.

    @property
    def T(self) -> TensorVariable:
        """The axes reversed."""
        return shaping.transpose(self)

    @property
    def real(self) -> TensorVariable:
        """The real part."""
        return elementwise.real(self)

    @property
    def imag(self) -> TensorVariable:
        """The imaginary part."""
        return elementwise.imag(self)

    def sum(self, axis: Axis = None, dtype: Any = None, keepdims: bool = False) -> TensorVariable:
        """See `fishplate.graph.sum`."""
        return reductions.sum(self, axis, dtype, keepdims)

    def prod(self, axis: Axis = None, dtype: Any = None, keepdims: bool = False) -> TensorVariable:
        """See `fishplate.graph.prod`."""
        return reductions.prod(self, axis, dtype, keepdims)

    def cumsum(self, axis: int | None = None, dtype: Any = None) -> TensorVariable:
        """See `fishplate.graph.cumsum`."""
        return cumulative.cumsum(self, axis, dtype)

    def cumprod(self, axis: int | None = None, dtype: Any = None) -> TensorVariable:
        """See `fishplate.graph.cumprod`."""
        return cumulative.cumprod(self, axis, dtype)

    def mean(self, axis: Axis = None, dtype: Any = None, keepdims: bool = False) -> TensorVariable:
        """See `fishplate.graph.mean`."""
        return reductions.mean(self, axis, dtype, keepdims)

    def var(
        self, axis: Axis = None, dtype: Any = None, ddof: float = 0, keepdims: bool = False
    ) -> TensorVariable:
        """See `fishplate.graph.var`."""
        return reductions.var(self, axis, dtype, ddof, keepdims)

    def std(
        self, axis: Axis = None, dtype: Any = None, ddof: float = 0, keepdims: bool = False
    ) -> TensorVariable:
        """See `fishplate.graph.std`."""
        return reductions.std(self, axis, dtype, ddof, keepdims)

    def max(self, axis: Axis = None, keepdims: bool = False) -> TensorVariable:
        """See `fishplate.graph.max`."""
        return reductions.max(self, axis, keepdims)

    def min(self, axis: Axis = None, keepdims: bool = False) -> TensorVariable:
        """See `fishplate.graph.min`."""
        return reductions.min(self, axis, keepdims)

    def any(self, axis: Axis = None, keepdims: bool = False) -> TensorVariable:
        """See `fishplate.graph.any`."""
        return reductions.any(self, axis, keepdims)

    def all(self, axis: Axis = None, keepdims: bool = False) -> TensorVariable:
        """See `fishplate.graph.all`."""
        return reductions.all(self, axis, keepdims)

    def argmax(self, axis: int | None = None, keepdims: bool = False) -> TensorVariable:
        """See `fishplate.graph.argmax`."""
        return reductions.argmax(self, axis, keepdims)

    def argmin(self, axis: int | None = None, keepdims: bool = False) -> TensorVariable:
        """See `fishplate.graph.argmin`."""
        return reductions.argmin(self, axis, keepdims)

    def astype(self, dtype: Any) -> TensorVariable:
        """See `fishplate.graph.cast`."""
        return elementwise.cast(self, dtype)

    def conj(self) -> TensorVariable:
        """See `fishplate.graph.conj`."""
        return elementwise.conj(self)

    def clip(self, low: Any = None, high: Any = None) -> TensorVariable:
        """See `fishplate.graph.clip`."""
        return elementwise.clip(self, low, high)

    def round(self, decimals: int = 0) -> TensorVariable:
        """See `fishplate.graph.round`."""
        return elementwise.round(self, decimals)

    def dot(self, other: Tensor) -> TensorVariable:
        """See `fishplate.graph.dot`."""
        return linear.dot(self, other)

    def reshape(self, *shape: Any) -> TensorVariable:
        """See `fishplate.graph.reshape`."""
        return shaping.reshape(self, *shape)

    def transpose(self, *axes: Any) -> TensorVariable:
        """The axes in another order, one by one or as a sequence; without any, reversed."""
        given: Sequence[int] | None = axes
        if not axes or axes == (None,):
            given = None
        elif len(axes) == 1 and isinstance(axes[0], (tuple, list)):
            given = axes[0]
        return shaping.transpose(self, given)

    def swapaxes(self, axis1: int, axis2: int) -> TensorVariable:
        """See `fishplate.graph.swapaxes`."""
        return shaping.swapaxes(self, axis1, axis2)

    def squeeze(self, axis: Axis = None) -> TensorVariable:
        """See `fishplate.graph.squeeze`."""
        return shaping.squeeze(self, axis)

    def flatten(self, ndim: int = 1) -> TensorVariable:
        """See `fishplate.graph.flatten`."""
        return shaping.flatten(self, ndim)

    def ravel(self) -> TensorVariable:
        """See `fishplate.graph.ravel`."""
        return shaping.ravel(self)

    def take(self, indices: Tensor, axis: int | None = None) -> TensorVariable:
        """See `fishplate.graph.take`."""
        return indexing.take(self, indices, axis)

    def copy(self, name: str | None = None) -> TensorVariable:
        """A copy with memory of its own."""
        made = shaping.copy(self)
        made.name = name
        return made


class TensorConstant(TensorVariable, Constant):
    """A tensor that is known in advance. It has a copy of the value, which is read-only."""

    def __init__(self, type: TensorType, data: object, name: str | None = None) -> None:
        super().__init__(type, data, name)
        if isinstance(self.data, np.ndarray):
            self.data = np.array(self.data, order="C")
            if self.data.dtype == bool:
                self.data = self.data.view(np.uint8) != 0  # C's bools are 0 and 1
            self.data.flags.writeable = False


TensorType.variable_class = TensorVariable
TensorType.constant_class = TensorConstant
