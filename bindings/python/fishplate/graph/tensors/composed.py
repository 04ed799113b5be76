"""Functions that are composed of others.

Purpose: functions for models, stable where the textbook's formula is not.
Invariant: no ops of their own: rewrites fuse them like anything else.
Reason: written once, well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import elementwise as e
from . import reductions as r
from .convert import as_variable
from .shaping import squeeze

if TYPE_CHECKING:
    from .convert import Tensor
    from .reductions import Axis
    from .variable import TensorVariable


def relu(x: Tensor) -> TensorVariable:
    """`maximum(x, 0)`."""
    return e.maximum(x, 0)


def softplus(x: Tensor) -> TensorVariable:
    """`log(1 + exp(x))`, without overflow."""
    return e.logaddexp(x, 0)


def softmax(x: Tensor, axis: Axis = -1) -> TensorVariable:
    """`exp(x)`, divided by its sum over `axis`."""
    variable = as_variable(x)
    shifted = e.exp(variable - r.max(variable, axis, keepdims=True))
    return shifted / r.sum(shifted, axis, keepdims=True)


def log_softmax(x: Tensor, axis: Axis = -1) -> TensorVariable:
    """The logarithm of `softmax`; for infinite maxima, SciPy's result.

    That is NaN for each `inf`, and for finite elements along with one `-inf`.
    """
    variable = as_variable(x)
    greatest = r.max(variable, axis, keepdims=True)
    shifted = variable - e.where(e.isfinite(greatest), greatest, 0)
    return shifted - e.log(r.sum(e.exp(shifted), axis, keepdims=True))


def logsumexp(x: Tensor, axis: Axis = None, keepdims: bool = False) -> TensorVariable:
    """`log(sum(exp(x)))` over `axis`, without overflow; `-inf` for no elements."""
    variable = as_variable(x)
    if variable.type.dtype == "bool":
        variable = e.cast(variable, "int8")
    greatest = r.supremum(variable, axis, keepdims=True)
    greatest = e.where(e.isfinite(greatest), greatest, 0)
    result = e.log(r.sum(e.exp(variable - greatest), axis, keepdims=True)) + greatest
    axes = r.reduced_axes(axis, variable.ndim)
    return result if keepdims or not axes else squeeze(result, axes)
