"""The cost of the stable ABI: the same interfaces built with it and with the full API.

For a Python from 3.12 on. The full API is built twice: the second one shows how much two equal
modules differ.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "shared"))

from guard import load  # noqa: E402
from machine import machine  # noqa: E402
from measure import Case, Effort, Timing, compile_case, sample_loops, summarise  # noqa: E402
from peers import DEFAULT_OUT, HERE  # noqa: E402
from tables import Table, as_markdown, as_page, as_text, nanoseconds, ratio  # noqa: E402
from toolchain import EXTENSION_SUFFIX, execute  # noqa: E402

FULL, AGAIN, STABLE = "full", "again", "stable"
EFFORT = Effort(passes=4, rounds=40, sample_ns=400_000)
QUICK = Effort(passes=1, rounds=5, sample_ns=100_000)


def numbers(count: int) -> list[float]:
    return [float(k) for k in range(count)]


def square() -> dict[str, Any]:
    return {"a": np.ones((4, 4)), "x": np.ones(4)}


def point(m: Any) -> dict[str, Any]:
    return {"f": m.add, "p": m.Point(1.0, 2.0)}


CASES = [
    Case("two floats", "calls", "f(1.5, 2.25)", lambda m: {"f": m.add}),
    Case("two floats by name", "calls", "f(a=1.5, b=2.25)", lambda m: {"f": m.add}),
    Case("two integers for floats", "calls", "f(1, 2)", lambda m: {"f": m.add}),
    Case("an array", "calls", "f(x)", lambda m: {"f": m.total, "x": np.ones(10)}),
    Case(
        "an array, and a new one", "calls", "f(x)", lambda m: {"f": m.double_it, "x": np.ones(10)}
    ),
    Case("a matrix and an array", "calls", "f(a, x)", lambda m: {"f": m.matvec, **square()}),
    Case("a list of 10", "calls", "f(x)", lambda m: {"f": m.total, "x": numbers(10)}),
    Case("a list of 1,000", "calls", "f(x)", lambda m: {"f": m.total, "x": numbers(1000)}),
    Case("a method", "borders", "c.next_safe()", lambda m: {"c": m.Counter()}),
    Case("a new object", "borders", "f()", lambda m: {"f": m.Counter}),
    Case("a bound method, made", "borders", "c.next_safe", lambda m: {"c": m.Counter()}),
    Case("a string", "borders", "f('a text')", lambda m: {"f": m.length}),
    Case("two structs", "borders", "f(p, p)", point),
    Case("a new struct", "borders", "f(1.0, 2.0)", lambda m: {"f": m.Point}),
    Case("an enum", "borders", "f(r)", lambda m: {"f": m.turned, "r": m.Color.RED}),
    Case("a callback", "borders", "f(abs, 2.0)", lambda m: {"f": m.apply}),
    Case("a wrong type, raised", "calls", "f('text', 1.0)", lambda m: {"f": m.add}, wrong=True),
    Case(
        "a wrong rank, raised",
        "calls",
        "f(x)",
        lambda m: {"f": m.total, "x": np.ones((2, 2))},
        wrong=True,
    ),
]


def build(out: Path, command: Path, kind: str) -> dict[str, Any]:
    """The two modules, in a folder of their own."""
    folder = out / kind
    option = ["--stable-abi"] if kind == STABLE else []
    suffix = ".abi3.so" if kind == STABLE else EXTENSION_SUFFIX
    modules = {}
    for name in ("calls", "borders"):
        files = [command, "build", HERE / f"{name}.toml", "--python", sys.executable]
        execute([*files, *option, "--out", folder])
        modules[name] = load(name, folder / f"{name}{suffix}")
    return modules


def measure(tools: dict[str, dict[str, Any]], case: Case, effort: Effort) -> dict[str, Timing]:
    loops = {}
    for kind, modules in tools.items():
        loops[kind] = compile_case(case, modules[case.module], kind)
        loops[kind](1)
    return summarise([sample_loops(loops, effort) for _ in range(effort.passes)], FULL)


def table(tools: dict[str, dict[str, Any]], effort: Effort) -> Table:
    header = ["", "full API, ns", "stable ABI", "(median)", "full API again", "(median)"]
    rows = []
    for case in CASES:
        times = measure(tools, case, effort)
        ratios = [
            ratio(value)
            for kind in (STABLE, AGAIN)
            for value in (times[kind].best_ratio, times[kind].median_ratio)
        ]
        rows.append([case.title, nanoseconds(times[FULL].best_ns), *ratios])
    return Table("A call with the stable ABI, over the same with the full API", header, rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=DEFAULT_OUT, help="where to build")
    parser.add_argument("--command", type=Path, required=True, help="the command fishplate")
    parser.add_argument("--markdown", type=Path, help="write the table here, too")
    parser.add_argument("--quick", action="store_true", help="a smoke run")
    options = parser.parse_args()
    out, command = (options.out / "stable").resolve(), options.command.resolve()
    tools = {kind: build(out, command, kind) for kind in (FULL, AGAIN, STABLE)}
    made = table(tools, QUICK if options.quick else EFFORT)
    print(as_text(made))
    if options.markdown:
        about = (
            f"{machine()}; one thread. Rounds of the three modules alternate. Ratios of the best "
            "times, and medians of the ratios of each round; smaller is faster."
        )
        options.markdown.write_text(as_page("The stable ABI", about, as_markdown(made)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
