"""C++ libraries wrapped by Fishplate and by nanobind: the same results, then sizes and times.

Both tools wrap `drawing.hpp`, and muParser and pugixml of Debian, from hand-written interfaces.
"""

from __future__ import annotations

import argparse
import enum
import importlib.util
import os
import resource
import shlex
import shutil
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any

import nanobind
from machine import machine, quiet_interpreter
from tables import Table, as_markdown, as_page, as_text, nanoseconds, ratio

HERE = Path(__file__).resolve().parent
SUFFIX: str = sysconfig.get_config_var("EXT_SUFFIX")
CXX = shlex.split(os.environ.get("CXX", "g++"))
FLAGS = ["-std=c++17", "-O3", "-DNDEBUG", "-fPIC", "-fvisibility=hidden"]
# Of nanobind's own build.
LIBRARY_FLAGS = ["-fno-strict-aliasing", "-ffunction-sections", "-fdata-sections"]
NANOBIND_FLAGS = ["-DNB_COMPACT_ASSERTIONS"]
LIBRARIES = {"drawing": [], "muparser": ["-lmuparser"], "pugixml": ["-lpugixml"]}
TOOLS = ("Fishplate", "nanobind")

# Title, statement, and the names in it; the value of the statement is compared.
Row = tuple[str, str, Callable[[Any], dict[str, Any]]]
DRAWING: list[Row] = [
    ("a new object, `Point(1, 2)`", "P(1.0, 2.0)", lambda m: {"P": m.Point}),
    ("a method, `p.norm()`", "p.norm()", lambda m: {"p": m.Point(3, 4)}),
    ("a virtual method of the base, `c.area()`", "c.area()", lambda m: {"c": m.Circle(2)}),
    ("a property, `c.radius`", "c.radius", lambda m: {"c": m.Circle(2)}),
    ("a field, `p.x`", "p.x", lambda m: {"p": m.Point(3, 4)}),
    ("an operator, `p + q`", "p + p", lambda m: {"p": m.Point(3, 4)}),
    ("an item, `p[1]`", "p[1]", lambda m: {"p": m.Point(3, 4)}),
    ("two objects, `total(a, b)`", "f(a, a)", lambda m: {"f": m.total, "a": m.Circle(2)}),
    ("an overload, `c.grown(0.5)`", "c.grown(0.5)", lambda m: {"c": m.Circle(2)}),
    ("a `unique_ptr`, `make_circle(2)`", "f(2.0)", lambda m: {"f": m.make_circle}),
    ("a default, `power(3.0)`", "f(3.0)", lambda m: {"f": m.power}),
    ("a keyword, `power(3.0, n=3)`", "f(3.0, n=3)", lambda m: {"f": m.power}),
    ('a string, `greet("you")`', 'f("you")', lambda m: {"f": m.greet}),
    ("a `vector`, a list of 3", "f(x)", lambda m: {"f": m.mean, "x": [1.0, 2.0, 4.0]}),
    ("a `vector`, a list of 1000", "f(x)", lambda m: {"f": m.mean, "x": [1.0] * 1000}),
    ("a returned `vector` of 3", "f(3)", lambda m: {"f": m.squares}),
    ("a returned `vector` of 1000", "f(1000)", lambda m: {"f": m.squares}),
    ("a list of 3 `str`", "f(x)", lambda m: {"f": m.longest, "x": ["a", "bcd", "ef"]}),
    ("an `optional`, `or_zero(2.5)`", "f(2.5)", lambda m: {"f": m.or_zero}),
    ("an enum, `next(Color.red)`", "f(c)", lambda m: {"f": m.next, "c": m.Color.red}),
    (
        "a `std::function`",
        "f(g, 0.0, 2.0)",
        lambda m: {"f": m.integrate, "g": lambda x: x * x},
    ),
]


def parser(m: Any) -> Any:
    made = m.Parser()
    made.DefineConst("a", 3.0)
    made.SetExpr("2 * a + 1")
    return made


MUPARSER: list[Row] = [
    ("`p.Eval()`", "p.Eval()", lambda m: {"p": parser(m)}),
    ("`p.SetExpr(...)`", 'p.SetExpr("2 * a + 1")', lambda m: {"p": parser(m)}),
    ("`p.GetExpr()`", "p.GetExpr()", lambda m: {"p": parser(m)}),
    ("`p.HasBuiltInOprt()`", "p.HasBuiltInOprt()", lambda m: {"p": parser(m)}),
]

