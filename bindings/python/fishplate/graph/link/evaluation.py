"""Constants that are computed when a graph is linked.

Purpose: the evaluator for the rewrite "fold".
Invariant: exactly the results of linker "perform".
Reason: a constant must not depend on where it was computed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..tensors.perform import compute

Value = tuple[str, Sequence[int], bytes]


def fold(name: str, params: tuple[object, ...], inputs: Sequence[Value]) -> list[Value] | None:
    """The output of a built-in op on constants; None if it fails."""
    arrays = [np.frombuffer(data, np.dtype(dtype)).reshape(shape) for dtype, shape, data in inputs]
    try:
        with np.errstate(all="ignore"):
            result = np.asarray(compute(name, params, arrays))
    except Exception:
        return None  # it fails when it is called, with the place
    return [(result.dtype.name, result.shape, result.tobytes())]
