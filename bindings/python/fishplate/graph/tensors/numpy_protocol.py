"""NumPy's own functions on variables.

Purpose: `numpy.exp(x)`, `array * x` and `numpy.concatenate([x, y])` create nodes.
Invariant: a function without a counterpart raises a TypeError.
Reason: code that is written for arrays can be called with variables.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import functions

# The methods of ufuncs over an axis, by ufunc, which have names.
_OVER_AXES = {
    "reduce": {
        "add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min",
        "logical_and": "all", "logical_or": "any",
    },
    "accumulate": {"add": "cumsum", "multiply": "cumprod"},
}  # fmt: skip

# NumPy's names where they differ from this package's.
_RENAMED = {"amax": "max", "amin": "min", "invert": "invert"}


def ufunc(which: np.ufunc, method: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """A ufunc that was called with a variable."""
    options = dict(kwargs)
    if method in _OVER_AXES:
        name = _OVER_AXES[method].get(which.__name__)
        # As in ufuncs, the default is the first axis.
        options.setdefault("axis", 0)
    else:
        name = which.__name__ if method == "__call__" else None
    for option in ("out", "where", "initial"):
        value = options.pop(option, None)
        if isinstance(value, tuple) and all(one is None for one in value):
            continue
        if value is not None and value is not True:
            raise TypeError(f"numpy.{which.__name__} of a variable takes no {option}=")
    found = _find(name)
    if found is None:
        raise TypeError(f"numpy.{which.__name__}.{method} has no counterpart for variables")
    dtype = options.pop("dtype", None)
    result = found(*args, **options)
    return result if dtype is None else result.astype(dtype)


def function(which: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """Another function of NumPy that was called with a variable."""
    found = _find(which.__name__)
    if found is None or which.__module__ not in ("numpy", "numpy.linalg"):
        raise TypeError(f"numpy.{which.__name__} has no counterpart for variables")
    return found(*args, **kwargs)


def _find(name: str | None) -> Any:
    name = _RENAMED.get(name or "", name)
    return getattr(functions, name) if name in functions.__all__ else None