XML = "<a x='1'>" + "".join(f"<b k='{k}.5'>{k}</b>" for k in range(100)) + "</a>"


def root(m: Any) -> Any:
    document = m.xml_document()
    document.load_string(XML)
    return document.child("a")


def names(node: Any) -> list[str]:
    """The text of all children."""
    found = []
    child = node.first_child()
    while not child.empty():
        found.append(child.child_value())
        child = child.next_sibling()
    return found


PUGIXML: list[Row] = [
    (
        "a document, `bool(d.load_string(text))`",
        "bool(d.load_string(text))",
        lambda m: {"d": m.xml_document(), "text": XML},
    ),
    ("a `const char *`, `a.name()`", "a.name()", lambda m: {"a": root(m)}),
    ('an object that needs another, `a.child("b")`', 'a.child("b")', lambda m: {"a": root(m)}),
    (
        'two calls, `b.attribute("k").as_double()`',
        'b.attribute("k").as_double()',
        lambda m: {"b": root(m).first_child()},
    ),
    (
        "an operator, `a == b`",
        "a == b",
        lambda m: {"a": root(m), "b": root(m).first_child().parent()},
    ),
    (
        'an overload, `x.set_value("1.5")`',
        'x.set_value("1.5")',
        lambda m: {"x": root(m).attribute("x")},
    ),
    (
        "an overload, `x.set_value(1.5)`",
        "x.set_value(1.5)",
        lambda m: {"x": root(m).attribute("x")},
    ),
    (
        'a change, `a.remove_child(a.append_child("c"))`',
        'a.remove_child(a.append_child("c"))',
        lambda m: {"a": root(m)},
    ),
    (
        "an XPath, `a.select_node(q).node()`",
        "a.select_node(q).node()",
        lambda m: {"a": root(m), "q": m.xpath_query("b[@k='50.5']")},
    ),
    ("a `std::string`, `b.path()`", "b.path()", lambda m: {"b": root(m).first_child()}),
    (
        'a `std::ostream`, `b.print("", 0)`',
        'b.print("", 0)',
        lambda m: {"b": root(m).first_child()},
    ),
    (
        "a loop over 100 siblings, and their text",
        "f(a)",
        lambda m: {"f": names, "a": root(m)},
    ),
]

ERRORS = [
    "m.Point(1)",
    'm.Point("a", 2)',
    "m.Circle(-1.0)",
    "m.Circle(2).area(1)",
    "m.Circle(2).larger(3)",
    "m.mean([])",
    'm.mean([1.0, "a"])',
    "m.power(1.0, 2.5)",
    "m.power(1.0, m=2)",
    "m.Shape()",
    "m.next(7)",
    "m.Point(1, 2) + 1",
    "m.squares(-1)",
]

PUGIXML_ERRORS = [
    "m.xml_document().child(1)",
    "m.xml_document().load_string(None)",
    'm.xml_document().load_string("<a/>", -1)',
    'm.xml_document().append_child("a").append_attribute("b").set_value([])',
    'm.xml_document().append_child("a").attribute("b").as_int("c")',
    'm.xpath_query("///")',
    "m.xml_node()",
]

MODULES: list[tuple[str, list[Row], list[str]]] = [
    ("drawing", DRAWING, ERRORS),
    ("muparser", MUPARSER, []),
    ("pugixml", PUGIXML, PUGIXML_ERRORS),
]


class Clock:
    """The processor's seconds of the commands in a `with`, which other programs do not change."""

    def __enter__(self) -> Clock:
        self.seconds = -self.now()
        return self

    def __exit__(self, *_: object) -> None:
        self.seconds += self.now()

    @staticmethod
    def now() -> float:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime


