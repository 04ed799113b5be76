"""Equality by properties.

Purpose: a class that names its properties in `__props__` is compared, hashed and shown by them.
Invariant: without `__props__` objects are compared by identity; a class's own `__eq__`, `__hash__`
and `__str__` are not replaced.
Reason: equal ops on equal inputs are one node, also in the cache.
"""

from __future__ import annotations

from typing import Any


class HasProps:
    """The base of classes with `__props__`."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        own = cls.__dict__
        props = own.get("__props__")
        if props is None:
            return
        if not isinstance(props, tuple) or not all(isinstance(prop, str) for prop in props):
            raise TypeError(f"{cls.__qualname__}.__props__ must be a tuple of str")
        methods: dict[str, Any] = {}
        if "__eq__" not in own:
            methods["__eq__"] = _equal
            methods["__hash__"] = own.get("__hash__", _hash)
        if cls.__str__ is HasProps.__str__:
            methods["__str__"] = _show
        for name, method in methods.items():
            setattr(cls, name, method)

    def __str__(self) -> str:
        return type(self).__name__


def _values(owner: Any) -> tuple[Any, ...]:
    return tuple(getattr(owner, prop) for prop in owner.__props__)


def _equal(self: Any, other: object) -> bool:
    return type(self) is type(other) and _values(self) == _values(other)


def _hash(self: Any) -> int:
    return hash((type(self), _values(self)))


def _show(self: Any) -> str:
    name = type(self).__name__
    values = ", ".join(f"{prop}={getattr(self, prop)}" for prop in self.__props__)
    return f"{name}{{{values}}}" if values else name
