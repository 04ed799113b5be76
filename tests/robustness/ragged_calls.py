"""Calls of the case `ragged`, made anew each time, and their expected results."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np


@dataclass
class Call:
    """One call: the function, its arguments, and the objects whose references must stay."""

    function: str
    args: list[Any]
    watched: list[Any] = field(default_factory=list)
    kwargs: dict[str, Any] = field(default_factory=dict)

    def perform(self, module: ModuleType) -> Any:
        return getattr(module, self.function)(*self.args, **self.kwargs)


class View:
    """Lists that report their number, and whose values are not an array."""

    null_count = 0

    def __init__(self, values: Any, offsets: Any) -> None:
        self.values, self.offsets = values, offsets

    def __len__(self) -> int:
        return len(self.offsets) - 1


class Arrow(View):
    """As Arrow's, without Arrow."""

    @classmethod
    def from_arrays(cls, offsets: Any, values: Any) -> Arrow:
        return cls(values, offsets)


def lists(random: Random, count: int, depth: int, kind: str = "f8") -> tuple[Any, list[Any]]:
    """Lists within lists, and all their parts."""
    levels = []
    for _ in range(depth):
        offsets = [random.randrange(3)]
        for _ in range(count):
            offsets.append(offsets[-1] + random.randrange(4))
        levels.append(np.array(offsets, random.choice(["i4", "i8", ">i8"])))
        count = offsets[-1]
    values = np.arange(1, count + random.randrange(3) + 1).astype(kind)
    if random.random() < 0.3:
        values = np.repeat(values, 2)[::2]
    made = [values, *levels]
    content: Any = memoryview(values) if random.random() < 0.2 else values
    for offsets in reversed(levels):
        content = random.choice([SimpleNamespace, View, Arrow])(values=content, offsets=offsets)
        made.append(content)
    return content, made


def make(random: Random) -> Call:
    """A call of some function with random lists; many must fail."""
    count, depth = random.randrange(5), random.choice([1, 1, 1, 2, 3])
    x, watched = lists(random, count, depth)
    function = random.choice(
        ["square", "sum", "dot", "pad", "normalized", "normalize", "weigh", "weigh_ones", "grown"]
        + ["outer", "scaled", "less", "filled", "both", "columns", "short_sum", "steps"]
    )
    args: list[Any] = [x]
    kwargs: dict[str, Any] = {}
    match function:
        case "pad":
            args.insert(0, random.choice([1.5, [1.0] * count, [1.0, -1.0]]))
            if random.random() < 0.2:
                kwargs["y"] = np.zeros(random.randrange(20))
        case "dot" | "weigh":
            args.append(x if random.random() < 0.7 else lists(random, count, depth)[0])
        case "grown" | "outer":
            args.append(random.choice([[1.0, 2.0], 2, x]))
        case "scaled":
            args.append(random.choice([2, np.ones(count), None]))
        case "short_sum" | "steps" | "less":
            args[0], watched = lists(random, count, depth, random.choice(["i4", "f4"]))
    return Call(function, args, watched, kwargs)


def plain(result: Any) -> Any:
    """A result as Python's own values, to compare it."""
    if isinstance(result, tuple):
        return [plain(one) for one in result]
    if hasattr(result, "offsets"):
        return [plain(result.values), plain(result.offsets)]
    return result.tolist() if isinstance(result, np.ndarray) else result


def outcome(call: Call, module: ModuleType) -> Any:
    """The result of a call, or its error."""
    try:
        return plain(call.perform(module))
    except (ValueError, TypeError, OverflowError, RuntimeError) as error:
        return f"{type(error).__name__}: {error}"
