"""Cumulative sums and products.

Purpose: NumPy's `cumsum` and `cumprod`.
Invariant: elements are added in order, so results have NumPy's bits.
Reason: a sum over an axis may add in another order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .builtin import apply
from .reductions import as_accumulator, axes_of
from .shaping import ravel

if TYPE_CHECKING:
    from .convert import Tensor
    from .variable import TensorVariable


def _accumulate(function: str, x: Tensor, axis: int | None, dtype: Any) -> TensorVariable:
    variable = as_accumulator(x, dtype)
    if axis is None or variable.ndim == 0:
        # NumPy's axis of a number: 0 or -1, of a vector with the number.
        axes_of(axis, 1)
        variable, axis = ravel(variable), 0
    (place,) = axes_of(axis, variable.ndim)
    return apply("accumulate", (function, place), variable)


def cumsum(x: Tensor, axis: int | None = None, dtype: Any = None) -> TensorVariable:
    """The sums of the elements up to each one along an axis.

    Parameters
    ----------
    x : tensor
        The operand.
    axis : int, optional
        The axis; None: of the flattened tensor.
    dtype : dtype-like, optional
        The dtype of the sums; by default that of `x`, for small integers int64 or uint64.
    """
    return _accumulate("sum", x, axis, dtype)


def cumprod(x: Tensor, axis: int | None = None, dtype: Any = None) -> TensorVariable:
    """The products of the elements up to each one. The parameters are those of `cumsum`."""
    return _accumulate("prod", x, axis, dtype)
