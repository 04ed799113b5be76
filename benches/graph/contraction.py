"""The gain of fused multiply-adds: each graph with `fp_contract=True` and without."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import fishplate.graph as g
import numpy as np
from expressions import Expressions, chain
from measure import Call, Effort, samples_of
from tables import Table, nanoseconds, ratio

TITLE = "Contraction: fp_contract=True and the default"


def horner(x: Any) -> Any:
    """A polynomial of degree 12."""
    value = x * 0 + 1.0
    for i in range(12):
        value = value * x + 1 / (i + 2)
    return value


CASES: list[tuple[str, Callable[..., Any], int, tuple[int, ...]]] = [
    ("x*x - y*y", lambda x, y: x * x - y * y, 2, (1_000, 100_000)),
    ("polynomial of degree 12", horner, 1, (1_000, 1_000_000)),
    ("20 cheap operations", chain, 2, (1_000, 1_000_000)),
    ("2*x*y + exp(-z**2)", Expressions(g).blend, 3, (1_000, 100_000)),
    ("sum((x - y)**2)", Expressions(g).sum_squares, 2, (1_000, 1_000_000)),
    ("complex x*y + x", lambda x, y: x * y + x, 2, (1_000,)),
]


def measure(effort: Effort) -> Table:
    """The table: nanoseconds of a call, and their ratio with contraction."""
    lines = []
    for title, expression, count, sizes in CASES:
        dtype = "complex128" if title.startswith("complex") else "float64"
        inputs = [g.vector(dtype=dtype) for _ in range(count)]
        calls = {
            name: g.function(inputs, expression(*inputs), fp_contract=name == "contracted")
            for name in ("default", "contracted")
        }
        for size in sizes:
            random = np.random.default_rng(0)
            arrays = tuple(random.random(size).astype(dtype) for _ in range(count))
            samples = samples_of({name: Call(f, arrays) for name, f in calls.items()}, effort)
            default, contracted = min(samples["default"]), min(samples["contracted"])
            lines.append(
                [
                    f"{title}, n = {size:,}",
                    nanoseconds(default),
                    nanoseconds(contracted),
                    ratio(default / contracted),
                ]
            )
    return Table(TITLE, ["", "default, ns", "contracted, ns", "gain"], lines)
