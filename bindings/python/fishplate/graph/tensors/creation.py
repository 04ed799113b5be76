"""Creation of tensors.

Purpose: NumPy's ranges and fills.
Invariant: sizes may be variables.
Reason: constants of known size are folded later; here there is one form for all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..core.nodes import Variable
from .builtin import apply
from .convert import as_variable
from .elementwise import cast, eq, result_type
from .shaping import Shape, expand_dims, sizes_of

if TYPE_CHECKING:
    from .convert import Tensor
    from .variable import TensorVariable


def arange(
    start: Tensor, stop: Tensor | None = None, step: Tensor = 1, dtype: Any = None
) -> TensorVariable:
    """The numbers from `start` (0 if only one is given) to before `stop`, by `step`."""
    if stop is None:
        start, stop = 0, start
    if dtype is None:
        # As in NumPy, no less than int64.
        dtype = result_type(start, stop, step, as_variable(0, "int64"))
    bounds = [_bound(value, dtype) for value in (start, stop, step)]
    return apply("arange", (bounds[0].type.dtype,), *bounds)


def _bound(value: Any, dtype: Any) -> TensorVariable:
    return cast(value, dtype) if isinstance(value, Variable) else as_variable(value, dtype)


def full(shape: Shape, fill_value: Tensor, dtype: Any = None) -> TensorVariable:
    """A tensor of one value.

    Parameters
    ----------
    shape : sequence of int and integer scalars
        Its sizes.
    fill_value : scalar
        The value.
    dtype : dtype-like, optional
        By default that of the value.
    """
    value = as_variable(fill_value)
    if value.ndim:
        raise ValueError(f"the value to fill with must be a scalar, and {value!r} is not")
    return apply("full", (), value if dtype is None else cast(value, dtype), *sizes_of(shape))


def zeros(shape: Shape, dtype: Any = "float64") -> TensorVariable:
    """A tensor of zeros."""
    return full(shape, as_variable(0, dtype))


def ones(shape: Shape, dtype: Any = "float64") -> TensorVariable:
    """A tensor of ones."""
    return full(shape, as_variable(1, dtype))


def full_like(x: Tensor, fill_value: Tensor, dtype: Any = None) -> TensorVariable:
    """A tensor of one value, with the shape of `x` and, unless given, its dtype."""
    like = as_variable(x)
    return full(like.shape, fill_value, like.type.dtype if dtype is None else dtype)


def zeros_like(x: Tensor, dtype: Any = None) -> TensorVariable:
    """Zeros, with the shape and the dtype of `x`."""
    return full_like(x, 0, dtype)


def ones_like(x: Tensor, dtype: Any = None) -> TensorVariable:
    """Ones, with the shape and the dtype of `x`."""
    return full_like(x, 1, dtype)


def eye(n: Any, m: Any = None, k: Any = 0, dtype: Any = "float64") -> TensorVariable:
    """A matrix with ones on a diagonal, and else zeros.

    Parameters
    ----------
    n, m : int or integer scalar
        How many rows and columns; without `m`, as many columns as rows.
    k : int or integer scalar
        Which diagonal: 0 the main one, above it positive.
    """
    rows = expand_dims(arange(n, dtype="int64"), 1)
    columns = expand_dims(arange(n if m is None else m, dtype="int64"), 0)
    return cast(eq(rows + k, columns), dtype)


def identity(n: Any, dtype: Any = "float64") -> TensorVariable:
    """A square matrix with ones on the diagonal, and else zeros."""
    return eye(n, dtype=dtype)
