"""The cases as their users write them, for all libraries with NumPy's names: NumPy, jax.numpy, and
the libraries of symbolic arrays."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

# The types of each case's arguments: rank, and dtype where it is not float64.
SIGNATURES: dict[str, tuple[str, ...]] = {
    "scalar": ("scalar", "scalar", "scalar"),
    "blend": ("vector", "vector", "vector"),
    "blend_float": ("vector float32", "vector float32", "vector float32"),
    "blend_strided": ("vector", "vector", "vector"),
    "blend_row": ("matrix", "vector", "matrix"),
    "blend_column": ("matrix", "vector", "matrix"),
    "chain": ("vector", "vector"),
    "sum_squares": ("vector", "vector"),
    "mean_rows": ("matrix",),
    "max_rows": ("matrix",),
    "mean_columns": ("matrix",),
    "max_columns": ("matrix",),
    "softmax": ("matrix",),
    "relu": ("matrix", "matrix", "vector"),
    "userop": ("vector",),
    "root": ("vector",),
    "cube": ("vector",),
    "inverse": ("vector",),
    "argmax_rows": ("matrix",),
    "sum_outer": ("tensor3",),
    "layer_norm": ("matrix", "vector", "vector"),
    "batched": ("tensor3", "tensor3"),
    "filtered": ("vector", "vector"),
    "gather": ("vector", "vector int64"),
    "scatter": ("vector", "vector int64", "vector"),
    "running": ("vector",),
    "running_rows": ("matrix",),
    "running_columns": ("matrix",),
    "descent": ("matrix", "vector"),
}
# The number of taps of a filter.
TAPS = 31
# The number of weights of a linear fit.
FEATURES = 20
# Small, so that the steps of a measurement do not change the results.
RATE = 1e-15


def signature(case: str) -> tuple[str, ...]:
    """The types of a case's arguments; a function of single values is named as in NumPy."""
    own = ("vector float32",) if case.endswith("_float") else ("vector",)
    return SIGNATURES.get(case, own)


def chain(x: Any, y: Any) -> Any:
    """Twenty operations of four kinds, by turns."""
    v = x
    for i in range(1, 6):
        v = abs((v + y) * x - i / 8)
    return v


# How far back the operands of an operation may be.
WINDOW = 30


def network(ops: int) -> Iterator[tuple[str, int, int | None]]:
    """So many cheap operations; the last one's value is the result.

    Each is an operator and its two operands, where None stands for 0.5. The first two
    values are the inputs, then each operation adds one. It uses the value before, and one made not
    long ago, the second input, or 0.5, so that values neither grow nor vanish.
    """
    choose = random.Random(0).randrange
    for i in range(ops):
        last = i + 1
        earlier = choose(max(0, last - WINDOW), last)
        yield (("-", last, earlier), ("*", last, None), ("*", last, earlier), ("+", last, 1))[i % 4]


def evaluated(inputs: list[Any], ops: int) -> Any:
    """The network, by operators on any inputs."""
    values = list(inputs[:2])
    for operator, left, right in network(ops):
        a, b = values[left], 0.5 if right is None else values[right]
        values.append(a + b if operator == "+" else a - b if operator == "-" else a * b)
    return values[-1]


def written(ops: int) -> list[tuple[str, str]]:
    """The network, as assignments to `v2`, `v3` and so on."""
    lines = []
    for number, (operator, left, right) in enumerate(network(ops), start=2):
        taken = "0.5" if right is None else f"v{right}"
        lines.append((f"v{number}", f"v{left} {operator} {taken}"))
    return lines


class Expressions:
    """The cases, as functions of arrays of the library `xp`."""

    def __init__(self, xp: Any) -> None:
        self.xp = xp

    def scalar(self, x: Any, y: Any, z: Any) -> Any:
        return (x + y) * z

    def blend(self, x: Any, y: Any, z: Any) -> Any:
        return 2 * x * y + self.xp.exp(-(z**2))

    blend_float = blend_strided = blend_row = blend

    def blend_column(self, x: Any, y: Any, z: Any) -> Any:
        return self.blend(x, y[:, None], z)

    def chain(self, x: Any, y: Any) -> Any:
        return chain(x, y)

    def sum_squares(self, x: Any, y: Any) -> Any:
        return ((x - y) ** 2).sum()

    def mean_rows(self, x: Any) -> Any:
        return x.mean(axis=1)

    def max_rows(self, x: Any) -> Any:
        return x.max(axis=1)

    def mean_columns(self, x: Any) -> Any:
        return x.mean(axis=0)

    def max_columns(self, x: Any) -> Any:
        return x.max(axis=0)

    def softmax(self, x: Any) -> Any:
        e = self.xp.exp(x - x.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True)

    def relu(self, x: Any, w: Any, b: Any) -> Any:
        return self.xp.maximum(x @ w + b, 0)

    def root(self, x: Any) -> Any:
        return x**0.5

    def cube(self, x: Any) -> Any:
        return x**3

    def inverse(self, x: Any) -> Any:
        return x**-1.0

    def argmax_rows(self, x: Any) -> Any:
        return x.argmax(axis=1)

    def sum_outer(self, x: Any) -> Any:
        return x.sum(axis=(0, 2))

    def layer_norm(self, x: Any, gain: Any, bias: Any) -> Any:
        centred = x - x.mean(axis=1, keepdims=True)
        variance = (centred**2).mean(axis=1, keepdims=True)
        return centred / self.xp.sqrt(variance + 1e-5) * gain + bias

    def batched(self, x: Any, w: Any) -> Any:
        return x @ w

    def filtered(self, x: Any, taps: Any) -> Any:
        count = x.shape[0] - TAPS + 1
        return sum(taps[i] * x[i : i + count] for i in range(TAPS))

    def gather(self, x: Any, places: Any) -> Any:
        return x[places] * 2

    def scatter(self, x: Any, places: Any, y: Any) -> Any:
        """`x` after `y` was added at the places, of which some occur twice."""
        if hasattr(self.xp, "inc_subtensor"):
            return self.xp.inc_subtensor(x[places], y)
        if hasattr(x, "at"):
            return x.at[places].add(y)
        after = x.copy()
        self.xp.add.at(after, places, y)
        return after

    def running(self, x: Any) -> Any:
        return x.cumsum()

    def running_rows(self, x: Any) -> Any:
        return x.cumsum(axis=1)

    def running_columns(self, x: Any) -> Any:
        return x.cumsum(axis=0)

    def step(self, x: Any, y: Any, w: Any) -> tuple[Any, Any]:
        """The loss of a linear fit, and its weights after a step of gradient descent."""
        error = x @ w - y
        return (error**2).mean(), w - 2 * RATE / x.shape[0] * (x.T @ error)

    def stepping(self, step: Any) -> Any:
        """A function of the data that makes steps, and returns the loss before each."""
        weights = self.xp.zeros(FEATURES)

        def descent(x: Any, y: Any) -> Any:
            nonlocal weights
            loss, weights = step(x, y, weights)
            return loss

        return descent

    def userop(self, x: Any) -> Any:
        """The formula, for libraries that cannot call the C."""
        return x / (1 + abs(x))

    def __getattr__(self, name: str) -> Any:
        """A function of single values, which has the name that the library gives it."""
        return getattr(self.xp, name.removesuffix("_float"))
