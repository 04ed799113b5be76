"""Equality by properties.

Purpose: a class that names its properties in `__props__` is compared, hashed and shown by them.
Invariant: without `__props__` objects are compared by identity; a class's own `__eq__`, `__hash__`
and `__str__` are left alone.
Reason: equal ops on equal inputs are one node, and the cache needs to know it too.
"""

from __future__ import annotations

from typing import Any


class HasProps:
    """The base of what can have `__props__`."""

    def _props(self) -> tuple[Any, ...]:
        return tuple(getattr(self, prop) for prop in getattr(self, "__props__", ()))

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        props = cls.__dict__.get("__props__")
        if props is None:
            return
        if not isinstance(props, tuple) or not all(isinstance(prop, str) for prop in props):
            raise TypeError(f"{cls.__qualname__}.__props__ must be a tuple of str")
        # A class that defines __eq__ has __hash__ = None in its own namespace.
        own = cls.__dict__
        if "__eq__" not in own:
            cls.__eq__ = _equal  # type: ignore[method-assign]
            if own.get("__hash__") is None:
                cls.__hash__ = _hash  # type: ignore[method-assign]
        if "__str__" not in own and cls.__str__ is HasProps.__str__:
            cls.__str__ = _show  # type: ignore[method-assign]

    def __str__(self) -> str:
        return type(self).__name__


def _equal(self: HasProps, other: object) -> bool:
    return type(self) is type(other) and self._props() == other._props()  # type: ignore[attr-defined]


def _hash(self: HasProps) -> int:
    return hash((type(self), self._props()))


def _show(self: HasProps) -> str:
    name = type(self).__name__
    props = getattr(self, "__props__", ())
    if not props:
        return name
    return f"{name}{{{', '.join(f'{prop}={getattr(self, prop)}' for prop in props)}}}"
