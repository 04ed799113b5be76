"""Containers that are not arrays, over the memory of an array, as other libraries pass them."""

from __future__ import annotations

from random import Random

import numpy as np


class Container:
    """Something that keeps its numbers in an array."""

    def __init__(self, values: np.ndarray) -> None:
        self.values = values


class ArrayLike(Container):
    """One that NumPy can make an array of."""

    def __array__(self, dtype: object = None, copy: object = None) -> np.ndarray:
        return self.values


class Told(ArrayLike):
    """One that reports its dtype and rank as well."""

    @property
    def dtype(self) -> np.dtype:
        return self.values.dtype

    @property
    def ndim(self) -> int:
        return self.values.ndim


class Interface(Container):
    """One that reports where its memory is."""

    @property
    def __array_interface__(self) -> dict[str, object]:
        # NumPy 2.4 forgets a reference to strides that are None.
        described = self.values.__array_interface__.items()
        return {name: value for name, value in described if value is not None}


class Struct(Container):
    """The same for C."""

    @property
    def __array_struct__(self) -> object:
        return self.values.__array_struct__


class Tensor(Container):
    """One that speaks DLPack alone."""

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.values.__dlpack_device__()

    def __dlpack__(self, **options: object) -> object:
        return self.values.__dlpack__(**options)  # type: ignore[arg-type]


def dress(r: Random, array: np.ndarray) -> object:
    """The array's memory in another container."""
    kinds = [memoryview, ArrayLike, Told, Interface, Struct]
    if array.dtype.isnative:
        kinds.append(Tensor)
    return r.choice(kinds)(array)  # type: ignore[arg-type, call-arg]


def plain(value: object) -> np.ndarray:
    """A value of a call or a result as an array."""
    return value.values if isinstance(value, Container) else np.asarray(value)
