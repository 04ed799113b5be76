"""Times the calls of every tool that is built, and writes the comparison.

The hand-written extension is the measure: 1.0 is its time.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from build import read_records
from costs import count_bytes, count_lines, time_imports
from machine import environment, machine, python
from measure import Effort, Samples, sample_row, summarise
from peers import BASELINE, BUILT, DEFAULT_OUT, FISHPLATE_TOOL, Tool, module_folder
from rows import Row, all_rows
from table import RowResult, cost_table, notes, ratio_tables
from tables import as_markdown, as_page, as_text
from together import together_table
from verify import Verdict, verify

FULL = Effort(passes=4, rounds=15, sample_ns=500_000)
QUICK = Effort(passes=2, rounds=3, sample_ns=50_000)


@dataclass(frozen=True)
class Loaded:
    """A tool whose module is imported, and the folder that holds it."""

    tool: Tool
    folder: Path
    module: ModuleType


def load(tool: Tool, folder: Path) -> Loaded:
    sys.path.insert(0, str(folder))
    try:
        return Loaded(tool, folder, importlib.import_module(tool.module))
    finally:
        sys.path.remove(str(folder))


def load_all(out: Path, fishplate: Path | None) -> tuple[list[Loaded], dict[str, str]]:
    """The tools to compare, and the reasons why others are missing."""
    records = read_records(out)
    places = {tool: module_folder(out, tool) for tool in BUILT}
    if fishplate is not None:
        places = {FISHPLATE_TOOL: fishplate, **places}
    loaded: list[Loaded] = []
    missing: dict[str, str] = {}
    for tool, folder in places.items():
        error = records.get(tool.name, {}).get("error")
        try:
            if error:
                raise ImportError("it failed to build")
            loaded.append(load(tool, folder))
        except ImportError as reason:
            missing[tool.name] = str(reason)
    return loaded, missing


def show_progress(text: str) -> None:
    """One line that is overwritten, on a terminal."""
    if sys.stderr.isatty():
        print(
            f"\r{text:<56}" if text else "\r" + " " * 56 + "\r", end="", file=sys.stderr, flush=True
        )


def verify_row(row: Row, loaded: Sequence[Loaded]) -> dict[str, Verdict]:
    verdicts = {each.tool.name: verify(row, each.module) for each in loaded}
    if not verdicts[BASELINE].timed:
        raise SystemExit(f"the hand-written extension fails '{row.title}': {verdicts[BASELINE]}")
    return verdicts


def run_rows(loaded: Sequence[Loaded], effort: Effort) -> list[RowResult]:
    rows = all_rows()
    verdicts = [verify_row(row, loaded) for row in rows]
    passes: list[list[Samples]] = [[] for _ in rows]
    for number in range(1, effort.passes + 1):
        for row, verdict, samples in zip(rows, verdicts, passes, strict=True):
            show_progress(f"pass {number} of {effort.passes}: {row.title}")
            timed = {
                each.tool.name: each.module for each in loaded if verdict[each.tool.name].timed
            }
            samples.append(sample_row(row, timed, effort))
    show_progress("")
    return [
        RowResult(row, verdict, summarise(samples, BASELINE))
        for row, verdict, samples in zip(rows, verdicts, passes, strict=True)
    ]


def all_costs(
    loaded: Sequence[Loaded], out: Path, rounds: int, fishplate_seconds: float | None
) -> dict[str, dict[str, Any]]:
    records = read_records(out)
    imports = time_imports({each.tool: each.folder for each in loaded}, rounds)
    costs: dict[str, dict[str, Any]] = {}
    for each in loaded:
        if each.tool == FISHPLATE_TOOL:
            files = each.folder.glob(f"{each.tool.module}*")
            record = {
                "version": "",
                "seconds": fishplate_seconds,
                "bytes": count_bytes(files),
                "lines": count_lines(each.tool.sources),
            }
        else:
            record = records[each.tool.name]
        costs[each.tool.name] = {
            name: record[name] for name in ("version", "seconds", "bytes", "lines")
        }
        costs[each.tool.name]["import_ms"] = imports[each.tool.name]
    return costs


def as_json(
    results: Sequence[RowResult],
    costs: Mapping[str, Any],
    missing: Mapping[str, str],
    effort: Effort,
) -> dict[str, Any]:
    rows = [
        {
            "group": r.row.group,
            "title": r.row.title,
            "call": r.row.call,
            "tools": {
                name: {
                    "status": str(verdict.status),
                    "detail": verdict.detail,
                    **(asdict(r.timings[name]) if name in r.timings else {}),
                }
                for name, verdict in r.verdicts.items()
            },
        }
        for r in results
    ]
    return {
        "environment": environment(),
        "effort": asdict(effort),
        "rows": rows,
        "costs": dict(costs),
        "missing": dict(missing),
    }


def heading() -> str:
    return (
        f"{machine()}; one thread unless said otherwise; times over those of the extension "
        "written by hand, smaller is faster."
    )


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=DEFAULT_OUT, help="where build.py built")
    parser.add_argument(
        "--fishplate",
        type=Path,
        metavar="DIR",
        help="the folder of the module 'calls' that fishplate built",
    )
    parser.add_argument(
        "--fishplate-seconds", type=float, metavar="S", help="how long fishplate took to build it"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all that was measured")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the tables")
    parser.add_argument("--quick", action="store_true", help="a smoke run: few, short rounds")
    return parser.parse_args()


def main() -> int:
    chosen = options()
    effort = QUICK if chosen.quick else FULL
    out = chosen.out.resolve()
    loaded, missing = load_all(out, chosen.fishplate and chosen.fishplate.resolve())
    absent = [f"{name} is left out: {reason}" for name, reason in missing.items()]
    if BASELINE in missing:
        print(*absent, "nothing to compare with: run build.py first", sep="\n", file=sys.stderr)
        return 1
    results = run_rows(loaded, effort)
    costs = all_costs(loaded, out, 3 if chosen.quick else 15, chosen.fishplate_seconds)
    tools = [each.tool for each in loaded]
    best = ratio_tables(results, tools, "best of all rounds", lambda t: t.best_ratio)
    medians = ratio_tables(results, tools, "median over the rounds", lambda t: t.median_ratio)
    cost = cost_table(tools, costs)
    both = together_table({each.tool.name: each.module for each in loaded}, effort)
    remarks = [*absent, *notes(results)]
    if chosen.json:
        chosen.json.write_text(json.dumps(as_json(results, costs, missing, effort), indent=2))
    if chosen.markdown:
        listed = "\n".join(f"- {remark}" for remark in remarks)
        tables = map(as_markdown, [*best, *medians, both, cost])
        chosen.markdown.write_text(as_page(f"Calls from {python()}", heading(), *tables, listed))
    print(
        "\n\n".join([heading(), *map(as_text, [*best, *medians, both, cost]), "\n".join(remarks)])
    )
    # A requested build that cannot be loaded is an error, not a missing peer.
    return 1 if FISHPLATE_TOOL.name in missing else 0


if __name__ == "__main__":
    sys.exit(main())
