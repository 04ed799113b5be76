"""Types and ops that another process cannot import.

Purpose: functions of ops that are defined in a script or in a function pickle too.
Invariant: cloudpickle is used only if necessary, and only if it is installed.
Reason: a worker that receives a function has not run the script that defined its ops.
"""

from __future__ import annotations

import importlib.util
import pickle
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from .tensors.builtin import Builtin
from .tensors.type import TensorType


def needs_cloudpickle(things: Iterable[Any]) -> bool:
    """Whether another process cannot import some types or ops, or objects in them."""
    for thing in things:
        if isinstance(thing, (Builtin, TensorType)):
            continue
        if not _importable(type(thing)):
            return True
        try:
            pickle.dumps(thing)
        except (pickle.PicklingError, AttributeError, TypeError):
            return True
    return False


def _importable(kind: type) -> bool:
    if kind.__module__ == "__main__":
        return False
    found: Any = sys.modules.get(kind.__module__)
    for part in kind.__qualname__.split("."):
        found = getattr(found, part, None)
    return found is kind


def by_cloudpickle(state: Any, things: Sequence[Any]) -> bytes:
    """`state` as bytes that any process can load."""
    if importlib.util.find_spec("cloudpickle") is None:
        names = sorted({f"{type(t).__module__}.{type(t).__qualname__}" for t in things})
        raise pickle.PicklingError(
            "types or ops of this function cannot be imported by another process: "
            f"{', '.join(names)}. Define them in a module, or install cloudpickle"
        )
    import cloudpickle  # type: ignore[import-untyped]

    return bytes(cloudpickle.dumps(state))
