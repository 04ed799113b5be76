"""Values to variables.

Purpose: arrays, numbers and lists beside variables, in every function of this package.
Invariant: what a variable is made of is copied; the constant never changes.
Reason: one place says what a tensor may be given as.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, cast

from ..core.nodes import Variable
from .type import TensorType, plain_array, type_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from .variable import TensorVariable

    #: What stands for a tensor: a variable, an array, a number, or lists.
    Tensor: TypeAlias = Variable | ArrayLike


def as_variable(value: Any, dtype: Any = None, name: str | None = None) -> TensorVariable:
    """`value` as a tensor variable.

    Parameters
    ----------
    value : Variable, array, number or lists
        A variable comes back as it is; of anything else a constant is made.
    dtype : dtype-like, optional
        The dtype of a constant; by default what NumPy makes of the value.
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
        kind = TensorType(dtype, data.shape)
    return cast("TensorVariable", kind.make_constant(data, name))


def constant(value: Any, name: str | None = None, dtype: Any = None) -> TensorVariable:
    """A tensor whose value is known.

    Parameters
    ----------
    value : array, number or lists
        The value, which is copied.
    name : str, optional
        For people.
    dtype : dtype-like, optional
        By default what NumPy makes of the value.
    """
    if isinstance(value, Variable):
        raise TypeError(f"a constant has a value, not the variable {value!r}")
    return as_variable(value, dtype, name)


def _has_variables(items: Any) -> bool:
    return any(
        _has_variables(item) if isinstance(item, (list, tuple)) else isinstance(item, Variable)
        for item in items
    )