def execute(*command: str | Path, **environment: str) -> None:
    done = subprocess.run(
        [str(part) for part in command],
        env={**os.environ, **environment},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    if done.returncode != 0:
        raise SystemExit(f"{shlex.join(map(str, command))}\n{done.stdout}")


def by_fishplate(command: Path, name: str, out: Path) -> tuple[float, float]:
    """The seconds of the first build on a machine, and of one after a change."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    seconds = []
    text = (HERE / f"{name}.toml").read_text()
    shutil.copy(HERE / "drawing.hpp", out)
    for doc in ("first", "second"):
        file = out / f"{name}.toml"
        file.write_text(text.replace("[module]", f'[module]\ndoc = "{doc}"'))
        with Clock() as clock:
            execute(
                *(command, "build", file, "--python", sys.executable, "--out", out),
                FISHPLATE_CACHE_DIR=str(out / "cache"),
                CXX=shlex.join(CXX),
            )
        seconds.append(clock.seconds)
    return seconds[0], seconds[1]


def by_nanobind(name: str, out: Path) -> tuple[float, float]:
    """The same; nanobind's library is compiled in the first."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    sources = Path(nanobind.source_dir())
    robin = sources.parent / "ext" / "robin_map" / "include"
    folders = [sysconfig.get_path("include"), nanobind.include_dir(), robin, HERE]
    options = [*FLAGS, *NANOBIND_FLAGS, *(f"-I{folder}" for folder in folders)]
    with Clock() as first:
        library = out / "nb.o"
        source = sources / "nb_combined.cpp"
        execute(*CXX, *options, *LIBRARY_FLAGS, "-c", source, "-o", library)
    with Clock() as later:
        execute(*CXX, *options, "-c", HERE / f"{name}_nanobind.cpp", "-o", out / "module.o")
        made = out / f"{name}{SUFFIX}"
        objects = [library, out / "module.o"]
        link = ["-shared", "-Wl,--gc-sections", *LIBRARIES[name]]
        execute(*CXX, *objects, *link, "-o", made)
    stub = out / f"{name}.pyi"
    execute(
        *(sys.executable, "-m", "nanobind.stubgen", "-m", name, "-o", stub), PYTHONPATH=str(out)
    )
    return first.seconds + later.seconds, later.seconds


def load(folder: Path, name: str, tool: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, folder / f"{name}{SUFFIX}")
    if spec is None or spec.loader is None:
        raise SystemExit(f"{tool}: {name} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def lines(path: Path) -> int:
    """Lines that are neither empty nor comments."""
    text = (line.strip() for line in path.read_text().splitlines())
    return sum(bool(line) and not line.startswith(("#  ", "# ", "//")) for line in text)


def stripped(path: Path) -> int:
    copy = path.with_suffix(".stripped")
    execute("strip", "-o", copy, path)
    return copy.stat().st_size


def plain(value: Any) -> Any:
    """A value that two modules can have in common."""
    if isinstance(value, enum.Enum):
        return value.name
    if hasattr(value, "tolist"):
        return value.tolist()
    if hasattr(value, "norm"):
        return (value.x, value.y)
    if hasattr(value, "child_value"):
        return (value.name(), value.child_value())
    if hasattr(value, "radius"):
        return (value.area(), value.name(), value.radius)
    return value


def best_times(row: Row, modules: dict[str, ModuleType], rounds: int) -> dict[str, float]:
    """The nanoseconds of a call: the best of all rounds, in which the tools take turns."""
    title, statement, names = row
    loops: dict[str, Callable[[int], float]] = {}
    values = {}
    for tool, module in modules.items():
        scope: dict[str, Any] = {"clock": time.perf_counter_ns, **names(module)}
        values[tool] = plain(eval(statement, scope))
        body = "\n".join(["        " + statement] * 8)
        given = ", ".join(f"{name}={name}" for name in scope if name != "__builtins__")
        source = (
            f"def loop(n, {given}):\n    start = clock()\n    for _ in range(n):\n{body}\n"
            "    return (clock() - start) / (8 * n)"
        )
        exec(source, scope)
        loops[tool] = scope["loop"]
    if len({str(value) for value in values.values()}) != 1:
        raise SystemExit(f"{title}: the results differ: {values}")
    count = max(1, int(200_000 / max(1.0, 8 * loops[TOOLS[0]](20))))
    best = dict.fromkeys(loops, float("inf"))
    for _ in range(rounds):
        for tool, loop in loops.items():
            best[tool] = min(best[tool], loop(count))
    return best


def message(statement: str, module: ModuleType) -> str:
    try:
        value = eval(statement, {"m": module})
    except Exception as error:
        text = " ".join(str(error).split())
        return f"{type(error).__name__}: {text if len(text) < 160 else text[:157] + '...'}"
    return f"no error: {value!r}"


def calls(title: str, rows: list[Row], modules: dict[str, ModuleType], rounds: int) -> Table:
    made = []
    for row in rows:
        best = best_times(row, modules, rounds)
        over = ratio(best["Fishplate"] / best["nanobind"])
        made.append([row[0], nanoseconds(best["nanobind"]), nanoseconds(best["Fishplate"]), over])
    header = ["", "nanobind, ns", "Fishplate, ns", "Fishplate / nanobind"]
    return Table(title, header, made)


def amounts(name: str, seconds: dict[str, tuple[float, float]], out: Path) -> Table:
    sources = {"Fishplate": f"{name}.toml", "nanobind": f"{name}_nanobind.cpp"}
    stub = {tool: out / tool / name / f"{name}.pyi" for tool in TOOLS}
    rows = [
        ["lines of the interface", *(str(lines(HERE / sources[tool])) for tool in TOOLS)],
        ["first build, CPU seconds", *(f"{seconds[tool][0]:.1f}" for tool in TOOLS)],
        ["build after a change, CPU seconds", *(f"{seconds[tool][1]:.1f}" for tool in TOOLS)],
        [
            "stripped module, KiB",
            *(f"{stripped(out / t / name / f'{name}{SUFFIX}') / 1024:.0f}" for t in TOOLS),
        ],
        ["lines of the stub, with docstrings", *(str(lines(stub[tool])) for tool in TOOLS)],
    ]
    return Table(f"{name}: amounts", ["", *TOOLS], rows)


def excerpt(path: Path, *words: str) -> str:
    """The lines of a stub about these functions."""
    found = [
        line
        for line in path.read_text().splitlines()
        if any(line.strip().startswith(f"def {word}(") for word in words)
    ]
    return "\n".join(found)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--fishplate", type=Path, required=True, help="the command")
    arguments.add_argument("--out", type=Path, required=True, help="where to build")
    arguments.add_argument("--markdown", type=Path, help="write the tables")
    arguments.add_argument("--quick", action="store_true", help="a smoke run: few rounds")
    chosen = arguments.parse_args()
    out, rounds = chosen.out.resolve(), 3 if chosen.quick else 60
    parts = []
    for name, rows, errors in MODULES:
        folders = {tool: out / tool / name for tool in TOOLS}
        seconds = {
            "Fishplate": by_fishplate(chosen.fishplate.resolve(), name, folders["Fishplate"]),
            "nanobind": by_nanobind(name, folders["nanobind"]),
        }
        modules = {tool: load(folder, name, tool) for tool, folder in folders.items()}
        parts.append(amounts(name, seconds, out))
        with quiet_interpreter():
            parts.append(calls(f"{name}: calls", rows, modules, rounds))
        messages = [
            [f"`{one}`", *(message(one, modules[tool]) for tool in TOOLS)] for one in errors
        ]
        if messages:
            parts.append(Table(f"{name}: errors", ["", *TOOLS], messages))
    compiler = subprocess.run([*CXX, "--version"], text=True, capture_output=True, check=True)
    heading = (
        f"{machine()}; nanobind {metadata.version('nanobind')}; "
        f"{compiler.stdout.splitlines()[0]}. One thread, on one core. nanobind is compiled with "
        f"`{' '.join([*FLAGS, *NANOBIND_FLAGS])}`, Fishplate with its own flags. The interfaces "
        "are those of `benches/cpp`: `drawing.hpp` with some 35 members, and of Debian muParser "
        "and pugixml, with 9 and 32 members. Each row was run by both, and the results were equal, "
        "but that Fishplate returns a "
        "`std::vector` of numbers as an array, nanobind as a list. Times are the best of "
        f"{rounds} rounds, in which the tools take turns; a ratio above 1 is a row that Fishplate "
        "loses. Fishplate locks the objects of a call, nanobind does not. Seconds are those of the "
        "processor, the first build with what a tool compiles once for all modules."
    )
    stubs = []
    for tool in TOOLS:
        stub = out / tool / "drawing" / "drawing.pyi"
        shown = excerpt(stub, "mean", "squares", "label", "integrate", "grown", "power")
        stubs.append(f"{tool}:\n\n```python\n{shown}\n```")
    print("\n\n".join([heading, *map(as_text, parts), *stubs]))
    if chosen.markdown:
        title = "C++ libraries, next to nanobind"
        stub_title = "**drawing: a part of the stubs**"
        page = as_page(title, heading, *map(as_markdown, parts), stub_title, *stubs)
        chosen.markdown.write_text(page)


if __name__ == "__main__":
    main()
