"""Functions of shape.

Purpose: NumPy's rearrangements: axes, shapes, joins.
Invariant: axes are normalised here; sizes are int64 scalars, ints if they are known.
Reason: the ops themselves support no negative axes and no shorthands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ..core.nodes import Variable
from .builtin import apply
from .convert import as_variable
from .elementwise import cast, result_type
from .reductions import Axis, axes_of, reduced_axes

if TYPE_CHECKING:
    from .convert import Tensor
    from .variable import TensorVariable

#: Sizes: ints and integer scalars.
Shape: TypeAlias = Any


def size_variable(value: Any) -> TensorVariable:
    """A size or an index as an int64 scalar."""
    if not isinstance(value, Variable):
        try:
            value = value.__index__()
        except (AttributeError, TypeError):
            raise TypeError(f"wanted an integer, got {type(value).__name__}") from None
        return as_variable(value, "int64")
    variable = as_variable(value)
    if variable.ndim or variable.type.numpy_dtype.kind not in "iu":
        raise TypeError(f"wanted an integer, got {variable!r}")
    return cast(variable, "int64")


def sizes_of(shape: Shape) -> list[TensorVariable]:
    """A shape as int64 scalars."""
    if isinstance(shape, Variable):
        variable = as_variable(shape)
        if variable.ndim == 0:
            return [size_variable(variable)]
        count = variable.type.shape[0]
        if variable.ndim != 1 or count is None:
            raise TypeError(f"a shape must have a known number of sizes, and {variable!r} has not")
        return [size_variable(variable[index]) for index in range(count)]
    if hasattr(shape, "__index__") and not isinstance(shape, np.ndarray):
        return [size_variable(shape)]
    return [size_variable(one) for one in shape]


def transpose(x: Tensor, axes: Sequence[int] | None = None) -> TensorVariable:
    """`x` with its axes in another order; None: reversed."""
    variable = as_variable(x)
    ndim = variable.ndim
    if axes is None:
        order = tuple(reversed(range(ndim)))
    else:
        if axes_of(axes, ndim) != tuple(range(ndim)):
            raise ValueError(f"axes {tuple(axes)} must name each of {ndim} dimensions once")
        order = tuple(int(axis) % ndim for axis in axes)
    return variable if order == tuple(range(ndim)) else apply("transpose", order, variable)


def swapaxes(x: Tensor, axis1: int, axis2: int) -> TensorVariable:
    """`x` with two axes exchanged."""
    variable = as_variable(x)
    order = list(range(variable.ndim))
    (a,), (b,) = axes_of(axis1, variable.ndim), axes_of(axis2, variable.ndim)
    order[a], order[b] = b, a
    return transpose(variable, order)


def moveaxis(
    x: Tensor, source: int | Sequence[int], destination: int | Sequence[int]
) -> TensorVariable:
    """`x` with axes moved to other places; the others keep their order."""
    variable = as_variable(x)
    ndim = variable.ndim
    sources = [axes_of(s, ndim)[0] for s in _listed(source)]
    targets = [axes_of(t, ndim)[0] for t in _listed(destination)]
    if len(sources) != len(targets):
        raise ValueError(f"{len(sources)} axes cannot be moved to {len(targets)} places")
    order = [axis for axis in range(ndim) if axis not in sources]
    for target, axis in sorted(zip(targets, sources, strict=True)):
        order.insert(target, axis)
    return transpose(variable, order)


def _listed(axes: int | Sequence[int]) -> list[int]:
    return list(axes) if isinstance(axes, (tuple, list)) else [axes]  # type: ignore[list-item]


def expand_dims(x: Tensor, axis: int | Sequence[int]) -> TensorVariable:
    """`x` with new axes of size 1, at these places of the result."""
    variable = as_variable(x)
    axes = axes_of(axis, variable.ndim + len(_listed(axis)))
    return apply("expand", axes, variable) if axes else variable


def squeeze(x: Tensor, axis: Axis = None) -> TensorVariable:
    """`x` without these axes, of size 1; None: without all of size 1, which must be known."""
    variable = as_variable(x)
    if axis is None:
        unknown = [i for i, n in enumerate(variable.type.shape) if n is None]
        if unknown:
            raise ValueError(
                f"squeeze: whether axis {unknown[0]} of {variable!r} has size 1 is not known when "
                "the graph is made, and so not how many dimensions the result has; name the axes, "
                f"axis={unknown[0]}, or make the variable with the shape"
            )
        axes = tuple(i for i, n in enumerate(variable.type.shape) if n == 1)
    elif variable.ndim == 0:
        axes = reduced_axes(axis, 0)
    else:
        axes = axes_of(axis, variable.ndim)
    return apply("squeeze", axes, variable) if axes else variable


def reshape(x: Tensor, *shape: Shape) -> TensorVariable:
    """The elements of `x`, in C order, in another shape; one size may be -1."""
    given = shape[0] if len(shape) == 1 else shape
    return apply("reshape", (), as_variable(x), *sizes_of(given))


def ravel(x: Tensor) -> TensorVariable:
    """The elements of `x` in C order, in 1 dimension."""
    variable = as_variable(x)
    return variable if variable.ndim == 1 else reshape(variable, -1)


def flatten(x: Tensor, ndim: int = 1) -> TensorVariable:
    """`x` with its last dimensions merged, so that the result has `ndim`."""
    variable = as_variable(x)
    if not 1 <= ndim <= np.maximum(variable.ndim, 1):
        raise ValueError(f"{variable.ndim} dimensions cannot be flattened to {ndim}")
    if variable.ndim == ndim:
        return variable
    return reshape(variable, [*variable.shape[: ndim - 1], -1])


def broadcast_to(x: Tensor, shape: Shape) -> TensorVariable:
    """`x`, repeated along axes of size 1 and new first axes."""
    return apply("broadcast_to", (), as_variable(x), *sizes_of(shape))


def atleast_1d(x: Tensor) -> TensorVariable:
    """`x`, of 1 dimension at least."""
    variable = as_variable(x)
    return expand_dims(variable, 0) if variable.ndim == 0 else variable


def atleast_2d(x: Tensor) -> TensorVariable:
    """`x`, of 2 dimensions at least; a vector becomes a row."""
    variable = atleast_1d(x)
    return expand_dims(variable, 0) if variable.ndim == 1 else variable


def concatenate(tensors: Sequence[Tensor], axis: int | None = 0) -> TensorVariable:
    """Tensors concatenated along an axis; None: all of them flattened."""
    variables = [as_variable(one) for one in tensors]
    if not variables:
        raise ValueError("nothing to concatenate")
    if axis is None:
        variables, axis = [ravel(one) for one in variables], 0
    ndim = variables[0].ndim
    if ndim == 0:
        raise ValueError("scalars cannot be concatenated, only stacked")
    if any(one.ndim != ndim for one in variables):
        raise ValueError(
            f"tensors to concatenate must have equally many dimensions: "
            f"{', '.join(map(repr, variables))}"
        )
    (place,) = axes_of(axis, ndim)
    dtype = result_type(*variables)
    return apply("join", (place,), *(cast(one, dtype) for one in variables))


def join(axis: int, *tensors: Tensor) -> TensorVariable:
    """Tensors concatenated along an axis."""
    return concatenate(tensors, axis)


def stack(tensors: Sequence[Tensor], axis: int = 0) -> TensorVariable:
    """Tensors of one shape stacked along a new axis."""
    variables = [as_variable(one) for one in tensors]
    if not variables:
        raise ValueError("nothing to stack")
    if any(one.ndim != variables[0].ndim for one in variables):
        raise ValueError(
            f"tensors to stack must have equally many dimensions: {', '.join(map(repr, variables))}"
        )
    if axis == 0 and all(one.ndim == 0 for one in variables):
        dtype = result_type(*variables)
        return apply("make_vector", (), *(cast(one, dtype) for one in variables))
    return concatenate([expand_dims(one, axis) for one in variables], axis)


def vstack(tensors: Sequence[Tensor]) -> TensorVariable:
    """Tensors stacked vertically."""
    return concatenate([atleast_2d(one) for one in tensors], 0)


def hstack(tensors: Sequence[Tensor]) -> TensorVariable:
    """Tensors stacked horizontally."""
    variables = [atleast_1d(one) for one in tensors]
    return concatenate(variables, 0 if variables and variables[0].ndim == 1 else 1)


def shape(x: Tensor) -> TensorVariable:
    """The shape as an int64 vector."""
    return apply("shape", (), as_variable(x))


def copy(x: Tensor) -> TensorVariable:
    """A copy with memory of its own."""
    return apply("deep_copy", (), as_variable(x))
