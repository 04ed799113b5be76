"""The rows: in each, every tool makes the same call; the first one's time is the unit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from peers import BASELINE, FISHPLATE, Array, Tools

ITEMS = "A function of numbers, over 1,000,000 items"
KERNELS = "A function of arrays, over many items"
THREADS = "10,000 items of 20 µs"
ONE = "One item"
COPIES = "Arrays that C cannot use in place: one copy"

PEERS = ("C ufunc", "Numba", "NumPy", "ctypes loop", "numpy.vectorize")
SIZES = (10_000, 1_000_000, 10_000_000)


@dataclass(frozen=True)
class Call:
    function: Callable[..., Any]
    arguments: tuple[Any, ...]


@dataclass(frozen=True)
class Row:
    """One row: by column the call that is timed. `compared`: all columns give the same."""

    group: str
    title: str
    calls: dict[str, Call]
    compared: bool = True
    threads: bool = False


def _over(
    tools: Tools, group: str, title: str, name: str, *arguments: Array, own: str | None = None
) -> Row:
    """A row in which each tool that has the function batches it; by hand it may be called `own`."""
    names = {BASELINE: own or name}
    found = {
        tool: function
        for tool in (BASELINE, FISHPLATE, *PEERS)
        if (function := getattr(tools[tool], names.get(tool, name), None)) is not None
    }
    return Row(group, title, {tool: Call(f, arguments) for tool, f in found.items()})


def _items(tools: Tools, random: Callable[..., Array]) -> Iterator[Row]:
    x, wide = random(10**6), random(2 * 10**6)[::2]
    for text, name in (("x*x + 1", "poly"), ("cos(x)", "cos")):
        yield _over(tools, ITEMS, text, name, x)
        yield _over(tools, ITEMS, f"{text}, x[::2]", name, wide)
    yield _over(
        tools, ITEMS, "x*y + 1, (1000, 1) with (1000,)", "blend", random(1000, 1), random(1000)
    )


def _kernels(tools: Tools, random: Callable[..., Array]) -> Iterator[Row]:
    close = (random(10**5, 8), random(10**5, 8))
    apart = (random(10**5, 16)[:, ::2], random(10**5, 16)[:, ::2])
    yield _over(tools, KERNELS, "(n),(n)->(), 100,000 of n = 8", "dot", *close)
    yield _over(tools, KERNELS, "the same, x[:, ::2], C takes strides", "dot_strided", *apart)
    yield _over(tools, KERNELS, "the same, C takes none", "dot", *apart)
    yield _over(
        tools,
        KERNELS,
        "(m,n),(n)->(m), 10,000 of 4 by 4",
        "matvec",
        random(10**4, 4, 4),
        random(10**4, 4),
    )


def _threads(tools: Tools, random: Callable[..., Array]) -> Row:
    columns = {
        BASELINE: tools[BASELINE].costly,
        "one thread": tools[FISHPLATE].costly_alone,
        'threads = "all"': tools[FISHPLATE].costly,
        "C ufunc": tools["C ufunc"].costly,
        "Numba": tools["Numba"].costly,
        "Numba, parallel": tools["Numba, parallel"].costly,
    }
    x = random(10**4)
    calls = {name: Call(function, (x,)) for name, function in columns.items()}
    return Row(THREADS, "costly(x)", calls, threads=True)


def _one(tools: Tools, random: Callable[..., Array]) -> Iterator[Row]:
    """The plain function is the unit: it takes one item and nothing else."""
    fishplate, hand = tools[FISHPLATE], tools[BASELINE]
    a, x, y = random(4, 4), random(4), random(8)
    cases: dict[str, tuple[str, tuple[Any, ...], tuple[Any, ...]]] = {
        "poly(1.5)": ("poly", (1.5,), (np.array([1.5]),)),
        "dot(x, y), n = 8": ("dot", (y, y), (y[None], y[None])),
        "matvec(a, x), 4 by 4": ("matvec", (a, x), (a[None], x[None])),
    }
    for title, (name, one, leading) in cases.items():
        yield Row(
            ONE,
            title,
            {
                "plain": Call(getattr(fishplate, f"plain_{name}"), one),
                "by hand": Call(getattr(hand, f"{name}_one"), one),
                "maps": Call(getattr(fishplate, name), one),
                "by hand, (1, ...)": Call(getattr(hand, name), leading),
                "maps, (1, ...)": Call(getattr(fishplate, name), leading),
                "C ufunc": Call(getattr(tools["C ufunc"], name), one),
                "Numba": Call(getattr(tools["Numba"], name), one),
            },
        )


def _layouts(n: int, random: Callable[..., Array]) -> Iterator[tuple[str, str, Any]]:
    """The copied arrays: the title, the function, and the array."""
    side, edge = round(n ** (1 / 2)), round(n ** (1 / 3))
    x, cube = random(n), random(edge, edge, edge)
    yield "x[::2]", "first", random(2 * n)[::2]
    yield "x[::-1]", "first", x[::-1]
    yield "float32", "first", x.astype(np.float32)
    yield "int64", "first", np.arange(n)
    yield "byte-swapped", "first", x.astype(">f8")
    yield "a[:, ::2]", "first2", random(side, 2 * side)[:, ::2]
    yield "a.T", "first2", random(side, side).T
    yield "a.T, float32", "first2", random(side, side).astype(np.float32).T
    yield "c.T, of rank 3", "first3", cube.T
    yield "c.transpose(0, 2, 1)", "first3", cube.transpose(0, 2, 1)


def _copies(tools: Tools, random: Callable[..., Array]) -> Iterator[Row]:
    def copy(x: Any) -> Array:
        return np.ascontiguousarray(x, dtype=np.float64)

    for n in SIZES:
        for text, name, x in _layouts(n, random):
            calls = {
                "NumPy": Call(copy, (x,)),
                FISHPLATE: Call(getattr(tools[FISHPLATE], name), (x,)),
            }
            yield Row(COPIES, f"{text}, {x.size:,}", calls, compared=False)


def all_rows(tools: Tools) -> Iterator[Row]:
    """Made one by one, as some are large."""
    random = np.random.default_rng(0).random

    def array(*shape: int) -> Array:
        return random(shape)

    yield from _items(tools, array)
    yield from _kernels(tools, array)
    yield _threads(tools, array)
    yield from _one(tools, array)
    yield from _copies(tools, array)
