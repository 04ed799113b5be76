"""Functions over axes.

Purpose: NumPy's sums, extremes and functions that are composed of them.
Invariant: axes are normalised here: sorted, not negative, without duplicates; the dtype is cast
before the op.
Reason: NumPy's rules for axes and accumulators, in one place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from ..core.nodes import Variable
from .builtin import apply
from .convert import as_variable
from .elementwise import cast, scalar_map, sqrt

if TYPE_CHECKING:
    from .convert import Tensor
    from .variable import TensorVariable

#: An axis, several, or None for all.
Axis: TypeAlias = int | Sequence[int] | None


def axes_of(axis: Axis, ndim: int) -> tuple[int, ...]:
    """Axes as a sorted tuple, none negative.

    Raises
    ------
    ValueError
        If an axis is out of range, or a duplicate.
    TypeError
        If an axis is not an int.
    """
    if axis is None:
        return tuple(range(ndim))
    given = tuple(axis) if isinstance(axis, (tuple, list)) else (axis,)
    found = []
    for one in given:
        if isinstance(one, Variable) or not hasattr(one, "__index__"):
            raise TypeError(f"an axis is an int that is known when the graph is made, not {one!r}")
        number = int(one.__index__())
        if not -ndim <= number < ndim:
            raise ValueError(f"axis {number} is out of range for {ndim} dimensions")
        found.append(number % ndim)
    if len(set(found)) != len(found):
        raise ValueError(f"an axis is named twice in {given}")
    return tuple(sorted(found))


def reduced_axes(axis: Axis, ndim: int) -> tuple[int, ...]:
    """The axes to reduce: `axes_of`, and for a number NumPy's axis 0 or -1 as no axis."""
    if ndim == 0 and hasattr(axis, "__index__") and not isinstance(axis, Variable):
        return axes_of(axis, 1)[1:]
    return axes_of(axis, ndim)


def size(x: Tensor, axis: int | None = None) -> Any:
    """The number of elements, or of those along an axis: an int if it is known, else a variable."""
    variable = as_variable(x)
    return _count(variable, axes_of(axis, variable.ndim))


def _count(x: TensorVariable, axes: Sequence[int]) -> Any:
    known = 1
    product: Any = None
    for axis in axes:
        length = x.shape[axis]
        if isinstance(length, Variable):
            product = length if product is None else scalar_map("mul", product, length)
        else:
            known *= length
    if product is None:
        return known
    return product if known == 1 else scalar_map("mul", product, known)


def _reduce(
    function: str, x: TensorVariable, axes: tuple[int, ...], keepdims: bool
) -> TensorVariable:
    return apply("reduce", (function, axes, bool(keepdims)), x) if axes else x


def as_accumulator(x: Tensor, dtype: Any) -> TensorVariable:
    """The operand of a sum, in the dtype of the sum."""
    variable = as_variable(x)
    if dtype is None:
        # NumPy's accumulators: at least as wide as the default integer.
        kind = variable.type.numpy_dtype
        if kind.kind in "bi" and kind.itemsize < 8:
            dtype = "int64"
        elif kind.kind == "u":
            dtype = "uint64"
        else:
            dtype = variable.type.dtype
    return cast(variable, dtype)


def _total(function: str, x: Tensor, axis: Axis, dtype: Any, keepdims: bool) -> TensorVariable:
    variable = as_accumulator(x, dtype)
    return _reduce(function, variable, reduced_axes(axis, variable.ndim), keepdims)


def sum(x: Tensor, axis: Axis = None, dtype: Any = None, keepdims: bool = False) -> TensorVariable:
    """The sum over axes.

    Parameters
    ----------
    x : tensor
        The operand.
    axis : int or sequence of int, optional
        The axes; None: all.
    dtype : dtype-like, optional
        The dtype of the sum; by default that of `x`, for small integers int64 or uint64.
    keepdims : bool
        Keep the axes, with size 1.
    """
    return _total("sum", x, axis, dtype, keepdims)


def prod(x: Tensor, axis: Axis = None, dtype: Any = None, keepdims: bool = False) -> TensorVariable:
    """The product over axes. The parameters are those of `sum`."""
    return _total("prod", x, axis, dtype, keepdims)


