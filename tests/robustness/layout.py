"""Arrays of known values in any layout, in memory of their own whose every byte is watched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

import numpy as np
from spec import Arg

FORMS = ("exact", "fortran", "strided", "negative", "transposed", "offset", "mixed")


@dataclass
class Laid:
    """An array and the memory below it, so that a change anywhere can be seen."""

    array: np.ndarray
    memory: np.ndarray
    before: bytes

    def unchanged(self) -> bool:
        return self.memory.tobytes() == self.before

    def holds(self, values: np.ndarray) -> bool:
        """The elements are these, and the bytes between them are as they were."""
        expected = np.frombuffer(bytearray(self.before), np.uint8)
        base = self.memory.__array_interface__["data"][0]
        offset = self.array.__array_interface__["data"][0] - base
        view = np.ndarray(self.array.shape, self.array.dtype, expected, offset, self.array.strides)
        view[...] = values
        return self.memory.tobytes() == expected.tobytes()


def lay_out(
    r: Random,
    values: np.ndarray,
    form: str,
    *,
    swapped: bool = False,
    unaligned: bool = False,
    kind: Callable[[np.ndarray], np.ndarray] | None = None,
    core: int = 0,
    arg: Arg | None = None,
) -> Laid:
    """`values` in memory in the layout `form`, byte-swapped or misaligned if requested. In form
    "items", the last `core` dimensions have the layout that C expects for `arg`, others any."""
    dtype = values.dtype.newbyteorder() if swapped else values.dtype
    shape, size = values.shape, values.dtype.itemsize
    axes = list(range(len(shape)))
    order = {"fortran": axes, "transposed": axes[1:] + axes[:1]}.get(form, axes[::-1])
    if form == "mixed":
        order = r.sample(axes, len(axes))
    # Steps between neighbours of an axis, in elements of the axes below it.
    gaps = [1] * len(shape)
    if form in ("strided", "mixed") and axes:
        gaps = [r.choice([1, 2, 3]) for _ in axes]
        gaps[order[0]] = max(gaps[order[0]], 2)
    signs = [1] * len(shape)
    if form == "items" and arg is not None:
        first, last = axes[: len(axes) - core], axes[len(axes) - core :]
        order = (last if arg.fortran else last[::-1]) + r.sample(first, len(first))
        for axis in first:
            gaps[axis], signs[axis] = r.choice([1, 1, 2]), r.choice([1, 1, -1])
        for axis, step in zip(last, arg.strides, strict=False):
            # The stride of one element is meaningless.
            gaps[axis] = 1 if step is None or shape[axis] == 1 else r.choice([1, 2, 3])
    if form in ("negative", "mixed") and axes:
        signs = [r.choice([1, -1]) for _ in axes]
        signs[order[0]] = -1
    strides, step = [0] * len(shape), size
    for axis in order:
        strides[axis] = signs[axis] * step * gaps[axis]
        step *= gaps[axis] * max(shape[axis], 1)
    start = sum(-s * (n - 1) for s, n in zip(strides, shape, strict=True) if s < 0 and n > 0)
    shift = r.randint(1, size - 1) if unaligned and size > 1 else 0
    pad = size * 2 if form == "offset" else 0
    # NumPy's own memory is aligned to 16 bytes: the alignment of its elements is the requested one.
    memory = np.empty(max(step, size) + shift + pad, np.uint8)
    memory[...] = 0xA5
    array = np.ndarray(shape, dtype, memory, start + shift + pad, strides)
    array[...] = values
    if kind is not None:
        array = kind(array)
    return Laid(array, memory, memory.tobytes())


def random_values(r: Random, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """Values that distinguish elements, with the type's extremes now and then."""
    flat: list[bool] | list[int] | list[float]
    count = int(np.prod(shape, dtype=np.int64))
    if dtype.kind == "b":
        flat = [r.random() < 0.5 for _ in range(count)]
    elif dtype.kind in "iu":
        info = np.iinfo(dtype)
        flat = [
            r.choice([int(info.min), int(info.max)])
            if r.random() < 0.1
            else r.randint(max(int(info.min), -50), 50)
            for _ in range(count)
        ]
    else:
        flat = [r.randint(-200, 200) / 2 for _ in range(count)]
        if flat and r.random() < 0.2:
            flat[r.randrange(count)] = r.choice([np.nan, np.inf, -np.inf, 1e30, -0.0])
        if dtype.kind == "c":
            return np.array([complex(v, r.randint(-200, 200) / 2) for v in flat], dtype).reshape(
                shape
            )
    return np.array(flat, dtype).reshape(shape)
