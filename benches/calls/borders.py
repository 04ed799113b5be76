"""The time of calls with values other than numbers and arrays: objects, strings, structs, enums,
functions.

As in run.py, the extension written by hand is the measure: 1.0 is its time.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from types import ModuleType

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "shared"))

from build import installed  # noqa: E402
from guard import load  # noqa: E402
from machine import machine, python  # noqa: E402
from measure import Case, Effort, Samples, compile_case, sample_loops, summarise  # noqa: E402
from peers import BASELINE, DEFAULT_OUT, FISHPLATE, HERE  # noqa: E402
from tables import Table, as_markdown, as_page, as_text, nanoseconds, ratio  # noqa: E402
from toolchain import (  # noqa: E402
    CC,
    CXX,
    DROP_UNUSED,
    EXTENSION_SUFFIX,
    LINK,
    compile_object,
    execute,
)

NANOBIND = "nanobind"
PYBIND11 = "pybind11"
CYTHON = "cython"
MODULE = "borders"
FULL = Effort(passes=4, rounds=25, sample_ns=500_000)
QUICK = Effort(passes=1, rounds=5, sample_ns=100_000)


def method(title: str, name: str) -> Case:
    return Case(title, MODULE, f"c.{name}()", lambda m: {"c": m.Counter()}, lambda n: 0 < n < 8)


def double(x: float) -> float:
    return 2.0 * x


ROWS = [
    method('a method, "safe"', "next_safe"),
    method('a method, "gil"', "next_gil"),
    method('a method, "handle-lock"', "next_handle_lock"),
    method('a method, "module-lock"', "next_module_lock"),
    method('a method, "handle-lock", GIL released', "next_released"),
    Case(
        "a string of 20",
        MODULE,
        "f(s)",
        lambda m: {"f": m.length, "s": "x" * 20},
        lambda n: n == 20,
    ),
    Case(
        "a string of 2000, not ASCII",
        MODULE,
        "f(s)",
        lambda m: {"f": m.length, "s": "ü" * 1000},
        lambda n: n == 2000,
    ),
    Case(
        "a struct", MODULE, "f(p)", lambda m: {"f": m.norm, "p": m.Point(3, 4)}, lambda n: n == 25
    ),
    Case(
        "two structs, and a new one",
        MODULE,
        "f(p, p)",
        lambda m: {"f": m.add, "p": m.Point(3, 4)},
        lambda p: p.x == 6 and p.y == 8,
    ),
    Case("a new struct", MODULE, "P(1.0, 2.0)", lambda m: {"P": m.Point}, lambda p: p.y == 2),
    Case("a field", MODULE, "p.y", lambda m: {"p": m.Point(3, 4)}, lambda y: y == 4),
    Case(
        "an enum",
        MODULE,
        "f(c)",
        lambda m: {"f": m.turned, "c": m.Color.RED},
        lambda c: c.name == "GREEN",
    ),
    Case(
        "a callback, GIL released",
        MODULE,
        "f(g, x)",
        lambda m: {"f": m.apply, "g": double, "x": 1.5},
        lambda y: y == 3,
    ),
    Case(
        "a callback, GIL held",
        MODULE,
        "f(g, x)",
        lambda m: {"f": m.apply_held, "g": double, "x": 1.5},
        lambda y: y == 3,
    ),
    Case("a new object", MODULE, "C()", lambda m: {"C": m.Counter}, lambda c: c.next_safe() == 1),
]


def by_hand(out: Path) -> ModuleType:
    flags = ["-std=c11", "-Wall", "-Wextra", "-Werror"]
    objects = [
        compile_object(CC, source, out / f"{source.parent.name}_{source.stem}.o", flags)
        for source in (HERE / "hand" / "borders.c", HERE / "borders.c")
    ]
    return link(CC, out, "borders_hand", objects)


def by_nanobind(out: Path) -> ModuleType:
    """As recipes.py has it."""
    import nanobind

    sources = Path(nanobind.source_dir())
    headers = [
        f"-I{nanobind.include_dir()}",
        f"-I{sources.parent / 'ext' / 'robin_map' / 'include'}",
    ]
    options = ["-std=c++17", "-DNB_COMPACT_ASSERTIONS", *headers]
    apart = ["-fno-strict-aliasing", "-ffunction-sections", "-fdata-sections"]
    objects = [
        compile_object(CXX, sources / "nb_combined.cpp", out / "nb.o", [*options, *apart]),
        compile_object(CXX, HERE / "peers" / "nanobind" / "borders.cpp", out / "peer.o", options),
        compile_object(CC, HERE / "borders.c", out / "library.o", ["-std=c11"]),
    ]
    return link(CXX, out, "borders_nanobind", objects, *DROP_UNUSED)


def by_pybind11(out: Path) -> ModuleType:
    import pybind11

    options = ["-std=c++17", f"-I{pybind11.get_include()}"]
    objects = [
        compile_object(CXX, HERE / "peers" / "pybind11" / "borders.cpp", out / "p11.o", options),
        compile_object(CC, HERE / "borders.c", out / "library.o", ["-std=c11"]),
    ]
    return link(CXX, out, "borders_pybind11", objects)


def by_cython(out: Path) -> ModuleType:
    source = out / "borders_cython.c"
    peer = HERE / "peers" / "cython" / "borders_cython.pyx"
    execute([sys.executable, "-m", "cython", "-3", peer, "-o", source])
    objects = [
        compile_object(CC, source, out / "cython.o", ["-w"]),
        compile_object(CC, HERE / "borders.c", out / "library.o", ["-std=c11"]),
    ]
    return link(CC, out, "borders_cython", objects)


def link(compiler: list[str], out: Path, name: str, objects: list[Path], *flags: str) -> ModuleType:
    library = out / f"{name}{EXTENSION_SUFFIX}"
    execute([*compiler, *LINK, *objects, *flags, "-o", library])
    return load(name, library)


def by_fishplate(out: Path, command: Path) -> ModuleType:
    build = [command, "build", HERE / "borders.toml", "--python", sys.executable, "--out", out]
    execute(build)
    return load(MODULE, out / f"{MODULE}{EXTENSION_SUFFIX}")


# Each is built if it is installed for this Python.
PEERS = {NANOBIND: by_nanobind, PYBIND11: by_pybind11, CYTHON: by_cython}


def samples(case: Case, tools: dict[str, ModuleType], effort: Effort) -> Samples:
    """For the tools that have this function."""
    loops = {}
    for name, module in tools.items():
        try:
            loops[name] = compile_case(case, module, name)
        except AttributeError:
            continue
    return sample_loops(loops, effort)


def measured(tools: dict[str, ModuleType], effort: Effort) -> Table:
    passes = [[samples(case, tools, effort) for case in ROWS] for _ in range(effort.passes)]
    others = [name for name in tools if name != BASELINE]
    rows = []
    for case, each in zip(ROWS, zip(*passes, strict=True), strict=True):
        times = summarise(each, BASELINE)
        cells = [
            [ratio(times[name].best_ratio), ratio(times[name].median_ratio)]
            if name in times
            else ["-", "-"]
            for name in others
        ]
        base = nanoseconds(times[BASELINE].best_ns)
        rows.append([case.title, base, *(cell for pair in cells for cell in pair)])
    header = [
        "",
        "by hand, ns",
        *(f"{name}{what}" for name in others for what in ("", " (median)")),
    ]
    return Table("Calls with other values (best of all rounds)", header, rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=DEFAULT_OUT, help="where to build")
    parser.add_argument("--command", type=Path, required=True, help="the command fishplate")
    parser.add_argument("--markdown", type=Path, help="write the table here, too")
    parser.add_argument("--quick", action="store_true", help="a smoke run")
    options = parser.parse_args()
    out = (options.out / "borders").resolve()
    out.mkdir(parents=True, exist_ok=True)
    tools = {
        BASELINE: by_hand(out),
        FISHPLATE: by_fishplate(out, options.command.resolve()),
        **{name: build(out) for name, build in PEERS.items() if installed(name)},
    }
    remarks = [f"- {name} is left out: it is not installed" for name in PEERS if name not in tools]
    table = measured(tools, QUICK if options.quick else FULL)
    heading = (
        f"{machine()}; one thread; times over those of the extension written by hand, "
        "smaller is faster."
    )
    print("\n\n".join([heading, as_text(table), *remarks]))
    if options.markdown:
        page = as_page(f"Calls by other means, {python()}", heading, as_markdown(table), *remarks)
        options.markdown.write_text(page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
