"""Variables with a stored value.

Purpose: values that persist between calls, and that functions update.
Invariant: the value is in one cell; code that reads and writes it in one step holds the lock.
Reason: functions share the variable, and threads share the functions.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from fishplate import _native

from .core.nodes import Variable
from .core.type import Type
from .tensors.type import TensorType, type_of
from .tensors.variable import TensorVariable


class SharedVariable(Variable):
    """A variable that is not an argument: it has a stored value.

    Parameters
    ----------
    type : Type
        Its type.
    value : object
        Its initial value.
    name : str, optional
        For display.
    """

    def __init__(self, type: Type, value: Any, name: str | None = None) -> None:
        super().__init__(type, None, None, name)
        self.cell = _native.Cell(value)
        self.lock = threading.RLock()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, lock=threading.RLock())

    def get_value(self, borrow: bool = False) -> Any:
        """The value; a copy, unless `borrow`."""
        value = self.cell.value
        return value if borrow else self.type.copy_value(value)

    def set_value(self, value: Any, borrow: bool = False) -> None:
        """Sets the value: to a copy, unless `borrow`."""
        value = self.type.filter(value)
        if not borrow:
            value = self.type.copy_value(value)
        with self.lock:
            self.cell.value = value


class TensorSharedVariable(TensorVariable, SharedVariable):
    """A shared tensor."""


def shared(
    value: Any, name: str | None = None, borrow: bool = False, *, type: Type | None = None
) -> SharedVariable:
    """A variable whose value persists between calls.

    Parameters
    ----------
    value : object
        An array, a number or lists of numbers; with `type` any value of that type.
    name : str, optional
        For display.
    borrow : bool
        Store `value` itself, and not a copy of it.
    type : Type, optional
        The type; by default the tensors of this dtype and rank.

    Returns
    -------
    SharedVariable
    """
    if isinstance(value, Variable):
        raise TypeError(f"a shared variable has a value, not the variable {value!r}")
    if type is None:
        try:
            found = type_of(value)
        except TypeError as error:
            raise TypeError(f"{error}: say of which type it is (type=)") from None
        type = TensorType(found.dtype, (None,) * found.ndim)
        if not isinstance(value, np.ndarray):
            borrow = False  # nothing to keep
    filtered = type.filter(value)
    if not borrow:
        filtered = type.copy_value(filtered)
    make = TensorSharedVariable if isinstance(type, TensorType) else SharedVariable
    return make(type, filtered, name)
