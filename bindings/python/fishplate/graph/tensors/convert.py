"""Converts values to variables.

Purpose: arrays, numbers and lists as arguments along with variables, in every function of this
package.
Invariant: a constant has a copy of the value, and never changes.
Reason: the accepted values are defined at one place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, cast

from ..core.nodes import Variable
from .dtypes import name_of
from .type import TensorType, plain_array, type_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from .variable import TensorVariable

    #: A value that is converted to a tensor: a variable, an array, a number, or lists.
    Tensor: TypeAlias = Variable | ArrayLike


def as_variable(value: Any, dtype: Any = None, name: str | None = None) -> TensorVariable:
    """`value` as a tensor variable.

    Parameters
    ----------
    value : Variable, array, number or lists
        A variable is returned unchanged; anything else becomes a constant.
    dtype : dtype-like, optional
        The dtype of a constant; by default NumPy's for the value.
    name : str, optional
        The name of a constant.
    """
    if isinstance(value, Variable):
        if not isinstance(value.type, TensorType):
            raise TypeError(f"{value!r} is of type {value.type}, which is not a tensor")
        return cast("TensorVariable", value)
    if isinstance(value, (list, tuple)) and _has_variables(value):
        from .shaping import stack

        return stack([as_variable(item) for item in value])
    if dtype is None:
        kind = type_of(value)
        data = plain_array(value)
    else:
        data = plain_array(value, dtype)  # Python's numbers must fit
        kind = TensorType.of(name_of(dtype), data.shape)
    return cast("TensorVariable", kind.make_constant(data, name))


def constant(value: Any, name: str | None = None, dtype: Any = None) -> TensorVariable:
    """A tensor whose value is known.

    Parameters
    ----------
    value : array, number or lists
        The value, which is copied.
    name : str, optional
        For display.
    dtype : dtype-like, optional
        By default NumPy's for the value.
    """
    if isinstance(value, Variable):
        raise TypeError(f"a constant has a value, not the variable {value!r}")
    return as_variable(value, dtype, name)


def _has_variables(items: Any) -> bool:
    return any(
        _has_variables(item) if isinstance(item, (list, tuple)) else isinstance(item, Variable)
        for item in items
    )
