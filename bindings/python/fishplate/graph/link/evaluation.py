"""Constants, computed when a graph is linked.

Purpose: what the rewrite "fold" asks.
Invariant: exactly what linker "perform" computes.
Reason: a constant must not depend on who computed it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..tensors.perform import compute

Value = tuple[str, Sequence[int], bytes]


def fold(name: str, params: tuple[object, ...], inputs: Sequence[Value]) -> list[Value] | None:
    """The output of a built-in op of constants; None where there is none."""
    arrays = [np.frombuffer(data, np.dtype(dtype)).reshape(shape) for dtype, shape, data in inputs]
    try:
        with np.errstate(all="ignore"):
            result = np.asarray(compute(name, params, arrays))
    except Exception:
        return None  # it fails when it is called, and says where
    return [(result.dtype.name, result.shape, result.tobytes())]