def _extreme(function: str, x: Tensor, axis: Axis, keepdims: bool) -> TensorVariable:
    variable = as_variable(x)
    return _reduce(function, variable, reduced_axes(axis, variable.ndim), keepdims)


def max(x: Tensor, axis: Axis = None, keepdims: bool = False) -> TensorVariable:
    """The greatest over axes; NaN if there is one."""
    return _extreme("max", x, axis, keepdims)


def supremum(x: Tensor, axis: Axis = None, keepdims: bool = False) -> TensorVariable:
    """Like `max`; for no elements -inf, or the least integer."""
    return _extreme("supremum", x, axis, keepdims)


def min(x: Tensor, axis: Axis = None, keepdims: bool = False) -> TensorVariable:
    """The least over axes; NaN if there is one."""
    return _extreme("min", x, axis, keepdims)


def any(x: Tensor, axis: Axis = None, keepdims: bool = False) -> TensorVariable:
    """Whether any element over axes is not zero."""
    return _extreme("any", cast(x, "bool"), axis, keepdims)


def all(x: Tensor, axis: Axis = None, keepdims: bool = False) -> TensorVariable:
    """Whether all elements over axes are not zero."""
    return _extreme("all", cast(x, "bool"), axis, keepdims)


def _position(function: str, x: Tensor, axis: int | None, keepdims: bool) -> TensorVariable:
    variable = as_variable(x)
    if axis is not None and not hasattr(axis, "__index__"):
        raise TypeError(f"{function} takes one axis or None, not {axis!r}")
    axes = reduced_axes(axis, variable.ndim)
    return apply("reduce", (function, axes, bool(keepdims)), variable)


def argmax(x: Tensor, axis: int | None = None, keepdims: bool = False) -> TensorVariable:
    """The index of the greatest element along an axis; None: in the flattened tensor."""
    return _position("argmax", x, axis, keepdims)


def argmin(x: Tensor, axis: int | None = None, keepdims: bool = False) -> TensorVariable:
    """The index of the least element along an axis; None: in the flattened tensor."""
    return _position("argmin", x, axis, keepdims)


def mean(x: Tensor, axis: Axis = None, dtype: Any = None, keepdims: bool = False) -> TensorVariable:
    """The arithmetic mean over axes; in float64 for integers. The parameters are those of `sum`."""
    variable = as_variable(x)
    if dtype is None and variable.type.numpy_dtype.kind in "biu":
        dtype = "float64"
    axes = axes_of(axis, variable.ndim)
    total = sum(variable, axes, dtype, keepdims)
    return scalar_map("true_divide", total, _as_float(_count(variable, axes), total))


def _as_float(count: Any, like: TensorVariable) -> Any:
    if isinstance(count, Variable):
        return cast(count, like.type.dtype)
    return float(count)


def var(
    x: Tensor, axis: Axis = None, dtype: Any = None, ddof: float = 0, keepdims: bool = False
) -> TensorVariable:
    """The variance over axes.

    Parameters
    ----------
    x, axis, dtype, keepdims
        Those of `sum`.
    ddof : float
        Subtracted from the count before dividing.
    """
    variable = as_variable(x)
    if dtype is not None:
        variable = cast(variable, dtype)
    axes = axes_of(axis, variable.ndim)
    away = scalar_map("sub", variable, mean(variable, axes, keepdims=True))
    if away.type.numpy_dtype.kind == "c":
        parts = [scalar_map("square", scalar_map(part, away)) for part in ("real", "imag")]
        squares = scalar_map("add", *parts)
    else:
        squares = scalar_map("square", away)
    total = sum(squares, axes, keepdims=keepdims)
    count = _as_float(_count(variable, axes), total)
    free = scalar_map("sub", count, ddof) if isinstance(count, Variable) else count - ddof
    # NumPy divides by zero rather than by a negative number.
    free = (
        scalar_map("maximum", free, 0)
        if isinstance(free, Variable)
        else (free if free > 0 else 0.0)
    )
    return scalar_map("true_divide", total, free)


def std(
    x: Tensor, axis: Axis = None, dtype: Any = None, ddof: float = 0, keepdims: bool = False
) -> TensorVariable:
    """The standard deviation over axes. The parameters are those of `var`."""
    return sqrt(var(x, axis, dtype, ddof, keepdims))
