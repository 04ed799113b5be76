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
from .shaping import expand_dims, moveaxis, ravel, size_variable, squeeze, transpose

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


def _basic(x: TensorVariable, items: list[Any]) -> TensorVariable:
    """Integers, slices, None and Ellipsis."""
    items = _filled(x, items)
    spec, scalars = _specify([item for item in items if item is not None])
    new, place = [], 0
    for item in items:
        if item is None:
            new.append(place)
        if item is None or isinstance(item, slice):
            place += 1
    # An index of everything is a slice too: `set_subtensor` has to find its tensor.
    result = apply("slice", tuple(spec), x, *scalars) if x.ndim else x
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
    rest = _basic(x, items)
    axis = sum(item is None or isinstance(item, slice) for item in items[:place])
    result = _along(rest, array, axis)
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
    variable = as_variable(x)
    if axis is None:
        variable, axis = ravel(variable), 0
    (place,) = axes_of(axis, variable.ndim)
    return _along(_basic(variable, [Ellipsis]), indices, place)


def _along(x: TensorVariable, indices: Tensor, axis: int) -> TensorVariable:
    """The elements of a slice at these positions along an axis."""
    positions = as_variable(indices)
    if positions.type.numpy_dtype.kind not in "iu":
        raise TypeError(f"positions must be integers, not {positions!r}")
    return apply("take", (axis,), x, cast(positions, "int64"))


def set_subtensor(part: TensorVariable, value: Tensor) -> TensorVariable:
    """The tensor of which `part` is a part, with `value` in its place.

    Parameters
    ----------
    part : TensorVariable
        `x[index]` or `take(x, indices, axis)`.
    value : tensor
        The new value; it broadcasts, and is cast to the dtype of `x`. Of an index that occurs
        twice, the last value remains.
    """
    return _replaced(part, as_variable(value), "set")


def inc_subtensor(part: TensorVariable, value: Tensor) -> TensorVariable:
    """The tensor of which `part` is a part, with `value` added there.

    An index that occurs twice is increased twice, as by `numpy.add.at`. The parameters are those of
    `set_subtensor`.
    """
    given = as_variable(value)
    # As NumPy's x[index] += value: the sum must cast to the dtype of x.
    wanted = add(part, given).type.numpy_dtype
    if not np.can_cast(wanted, part.type.numpy_dtype, "same_kind"):
        raise TypeError(f"{given!r} cannot be added to {part!r}: the sum is of {wanted}")
    return _replaced(part, given, "inc")


def _replaced(part: TensorVariable, value: TensorVariable, mode: str) -> TensorVariable:
    """The tensor of a part with a new value. The ops of an index are undone from the last one."""
    name, params, x, others = _taken_apart(part)
    if name == "expand":
        # `x[None, 1:]`: the value has the new axes too, of size 1, except for leading ones.
        lacks = part.ndim - value.ndim
        new = [axis - lacks for axis in params if axis >= lacks]
        value = squeeze(value, new) if new else value
        is_part = _taken_apart(x)[0] in _PARTS
        return _replaced(x if is_part else _basic(x, [Ellipsis]), value, mode)
    if name == "transpose" and _taken_apart(x)[0] == "take":
        # An index of integers and an array: the axes of the array come first.
        value = expand_dims(value, list(range(part.ndim - value.ndim)))
        return _replaced(x, transpose(value, np.argsort(params).tolist()), mode)
    if name not in _PARTS:
        raise TypeError(f"wanted x[index] or take(x, indices), got {part!r}")
    if value.ndim > part.ndim:  # first axes of size 1 may be too many, and no others
        value = squeeze(value, tuple(range(value.ndim - part.ndim)))
    value = cast(value, x.type.dtype)
    if name == "slice":
        return apply("set_slice", (*params, mode), x, value, *others)
    if name == "mask":
        return apply("put", (0, mode), x, value, *others)
    # The array is an index of the part that the rest of the index selects, often of everything.
    rest, spec, origin, _ = _taken_apart(x)
    if rest == "slice" and all(entry == _ALL for entry in spec):
        return apply("put", (*params, mode), origin, value, *others)
    return _replaced(x, apply("put", (*params, mode), x, value, *others), "set")


#: The ops that select elements.
_PARTS = ("slice", "take", "mask")


def _taken_apart(
    part: TensorVariable,
) -> tuple[str, tuple[Any, ...], TensorVariable, list[TensorVariable]]:
    """The built-in op that computes a part: its name, parameters, first input, other inputs."""
    node = part.owner
    if node is None or not isinstance(node.op, Builtin):
        return "", (), part, []
    first, *rest = (as_variable(variable) for variable in node.inputs)
    return node.op.name, node.op.params, first, rest
