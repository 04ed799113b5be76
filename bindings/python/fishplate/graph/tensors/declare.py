"""Variables of the built-in type.

Purpose: inputs of graphs.
Invariant: a size is unknown unless it is specified.
Reason: short names for common declarations.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from .type import TensorType

if TYPE_CHECKING:
    from .variable import TensorVariable


def tensor(
    name: str | None = None, dtype: Any = "float64", shape: Sequence[int | None] = ()
) -> TensorVariable:
    """A variable for arrays.

    Parameters
    ----------
    name : str, optional
        Its name, which is its keyword too.
    dtype : dtype-like
        The type of an element.
    shape : sequence of int or None
        For each axis its size, or None if it is unknown before the call.
    """
    return cast("TensorVariable", TensorType(dtype, shape)(name))


def scalar(name: str | None = None, dtype: Any = "float64") -> TensorVariable:
    """A variable for numbers."""
    return tensor(name, dtype)


def vector(
    name: str | None = None, dtype: Any = "float64", shape: Sequence[int | None] = (None,)
) -> TensorVariable:
    """A variable for arrays of 1 dimension."""
    return _of_rank(1, name, dtype, shape)


def matrix(
    name: str | None = None, dtype: Any = "float64", shape: Sequence[int | None] = (None, None)
) -> TensorVariable:
    """A variable for arrays of 2 dimensions."""
    return _of_rank(2, name, dtype, shape)


def row(name: str | None = None, dtype: Any = "float64") -> TensorVariable:
    """A variable for matrices of one row, which broadcasts over rows."""
    return tensor(name, dtype, (1, None))


def col(name: str | None = None, dtype: Any = "float64") -> TensorVariable:
    """A variable for matrices of one column, which broadcasts over columns."""
    return tensor(name, dtype, (None, 1))


def tensor3(
    name: str | None = None, dtype: Any = "float64", shape: Sequence[int | None] = (None,) * 3
) -> TensorVariable:
    """A variable for arrays of 3 dimensions."""
    return _of_rank(3, name, dtype, shape)


def tensor4(
    name: str | None = None, dtype: Any = "float64", shape: Sequence[int | None] = (None,) * 4
) -> TensorVariable:
    """A variable for arrays of 4 dimensions."""
    return _of_rank(4, name, dtype, shape)


def _of_rank(
    ndim: int, name: str | None, dtype: Any, shape: Sequence[int | None]
) -> TensorVariable:
    if len(shape) != ndim:
        raise ValueError(f"wanted {ndim} sizes, got {len(shape)}: {tuple(shape)}")
    return tensor(name, dtype, shape)
