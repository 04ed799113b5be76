"""The rows of the tables: each is a case, called with arguments of some size."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from expressions import FEATURES, TAPS

SIDE = 2000


@dataclass(frozen=True)
class Row:
    title: str
    case: str
    arguments: tuple[Any, ...]
    rtol: float = 1e-9
    # True for a function of single values, which is compared with NumPy's, not with C by hand.
    is_function: bool = False
    # Bytes read and bytes written, each once, if memory limits the speed of the row.
    traffic: tuple[int, int] | None = None


def shape_of(n: int) -> tuple[int, int]:
    """A matrix of so many items, wider than high."""
    height = round(math.sqrt(n / 1.6))
    while n % height:
        height -= 1
    return height, n // height


def _blend(random: Callable[..., Any]) -> Iterator[Row]:
    text = "2*x*y + exp(-z**2)"
    for n in (10, 10**3, 10**5, 10**7):
        traffic = (24 * n, 8 * n) if n >= 10**7 else None
        vectors = (random(n), random(n), random(n))
        yield Row(f"{text}, n = {n:,}", "blend", vectors, traffic=traffic)
    single = [random(10**5).astype(np.float32) for _ in range(3)]
    yield Row(f"{text}, float32, n = {10**5:,}", "blend_float", tuple(single), rtol=1e-5)
    for n in (10**3, 10**5, 10**7):
        every = [random(2 * n)[::2] for _ in range(3)]
        yield Row(f"the same, x[::2], n = {n:,}", "blend_strided", tuple(every))
    for n in (10**3, 10**5, 10**7):
        m, k = shape_of(n)
        x, z = random(m, k), random(m, k)
        yield Row(f"y a row, {m:,} by {k:,}", "blend_row", (x, random(k), z))
        yield Row(f"y a column, {m:,} by {k:,}", "blend_column", (x, random(m), z))


def _reductions(random: Callable[..., Any]) -> Iterator[Row]:
    for n in (10**3, 10**6):
        traffic = (16 * n, 0) if n >= 10**6 else None
        vectors = (random(n), random(n))
        yield Row(f"sum((x - y)**2), n = {n:,}", "sum_squares", vectors, traffic=traffic)
    matrix = (random(SIDE, SIDE),)
    size = f"{SIDE:,} by {SIDE:,}"
    traffic = (8 * SIDE * SIDE, 0)
    for name in ("mean", "max"):
        yield Row(f"{name} over axis 1, {size}", f"{name}_rows", matrix, traffic=traffic)
        yield Row(f"{name} over axis 0, {size}", f"{name}_columns", matrix, traffic=traffic)
    yield Row(f"softmax of rows, {size}", "softmax", matrix)


def _powers_and_axes(random: Callable[..., Any]) -> Iterator[Row]:
    n = 10**5
    for title, case in (("x**0.5", "root"), ("x**3", "cube"), ("x**-1.0", "inverse")):
        yield Row(f"{title}, n = {n:,}", case, (random(n) + 0.5,))
    yield Row("argmax over axis 1, 300 by 400", "argmax_rows", (random(300, 400),))
    yield Row("sum over axes (0, 2), 40 by 50 by 60", "sum_outer", (random(40, 50, 60),))
    yield Row(f"cumulative sum, n = {n:,}", "running", (random(n),))
    for axis, case in ((1, "running_rows"), (0, "running_columns")):
        yield Row(f"cumulative sums along axis {axis}, 300 by 400", case, (random(300, 400),))


def _models(random: Callable[..., Any]) -> Iterator[Row]:
    normal = random(1000, 512), random(512), random(512)
    yield Row("layer norm of rows, 1,000 by 512", "layer_norm", normal)
    yield Row("x@w, 64 of 32 by 32", "batched", (random(64, 32, 32), random(64, 32, 32)))
    signal = random(10**5), random(TAPS)
    yield Row(f"a filter of {TAPS} taps, n = {10**5:,}", "filtered", signal)
    places = np.random.default_rng(1).integers(0, 10**5, 10**5)
    yield Row(f"x[places]*2, n = {10**5:,}", "gather", (random(10**5), places))
    added = random(10**5), places, random(10**5)
    yield Row(f"x[places] += y, n = {10**5:,}", "scatter", added)
    data, weights = random(1000, FEATURES), random(FEATURES)
    yield Row(f"a step of gradient descent, 1,000 by {FEATURES}", "descent", (data, data @ weights))


# The functions of C's library for which NumPy has vector code of its own.
FUNCTIONS = "exp log log1p tanh cosh cbrt arcsinh arccosh arctanh sin".split()


def _functions(random: Callable[..., Any]) -> Iterator[Row]:
    n = 10**5
    for name in FUNCTIONS:
        x = random(n) * 0.9 + (1.0 if name == "arccosh" else 0.05)
        yield Row(f"{name}(x)", name, (x,), is_function=True)
        single = (x.astype(np.float32),)
        yield Row(f"{name}(x), float32", f"{name}_float", single, rtol=1e-5, is_function=True)


def all_rows() -> Iterator[Row]:
    """Made one by one, as some are large; always the same numbers."""
    generator = np.random.default_rng(0)

    def random(*shape: int) -> Any:
        return generator.random(shape)

    yield Row("(x + y)*z, Python floats", "scalar", (0.5, 0.25, 0.75))
    yield from _blend(random)
    yield Row(f"20 cheap operations, n = {10**6:,}", "chain", (random(10**6), random(10**6)))
    yield from _reductions(random)
    yield from _powers_and_axes(random)
    for n in (8, 512):
        layer = (random(n, n), random(n, n), random(n) - n / 4)
        yield Row(f"relu(x@w + b), {n} by {n}", "relu", layer)
    for n in (10, 10**5):
        yield Row(f"a user's C, n = {n:,}", "userop", (random(n) - 0.5,))
    yield from _models(random)
    yield from _functions(random)
