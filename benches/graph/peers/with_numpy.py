"""NumPy: the reference for all results. On Python's floats it is Python itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from expressions import Expressions

EXPRESSIONS = Expressions(np)


def function(name: str) -> Callable[..., Any]:
    if name == "descent":
        return EXPRESSIONS.stepping(EXPRESSIONS.step)
    own: Callable[..., Any] = getattr(EXPRESSIONS, name)
    return own
