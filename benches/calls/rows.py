"""The rows of the table: each is one call, its arguments, and a check of the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

Arguments = dict[str, Any]
Check = Callable[[Any, Arguments], bool]

SIZES = (4, 1000)

FITTING = "Calls whose arguments fit"
CONVERTED = "Calls whose arguments must be converted"
WRONG = "Wrong calls: the time to raise"


@dataclass(frozen=True)
class Row:
    """One call. `f` in `call` is the function; every other name is an argument made by `make`.

    If `wrong` is set, the call must raise. `right` tells a result from a wrong one; a wrong
    call that is accepted counts as wrong too, unless `right` is set and accepts it.
    """

    group: str
    title: str
    function: str
    call: str
    make: Callable[[], Arguments]
    right: Check | None = None
    wrong: bool = False


def vector(n: int) -> NDArray[np.float64]:
    """Small whole numbers: their sums are exact in any order."""
    return np.arange(1.0, n + 1.0)


def matrix(n: int) -> NDArray[np.float64]:
    return (np.arange(n * n, dtype=np.float64) % 7.0).reshape(n, n)


def read_only(n: int) -> NDArray[np.float64]:
    x = vector(n)
    x.flags.writeable = False
    return x


def equals(expected: Any) -> Check:
    return lambda result, _: bool(result == expected)


def gives(expected: NDArray[np.float64]) -> Check:
    """A new array of doubles with these elements."""
    return lambda result, _: (
        isinstance(result, np.ndarray)
        and result.dtype == np.float64
        and np.array_equal(result, expected)
    )


def becomes(expected: NDArray[np.float64]) -> Check:
    """The caller's own `x` holds these elements afterwards."""
    return lambda _, given: np.array_equal(np.asarray(given["x"]), expected)


def _scalars() -> Iterator[Row]:
    numbers = lambda: {"a": 1.5, "b": 2.25}  # noqa: E731
    yield Row(FITTING, "add(1.5, 2.25)", "add", "f(a, b)", numbers, equals(3.75))
    yield Row(FITTING, "add(a=1.5, b=2.25)", "add", "f(a=a, b=b)", numbers, equals(3.75))
    yield Row(CONVERTED, "add(1, 2)", "add", "f(a, b)", lambda: {"a": 1, "b": 2}, equals(3.0))


def _arrays(n: int) -> Iterator[Row]:
    """The calls that need no conversion."""
    # Multiplying by -1 again and again neither overflows nor makes denormal numbers.
    scaling = lambda: {"x": vector(n), "k": -1.0}  # noqa: E731
    with_x = lambda: {"x": vector(n)}  # noqa: E731
    both = lambda: {"a": matrix(n), "x": vector(n)}  # noqa: E731
    yield Row(FITTING, f"total(x), n = {n}", "total", "f(x)", with_x, equals(vector(n).sum()))
    yield Row(FITTING, f"scale(x, k), n = {n}", "scale", "f(x, k)", scaling, becomes(-vector(n)))
    yield Row(
        FITTING, f"scale(x=x, k=k), n = {n}", "scale", "f(x=x, k=k)", scaling, becomes(-vector(n))
    )
    yield Row(
        FITTING, f"double_it(x), n = {n}", "double_it", "f(x)", with_x, gives(2.0 * vector(n))
    )
    yield Row(
        FITTING,
        f"trace2(a), n = {n}",
        "trace2",
        "f(a)",
        lambda: {"a": matrix(n)},
        equals(np.trace(matrix(n))),
    )
    yield Row(
        FITTING, f"matvec(a, x), n = {n}", "matvec", "f(a, x)", both, gives(matrix(n) @ vector(n))
    )


def _as_x(make: Callable[[], Any]) -> Arguments:
    return {"x": make()}


def _conversions(n: int) -> Iterator[Row]:
    """The calls whose argument must be copied for the kernel."""
    expected = equals(vector(n).sum())
    inputs: dict[str, Callable[[], Any]] = {
        "x[::2]": lambda: np.repeat(vector(n), 2)[::2],
        "x[::-1]": lambda: vector(n)[::-1],
        "float32 array": lambda: vector(n).astype(np.float32),
        "int64 array": lambda: vector(n).astype(np.int64),
        "list": lambda: vector(n).tolist(),
    }
    for title, make in inputs.items():
        yield Row(
            CONVERTED, f"total({title}), n = {n}", "total", "f(x)", partial(_as_x, make), expected
        )
    yield Row(
        CONVERTED,
        f"scale(x[::2], k), n = {n}",
        "scale",
        "f(x, k)",
        lambda: {"x": np.repeat(vector(n), 2)[::2], "k": -1.0},
        becomes(-vector(n)),
    )


def _wrong(
    title: str, function: str, call: str, make: Callable[[], Arguments], right: Check | None = None
) -> Row:
    return Row(WRONG, title, function, call, make, right, wrong=True)


def _wrong_scalars() -> Iterator[Row]:
    numbers = lambda: {"a": 1.5, "b": 2.25}  # noqa: E731
    # Parsing the string is not a wrong answer: NumPy does so too if a dtype is given.
    yield _wrong(
        "string for a double", "add", "f(a, b)", lambda: {"a": "1.5", "b": 2.25}, equals(3.75)
    )
    yield _wrong("too few arguments", "add", "f(a)", numbers)
    yield _wrong("too many arguments", "add", "f(a, b, b)", numbers)
    yield _wrong("unknown keyword", "add", "f(a=a, c=b)", numbers)
    yield _wrong("argument given twice", "add", "f(a, b, a=a)", numbers)


def _wrong_arrays() -> Iterator[Row]:
    yield _wrong("string for an array", "total", "f(x)", lambda: {"x": "abc"})
    yield _wrong("None for an array", "total", "f(x)", lambda: {"x": None})
    yield _wrong("list of strings", "total", "f(x)", lambda: {"x": ["1", "2"]}, equals(3.0))
    yield _wrong("2-D for a 1-D array", "total", "f(x)", lambda: {"x": matrix(4)})
    yield _wrong("1-D for a 2-D array", "trace2", "f(a)", lambda: {"a": vector(4)})
    yield _wrong("complex array", "total", "f(x)", lambda: {"x": vector(4) * (1 + 1j)})
    yield _wrong("matrix not square", "trace2", "f(a)", lambda: {"a": np.ones((3, 4))})
    yield _wrong("lengths disagree", "matvec", "f(a, x)", lambda: {"a": matrix(4), "x": vector(5)})
    yield _wrong(
        "read-only array in place", "scale", "f(x, k)", lambda: {"x": read_only(4), "k": -1.0}
    )
    yield _wrong(
        "float32 array in place",
        "scale",
        "f(x, k)",
        lambda: {"x": vector(4).astype(np.float32), "k": -1.0},
        becomes(-vector(4)),
    )
    yield _wrong(
        "list in place",
        "scale",
        "f(x, k)",
        lambda: {"x": vector(4).tolist(), "k": -1.0},
        becomes(-vector(4)),
    )


def all_rows() -> list[Row]:
    rows = list(_scalars())
    for n in SIZES:
        rows += _arrays(n)
    for n in SIZES:
        rows += _conversions(n)
    return [*rows, *_wrong_scalars(), *_wrong_arrays()]
