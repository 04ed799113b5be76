"""Products of matrices.

Purpose: NumPy's products, and BLAS's by name.
Invariant: there is one op, `matmul`; everything else is composed.
Reason: rewrites find the calls of BLAS, in whatever form they were written.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .builtin import apply
from .convert import as_variable
from .dtypes import loop
from .elementwise import add, cast, multiply
from .reductions import _count, axes_of
from .shaping import expand_dims, reshape, transpose

if TYPE_CHECKING:
    from .convert import Tensor
    from .variable import TensorVariable


def matmul(a: Tensor, b: Tensor) -> TensorVariable:
    """The product of matrices, over leading axes that broadcast; of vectors the scalar product."""
    x, y = as_variable(a), as_variable(b)
    if x.ndim == 0 or y.ndim == 0:
        raise ValueError(f"matmul takes no scalars: {x!r}, {y!r}")
    left, right = loop("matmul", (x.type.dtype, y.type.dtype))
    return apply("matmul", (), cast(x, left), cast(y, right))


def dot(a: Tensor, b: Tensor) -> TensorVariable:
    """NumPy's dot: over the last axis of `a` and the last but one of `b`."""
    x, y = as_variable(a), as_variable(b)
    if x.ndim == 0 or y.ndim == 0:
        return multiply(x, y)
    if x.ndim <= 2 and y.ndim <= 2 or y.ndim == 1:
        return matmul(x, y)
    return tensordot(x, y, ([x.ndim - 1], [y.ndim - 2]))


def inner(a: Tensor, b: Tensor) -> TensorVariable:
    """Over the last axes of both."""
    x, y = as_variable(a), as_variable(b)
    if x.ndim == 0 or y.ndim == 0:
        return multiply(x, y)
    return tensordot(x, y, ([x.ndim - 1], [y.ndim - 1]))


def outer(a: Tensor, b: Tensor) -> TensorVariable:
    """Every element of `a` times every element of `b`."""
    x, y = reshape(a, -1), reshape(b, -1)
    return multiply(expand_dims(x, 1), expand_dims(y, 0))


def tensordot(a: Tensor, b: Tensor, axes: Any = 2) -> TensorVariable:
    """The sum of products over axes of both.

    Parameters
    ----------
    a, b : tensor
        The factors.
    axes : int or pair of sequences of int
        The axes of `a` and those of `b`; an int: this many last ones of `a` and first ones of `b`.
    """
    x, y = as_variable(a), as_variable(b)
    if isinstance(axes, (int, np.integer)):
        over_x: Sequence[int] = range(x.ndim - int(axes), x.ndim)
        over_y: Sequence[int] = range(int(axes))
    else:
        over_x, over_y = ([k] if isinstance(k, int) else list(k) for k in axes)
    over_x = [axes_of(k, x.ndim)[0] for k in over_x]
    over_y = [axes_of(k, y.ndim)[0] for k in over_y]
    if len(over_x) != len(over_y):
        raise ValueError(f"{len(over_x)} axes of a and {len(over_y)} of b do not match")
    keep_x = [k for k in range(x.ndim) if k not in over_x]
    keep_y = [k for k in range(y.ndim) if k not in over_y]
    for i, j in zip(over_x, over_y, strict=True):
        m, n = x.type.shape[i], y.type.shape[j]
        if m is not None and n is not None and m != n:
            raise ValueError(f"axis {i} of a is {m}, but axis {j} of b is {n}")
    left = _matrix(transpose(x, [*keep_x, *over_x]), len(keep_x))
    right = _matrix(transpose(y, [*over_y, *keep_y]), len(over_y))
    sizes = [*(x.shape[k] for k in keep_x), *(y.shape[k] for k in keep_y)]
    return reshape(matmul(left, right), sizes)


def _matrix(x: TensorVariable, rows: int) -> TensorVariable:
    """`x` with its first `rows` axes merged, and the others."""
    if x.ndim == 2 and rows == 1:
        return x
    return reshape(x, [_count(x, range(rows)), _count(x, range(rows, x.ndim))])


def gemv(alpha: Tensor, a: Tensor, x: Tensor, beta: Tensor, y: Tensor) -> TensorVariable:
    """`alpha * a @ x + beta * y`, of a matrix and vectors."""
    return add(multiply(alpha, matmul(a, x)), multiply(beta, y))


def gemm(alpha: Tensor, a: Tensor, b: Tensor, beta: Tensor, c: Tensor) -> TensorVariable:
    """`alpha * a @ b + beta * c`, of matrices."""
    return add(multiply(alpha, matmul(a, b)), multiply(beta, c))
