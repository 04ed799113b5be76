"""The time of a call: every tool in turn, round by round, in one process."""

from __future__ import annotations

import itertools
import random
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from machine import quiet_interpreter
from rows import Row

# Calls in the body of the timed loop, to make the cost of the loop itself small.
UNROLLED = 8

_TEMPLATE = """
def loop(times, clock, {parameters}):
    start = clock()
    for _ in times:
{body}
    return clock() - start
"""

Loop = Callable[[int], int]
# By tool, the nanoseconds of a call in each round.
Samples = dict[str, list[float]]


@dataclass(frozen=True)
class Effort:
    """How long to measure.

    All rows are measured `passes` times, with so many rounds of samples each time:
    if the machine is slow for a while, that spoils one pass of a row and not all of it.
    """

    passes: int
    rounds: int
    sample_ns: int


@dataclass(frozen=True)
class Case:
    """One call: `call` with these names, made of a tool's module.

    `module` is the name of that module; `result` checks the value, `wrong`: the call raises.
    """

    title: str
    module: str
    call: str
    make: Callable[[Any], dict[str, Any]]
    result: Callable[[Any], bool] | None = None
    wrong: bool = False


@dataclass(frozen=True)
class Timing:
    """A tool's time in a row: its best, and the median of the ratios to the baseline."""

    best_ns: float
    best_ratio: float
    median_ratio: float


def _body(row: Row | Case) -> str:
    if not row.wrong:
        return f"        {row.call}\n"
    return f"        try:\n            {row.call}\n        except Exception:\n            pass\n"


def compile_case(case: Case, module: Any, name: str) -> Loop:
    """The timed loop of a case; its result is compared first. `name` is that of the tool."""
    values = case.make(module)
    if case.result is not None:
        result = eval(f"lambda {', '.join(values)}: {case.call}")(**values)
        assert case.result(result), f"{name}: {case.title} gives {result!r}"
    return compile_body(case.title, _body(case), values)


def compile_loop(row: Row, module: ModuleType, arguments: Mapping[str, object]) -> Loop:
    """The timed loop of a row, with function and arguments as locals."""
    return compile_body(row.title, _body(row), {"f": getattr(module, row.function), **arguments})


def compile_body(title: str, body: str, values: Mapping[str, object]) -> Loop:
    """A timed loop, with these values as locals.

    It is compiled anew for each tool: the interpreter specialises a call to its function.
    """
    source = _TEMPLATE.format(parameters=", ".join(values), body=body * UNROLLED)
    names: dict[str, Callable[..., int]] = {}
    exec(compile(source, f"<{title}>", "exec"), names)
    loop, given = names["loop"], values.values()
    return lambda count: loop(itertools.repeat(None, count), time.perf_counter_ns, *given)


def _calibrate(loop: Loop, sample_ns: int) -> int:
    """How many iterations make a sample of about this length."""
    count = 1
    while (elapsed := loop(count)) < sample_ns // 4:
        count *= 4
    return max(1, round(count * sample_ns / max(elapsed, 1)))


def sample_loops(loops: Mapping[str, Loop], effort: Effort) -> Samples:
    """The samples of one pass."""
    with quiet_interpreter():
        return _sample(loops, effort)


def _sample(loops: Mapping[str, Loop], effort: Effort) -> Samples:
    counts = {name: _calibrate(loop, effort.sample_ns) for name, loop in loops.items()}
    samples: Samples = {name: [] for name in loops}
    order = list(loops)
    shuffle = random.Random(0).shuffle
    for _ in range(effort.rounds):
        # The neighbours vary between rounds.
        shuffle(order)
        for name in order:
            elapsed = loops[name](counts[name])
            samples[name].append(elapsed / (counts[name] * UNROLLED))
    return samples


def sample_row(row: Row, modules: Mapping[str, ModuleType], effort: Effort) -> Samples:
    """The samples of one row in one pass, for tools that all answer it rightly."""
    arguments = row.make()
    loops = {name: compile_loop(row, module, arguments) for name, module in modules.items()}
    return sample_loops(loops, effort)


def summarise(passes: Sequence[Samples], baseline: str) -> dict[str, Timing]:
    """The times of one row over all passes."""
    samples = {name: [value for each in passes for value in each[name]] for name in passes[0]}
    base = samples[baseline]
    return {
        name: Timing(
            best_ns=min(own),
            best_ratio=min(own) / min(base),
            median_ratio=statistics.median(a / b for a, b in zip(own, base, strict=True)),
        )
        for name, own in samples.items()
    }
