"""Indexing.

Purpose: `x[...]` as in NumPy, and its inverse, a tensor with a part replaced.
Invariant: integers and slices are one op, `slice`; an array of integers is `take`, one of bools
`mask`.
Reason: the effect of an index is determined when the graph is created; only numbers remain for the
call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.nodes import Variable
from .builtin import Builtin, apply
from .convert import as_variable
from .elementwise import add, cast
from .reductions import axes_of
from .shaping import expand_dims, moveaxis, ravel, size_variable, squeeze

if TYPE_CHECKING:
    from .convert import Tensor
    from .variable import TensorVariable

Entry = tuple[Any, ...]
_ALL: Entry = ("s", False, False, 1)


def getitem(x: TensorVariable, index: Any) -> TensorVariable:
    """`x[index]`.

    Integers, slices, None and Ellipsis can be combined; there can be one array of integers among
    them, or instead of them one mask.
    """
    items = list(index) if isinstance(index, tuple) else [index]
    arrays = [place for place, item in enumerate(items) if _is_array(item)]
    if not arrays:
        return _basic(x, items)
    if len(arrays) > 1:
        raise NotImplementedError(
            f"{x!r} is indexed by {len(arrays)} arrays; there can be one in an index"
        )
    array = as_variable(items[arrays[0]])
    if array.type.dtype == "bool":
        return _masked(x, items, arrays[0], array)
    if array.type.numpy_dtype.kind not in "iu":
        if array.type.shape != (0,):
            raise IndexError(f"an index must be integers or bools, not {array!r}")
        array = cast(array, "int64")
    return _taken(x, items, arrays[0], array)


def _is_array(item: Any) -> bool:
    if isinstance(item, Variable):
        return as_variable(item).ndim > 0 or as_variable(item).type.dtype == "bool"
    return isinstance(item, (list, bool, np.bool_)) or (
        isinstance(item, np.ndarray) and (item.ndim > 0 or item.dtype == bool)
    )


def _basic(x: TensorVariable, items: list[Any], part: bool = False) -> TensorVariable:
    """Integers, slices, None and Ellipsis; `part`: for an index with further entries."""
    items = _filled(x, items)
    spec, scalars = _specify([item for item in items if item is not None])
    whole = all(entry == _ALL for entry in spec)
    new, place = [], 0
    for item in items:
        if item is None:
            new.append(place)
        if item is None or isinstance(item, slice):
            place += 1
    # An index of everything is a slice too if it is requested: `set_subtensor` has to find its
    # tensor.
    result = (
        x if whole and (new or part or not x.ndim) else apply("slice", tuple(spec), x, *scalars)
    )
    return expand_dims(result, new) if new else result


def _filled(x: TensorVariable, items: list[Any]) -> list[Any]:
    """An index with a slice in place of the Ellipsis, and for each axis without an entry."""
    dots = [place for place, item in enumerate(items) if item is Ellipsis]
    if len(dots) > 1:
        raise IndexError("an index can have one Ellipsis only")
    named = sum(item is not None and item is not Ellipsis for item in items)
    if named > x.ndim:
        raise IndexError(f"{named} indices for {x!r}, which has {x.ndim} dimensions")
    rest = [slice(None)] * (x.ndim - named)
    place = dots[0] if dots else len(items)
    return [*items[:place], *rest, *items[place + 1 :]]


def _specify(items: list[Any]) -> tuple[list[Entry], list[TensorVariable]]:
    """The entries of a `slice` op, and its numbers."""
    spec: list[Entry] = []
    scalars: list[TensorVariable] = []
    for item in items:
        if not isinstance(item, slice):
            spec.append(("i",))
            scalars.append(_integer(item))
            continue
        bounds = [item.start is not None, item.stop is not None]
        spec.append(("s", *bounds, _step(item.step)))
        scalars.extend(_integer(b) for b in (item.start, item.stop) if b is not None)
    return spec, scalars


def _integer(item: Any) -> TensorVariable:
    try:
        return size_variable(item)
    except TypeError as error:
        raise IndexError(
            f"an index is an integer, a slice, None, ... or an array: {error}"
        ) from error


def _step(step: Any) -> int:
    if step is None:
        return 1
    if isinstance(step, Variable):
        raise TypeError(f"the step of a slice must be an int, not the variable {step!r}")
    if int(step.__index__()) == 0:
        raise ValueError("the step of a slice cannot be zero")
    return int(step.__index__())


def _taken(
    x: TensorVariable, items: list[Any], place: int, array: TensorVariable
) -> TensorVariable:
    """An array of integers among integers and slices."""
    items = [slice(None) if position == place else item for position, item in enumerate(items)]
    if Ellipsis in [item for item in items if not isinstance(item, Variable)]:
        dots = next(p for p, item in enumerate(items) if item is Ellipsis)
        place += (x.ndim - sum(i is not None and i is not Ellipsis for i in items) - 1) * (
            dots < place
        )
    items = _filled(x, items)
    rest = _basic(x, items, part=True)
    axis = sum(item is None or isinstance(item, slice) for item in items[:place])
    result = take(rest, array, axis)
    # Integers count as arrays: with something between them, the new axes come first.
    advanced = [p for p, item in enumerate(items) if p == place or _is_integer(item)]
    if advanced != list(range(advanced[0], advanced[-1] + 1)):
        return moveaxis(result, list(range(axis, axis + array.ndim)), list(range(array.ndim)))
    return result


def _is_integer(item: Any) -> bool:
    return item is not None and not isinstance(item, slice)


def _masked(
    x: TensorVariable, items: list[Any], place: int, array: TensorVariable
) -> TensorVariable:
    others = [
        i for p, i in enumerate(items) if p != place and i is not Ellipsis and i != slice(None)
    ]
    if others or place != 0:
        raise NotImplementedError(f"a mask must be the only index of {x!r}")
    return apply("mask", (), x, array)


def take(x: Tensor, indices: Tensor, axis: int | None = None) -> TensorVariable:
    """The elements at these positions along an axis; None: in the flattened tensor."""
    variable, positions = as_variable(x), as_variable(indices)
    if positions.type.numpy_dtype.kind not in "iu":
        raise TypeError(f"positions must be integers, not {positions!r}")
    if axis is None:
        variable, axis = ravel(variable), 0
    (place,) = axes_of(axis, variable.ndim)
    return apply("take", (place,), variable, cast(positions, "int64"))


def set_subtensor(part: TensorVariable, value: Tensor) -> TensorVariable:
    """The tensor of which `part` is a part, with `value` in its place.

    Parameters
    ----------
    part : TensorVariable
        `x[index]`, with integers and slices.
    value : tensor
        The new value; it broadcasts, and is cast to the dtype of `x`.
    """
    return _replaced(part, value, "set")


def inc_subtensor(part: TensorVariable, value: Tensor) -> TensorVariable:
    """The tensor of which `part` is a part, with `value` added there.

    The parameters are those of `set_subtensor`.
    """
    return _replaced(part, value, "inc")


def _replaced(part: TensorVariable, value: Tensor, mode: str) -> TensorVariable:
    given = as_variable(value)
    node = part.owner
    if node is not None and isinstance(node.op, Builtin) and node.op.name == "expand":
        # `x[None, 1:]`: the value has the new axes too, of size 1, except for leading ones.
        lacks = part.ndim - given.ndim
        new = [axis - lacks for axis in node.op.params if axis >= lacks]
        given = squeeze(given, new) if new else given
        part = as_variable(node.inputs[0])
        node = part.owner
        if node is None or not isinstance(node.op, Builtin) or node.op.name != "slice":
            part = _basic(part, [Ellipsis])  # of everything
            node = part.owner
    if node is None or not isinstance(node.op, Builtin) or node.op.name != "slice":
        raise TypeError(
            f"wanted x[index], with integers, slices, None and ..., got {part!r}; a part that an "
            "array or a mask names cannot be replaced: compute it with where(mask, value, x)"
        )
    x, *scalars = (as_variable(variable) for variable in node.inputs)
    # As NumPy's x[index] += value: the sum must cast to the dtype of x.
    if mode == "inc":
        wanted = add(part, given).type.numpy_dtype
        if not np.can_cast(wanted, x.type.numpy_dtype, "same_kind"):
            raise TypeError(f"{given!r} cannot be added to {x!r}: the sum is of {wanted}")
    if given.ndim > part.ndim:  # first axes of size 1 may be too many, and no others
        given = squeeze(given, tuple(range(given.ndim - part.ndim)))
    params = (*node.op.params, mode)
    return apply("set_slice", params, x, cast(given, x.type.dtype), *scalars)
