"""The cost of catching exceptions if none is thrown: guarded functions compared with unguarded
ones.

By hand the guard is FP_HANDLE_ERRORS; of Fishplate's modules, one of C++ is guarded,
and the same in C is bare.
"""

from __future__ import annotations

import argparse
import re
import sys
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "shared"))

from machine import machine  # noqa: E402
from measure import Effort, Timing, sample_row, summarise  # noqa: E402
from peers import DEFAULT_OUT, HERE  # noqa: E402
from rows import FITTING, Row, equals  # noqa: E402
from tables import as_page  # noqa: E402
from toolchain import CXX, EXTENSION_SUFFIX, FLAGS, LINK, execute, includes  # noqa: E402

INCLUDE = HERE.parents[1] / "bindings" / "python" / "fishplate" / "include"
BARE, GUARDED, AGAIN = "bare", "guarded", "again"


def numbers() -> dict[str, Any]:
    return {"x": tuple(map(float, range(10)))}


def array() -> Any:
    return np.arange(10.0)


ROWS = [
    Row(FITTING, "nothing()", "nothing", "f()", dict, equals(None)),
    Row(FITTING, "add(1.5, 2.25)", "add", "f(a, b)", lambda: {"a": 1.5, "b": 2.25}, equals(3.75)),
    Row(FITTING, "sum of 10, a loop in it", "total", "f(x)", numbers, equals(45.0)),
    Row(FITTING, "sum of 10, the loop called", "wrap", "f(x)", numbers, equals(45.0)),
]
GENERATED = [
    Row(FITTING, "add(1.5, 2.25)", "add", "f(a, b)", lambda: {"a": 1.5, "b": 2.25}, equals(3.75)),
    Row(FITTING, "sum of an array of 10", "total", "f(x)", lambda: {"x": array()}, equals(45.0)),
    Row(FITTING, "an array of 10, doubled", "double_it", "f(x)", lambda: {"x": array()}, None),
]
FULL = Effort(passes=4, rounds=60, sample_ns=500_000)
QUICK = Effort(passes=1, rounds=5, sample_ns=200_000)


def build(out: Path) -> ModuleType:
    out.mkdir(parents=True, exist_ok=True)
    library = out / f"guard{EXTENSION_SUFFIX}"
    flags = [*FLAGS, "-std=c++17", "-Wall", "-Wextra", *includes(), f"-I{INCLUDE}"]
    execute([*CXX, *flags, *LINK, HERE / "guard" / "guard.cpp", "-o", library])
    return load("guard", library)


def load(name: str, library: Path) -> ModuleType:
    loader = ExtensionFileLoader(name, str(library))
    spec = spec_from_file_location(name, library, loader=loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


def by_hand(module: ModuleType, row: Row) -> dict[str, Any]:
    return {
        kind: SimpleNamespace(**{row.function: getattr(module, f"{row.function}_{kind}")})
        for kind in (BARE, GUARDED, AGAIN)
    }


def generate(out: Path, command: Path) -> dict[str, Any]:
    """The benchmark's kernels as modules of C and of C++."""
    modules: dict[str, Any] = {}
    interface = (HERE / "calls.toml").read_text()
    for kind in (BARE, GUARDED, AGAIN):
        name = f"calls_{kind}"
        language = "c++" if kind == GUARDED else "c"
        head = f'name = "{name}"\nlanguage = "{language}"\ninclude-dirs = ["{HERE}"]'
        text = re.sub(r"name +=.*", head, interface, count=1)
        text = text.replace('["kernels.c"]', f'["{HERE / "kernels.c"}"]')
        (out / f"{name}.toml").write_text(text)
        build = [command, "build", out / f"{name}.toml", "--python", sys.executable]
        execute([*build, "--out", out])
        modules[kind] = load(name, out / f"{name}{EXTENSION_SUFFIX}")
    return modules


def measure(tools: dict[str, Any], row: Row, effort: Effort) -> dict[str, Timing]:
    arguments = row.make()
    for tool in tools.values():
        result = getattr(tool, row.function)(*arguments.values())
        assert row.right is None or row.right(result, arguments)
    return summarise([sample_row(row, tools, effort) for _ in range(effort.passes)], BARE)


def table(effort: Effort, module: ModuleType, generated: dict[str, Any]) -> str:
    rows = [(f"by hand: {row.title}", row, by_hand(module, row)) for row in ROWS]
    if generated:
        rows += [(f"a module of C++: {row.title}", row, generated) for row in GENERATED]
    lines = [
        f"{machine()}; times of a call over those of the bare function, smaller is faster.",
        "",
        "|  | bare, ns | guarded (best) | (median) | the same again (best) | (median) |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for title, row, tools in rows:
        times = measure(tools, row, effort)
        ratios = [
            f"{ratio:.3f}"
            for kind in (GUARDED, AGAIN)
            for ratio in (times[kind].best_ratio, times[kind].median_ratio)
        ]
        lines.append(f"| {title} | {times[BARE].best_ns:.1f} | {' | '.join(ratios)} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=DEFAULT_OUT, help="where to build")
    parser.add_argument("--command", type=Path, help="the command fishplate, for its modules")
    parser.add_argument("--markdown", type=Path, help="write the table here, too")
    parser.add_argument("--quick", action="store_true", help="a smoke run")
    options = parser.parse_args()
    out = (options.out / "guard").resolve()
    module = build(out)
    generated = generate(out, options.command.resolve()) if options.command else {}
    text = table(QUICK if options.quick else FULL, module, generated)
    print(text)
    if options.markdown:
        options.markdown.write_text(as_page("Glue: guards of exceptions", text))
    return 0


if __name__ == "__main__":
    sys.exit(main())
