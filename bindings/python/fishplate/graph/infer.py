"""The types of the results of built-in ops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

Kind = tuple[str, tuple[int | None, ...]]


def infer(name: str, params: tuple[Any, ...], types: Sequence[Kind]) -> list[Kind]:
    """The types of the outputs of an op for inputs of these types."""
    from .perform import compute

    if name == "map":
        shape = _broadcast([s for _, s in types])
        ones = [np.ones((), d) for d, _ in types]
        return [(np.asarray(compute(name, params, ones)).dtype.name, shape)]
    if name in ("full", "broadcast_to", "reshape"):
        return [(types[0][0], (None,) * (len(types) - 1))]
    if name == "arange":
        return [(params[0], (None,))]
    found: list[Kind] = []
    for size in (2, 3):
        arrays = [np.ones([size if n is None else n for n in s], d) for d, s in types]
        if name == "take":
            arrays[1][...] = 0
        if name in ("slice", "set_slice"):
            for a in arrays[1:]:
                a[...] = 0
        out = np.asarray(compute(name, params, arrays))
        found.append((out.dtype.name, out.shape))
    if name == "slice":
        stays = [e for e in params if e[0] == "s"]
        kept = [types[0][1][k] for k, e in enumerate(params) if e[0] == "s"]
        full = [e[1:] == (False, False, 1) or e[1:] == (False, False, -1) for e in stays]
        return [(types[0][0], tuple(n if f else None for n, f in zip(kept, full, strict=True)))]
    if name == "mask":
        return [(types[0][0], (None,))]
    (dtype, a), (_, b) = found
    return [(dtype, tuple(m if m == n else None for m, n in zip(a, b, strict=True)))]


def _broadcast(shapes: Sequence[tuple[int | None, ...]]) -> tuple[int | None, ...]:
    ndim = max(map(len, shapes))
    out: list[int | None] = [1] * ndim
    for shape in shapes:
        for axis, size in enumerate(shape, ndim - len(shape)):
            known = out[axis]
            if known == 1:
                out[axis] = size
            elif size is not None and size != 1:
                if known not in (None, size):
                    raise ValueError(f"shapes do not broadcast: {' and '.join(map(str, shapes))}")
                out[axis] = size
    return tuple(out)
