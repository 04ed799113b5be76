"""What FP_HANDLE_ERRORS costs where nothing goes wrong: guarded functions beside bare ones."""

from __future__ import annotations

import argparse
import sys
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "shared"))

from machine import machine  # noqa: E402
from measure import Effort, Timing, sample_row, summarise  # noqa: E402
from peers import DEFAULT_OUT, HERE  # noqa: E402
from rows import FITTING, Row, equals  # noqa: E402
from toolchain import CXX, EXTENSION_SUFFIX, FLAGS, LINK, execute, includes  # noqa: E402

INCLUDE = HERE.parents[1] / "bindings" / "python" / "fishplate" / "include"
BARE, GUARDED, AGAIN = "bare", "guarded", "again"


def numbers() -> dict[str, Any]:
    return {"x": tuple(map(float, range(10)))}


ROWS = [
    Row(FITTING, "nothing()", "nothing", "f()", dict, equals(None)),
    Row(FITTING, "add(1.5, 2.25)", "add", "f(a, b)", lambda: {"a": 1.5, "b": 2.25}, equals(3.75)),
    Row(FITTING, "sum of 10, a loop in it", "total", "f(x)", numbers, equals(45.0)),
    Row(FITTING, "sum of 10, the loop called", "wrap", "f(x)", numbers, equals(45.0)),
]
FULL = Effort(passes=4, rounds=60, sample_ns=500_000)
QUICK = Effort(passes=1, rounds=5, sample_ns=200_000)


def build(out: Path) -> ModuleType:
    out.mkdir(parents=True, exist_ok=True)
    library = out / f"guard{EXTENSION_SUFFIX}"
    flags = [*FLAGS, "-std=c++17", "-Wall", "-Wextra", *includes(), f"-I{INCLUDE}"]
    execute([*CXX, *flags, *LINK, HERE / "guard" / "guard.cpp", "-o", library])
    loader = ExtensionFileLoader("guard", str(library))
    spec = spec_from_file_location("guard", library, loader=loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


def measure(module: ModuleType, row: Row, effort: Effort) -> dict[str, Timing]:
    tools: dict[str, Any] = {
        kind: SimpleNamespace(**{row.function: getattr(module, f"{row.function}_{kind}")})
        for kind in (BARE, GUARDED, AGAIN)
    }
    arguments = row.make()
    for tool in tools.values():
        assert row.right and row.right(getattr(tool, row.function)(*arguments.values()), arguments)
    return summarise([sample_row(row, tools, effort) for _ in range(effort.passes)], BARE)


def table(effort: Effort, module: ModuleType) -> str:
    lines = [
        f"{machine()}; times of a call over those of the bare function, smaller is faster.",
        "",
        "|  | bare, ns | guarded (best) | (median) | the same again (best) | (median) |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for row in ROWS:
        times = measure(module, row, effort)
        ratios = [
            f"{ratio:.3f}"
            for kind in (GUARDED, AGAIN)
            for ratio in (times[kind].best_ratio, times[kind].median_ratio)
        ]
        lines.append(f"| {row.title} | {times[BARE].best_ns:.1f} | {' | '.join(ratios)} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=DEFAULT_OUT, help="where to build")
    parser.add_argument("--markdown", type=Path, help="write the table here, too")
    parser.add_argument("--quick", action="store_true", help="a smoke run")
    options = parser.parse_args()
    text = table(QUICK if options.quick else FULL, build(options.out / "guard"))
    print(text)
    if options.markdown:
        options.markdown.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
