"""The table of wrapped libraries counts what the examples have; `UPDATE=1` writes it."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from test_docs import ROOT

PAGE = ROOT / "docs" / "benchmarks" / "libraries.md"
CODE = ("header-code", "pre-call", "post-call")

# The builds that a person needed who had not seen the interface, as the page defines them.
BUILDS = {
    "archive": 1,
    "blas": 1,
    "color": 1,
    "cvode": 1,
    "deflate": 2,
    "document": 1,
    "eigen": 1,
    "expat": 3,
    "fits": 2,
    "fourier": 1,
    "gsl": 1,
    "hdf5": 1,
    "markup": 1,
    "mpfr": 1,
    "picture": 2,
    "planar": 2,
    "png": 1,
    "samplerate": 2,
    "sqlite": 1,
    "svm": 2,
    "tree": 1,
    "umfpack": 2,
}

# Examples whose library is their own code.
OWN = {"order", "stats"}


def strings(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Every string of a table with its key."""
    if isinstance(value, dict):
        for name, one in value.items():
            yield from strings(one, name)
    elif isinstance(value, list):
        for one in value:
            yield from strings(one, key)
    elif isinstance(value, str):
        yield key, value


def c_functions(interface: dict[str, Any]) -> set[str]:
    """The functions of C that an interface calls."""
    found = set()
    # A module calls its own functions, and the library one of the interface.
    own = interface["module"].get("init", [])
    for key, text in strings(interface):
        if key == "each" or (key == "init" and text in own):
            continue
        name = re.search(r"(\w+)\s*\(", text)
        if key in ("free", "close", "init", "clear") and re.fullmatch(r"\w+", text):
            found.add(text)
        elif name and key not in (*CODE, "doc", "descriptions"):
            found.add(name[1])
    return found


def row(path: Path) -> str:
    text = path.read_text()
    interface = tomllib.loads(text)
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    code = [line for key, one in strings(interface) if key in CODE for line in one.split("\n")]
    own = sum(1 for line in code if line.strip())
    readme = (path.parent / "README.md").read_text()
    title = readme.splitlines()[0].removeprefix("# ")
    against = re.search(
        r"`demo.py` compares (.*?)(?:, which it needs)?\.(?:\s|$)", readme, re.DOTALL
    )
    assert against, f"{path.parent.name}/README.md does not state what demo.py compares"
    link = f"[{title}](../../examples/{path.parent.name}/README.md)"
    compared = " ".join(against[1].split())
    builds = BUILDS.get(path.parent.name, "–")
    counts = f"{len(c_functions(interface))} | {len(lines)} | {own} | {builds}"
    return f"| {link} | {counts} | {compared} |"


def table() -> str:
    folders = sorted((ROOT / "examples").iterdir())
    paths = [f / f"{f.name}.toml" for f in folders if f.name not in OWN]
    rows = [row(path) for path in paths if path.exists()]
    counts = "C functions | interface, lines | C of the author, lines | builds"
    head = f"| Library | {counts} | compared |"
    return "\n".join([head, "|---|---:|---:|---:|---:|---|", *rows])


def test_table_of_libraries() -> None:
    text = PAGE.read_text()
    before, _, rest = text.partition("| Library |")
    after = rest.partition("\n\n")[2]
    wanted = f"{before}{table()}\n\n{after}"
    if os.environ.get("UPDATE"):
        PAGE.write_text(wanted)
    assert text == wanted, "run this test with UPDATE=1"
