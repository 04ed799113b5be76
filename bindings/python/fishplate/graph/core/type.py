"""The base class of types.

Purpose: the values that a variable can have, and the conversion of arguments to such values.
Invariant: `filter` returns only valid values.
Reason: one small class to derive from; only `filter` has to be written.
"""

from __future__ import annotations

from typing import Any

from .nodes import Constant, Variable
from .props import HasProps
from .protocol import CType


class Type(HasProps, CType):
    """The set of values that a variable can have.

    A subclass defines `filter`, and the `c_` methods if C is to handle its values. Types are
    compared by identity, or by the attributes that `__props__` names.
    """

    def filter(self, data: Any, strict: bool = False, allow_downcast: bool | None = None) -> Any:
        """A valid value for `data`.

        Parameters
        ----------
        data : object
            The argument.
        strict : bool
            Accept only values that are valid already.
        allow_downcast : bool, optional
            Accept values that lose precision; None: only where that is usual.

        Raises
        ------
        TypeError
            If the argument cannot be converted.
        """
        raise NotImplementedError(f"{type(self).__qualname__} must define filter")

    def is_valid_value(self, data: Any) -> bool:
        """Whether `filter` accepts `data` unchanged."""
        try:
            self.filter(data, strict=True)
        except (TypeError, ValueError):
            return False
        return True

    def values_eq(self, a: Any, b: Any) -> bool:
        """Whether two valid values are equal."""
        return bool(a == b)

    def values_eq_approx(self, a: Any, b: Any) -> bool:
        """Whether two valid values are about equal."""
        return self.values_eq(a, b)

    def copy_value(self, value: Any) -> Any:
        """A value that shares no memory with `value`."""
        import copy

        return copy.deepcopy(value)

    def may_share_memory(self, a: Any, b: Any) -> bool:
        """Whether changing `a` could change `b`."""
        return a is b

    def make_variable(self, name: str | None = None) -> Variable:
        """A new variable of this type."""
        return Variable(self, None, None, name)

    def make_constant(self, value: Any, name: str | None = None) -> Constant:
        """A constant of this type."""
        return Constant(self, value, name)

    def filter_variable(self, other: Any, allow_convert: bool = True) -> Variable:
        """`other` as a variable of this type.

        Parameters
        ----------
        other : Variable or object
            A variable, or a value for a constant.
        allow_convert : bool
            Whether a variable of another type may be converted.
        """
        if not isinstance(other, Variable):
            return self.make_constant(other)
        if other.type == self:
            return other
        converted = self.convert_variable(other) if allow_convert else None
        if converted is None:
            raise TypeError(f"{other!r} is of type {other.type}, and must be of type {self}")
        return converted

    def convert_variable(self, variable: Variable) -> Variable | None:
        """`variable`, of another type, as one of this type; None if that is impossible."""
        return None

    def __call__(self, name: str | None = None) -> Variable:
        return self.make_variable(name)

    def __repr__(self) -> str:
        return str(self)
