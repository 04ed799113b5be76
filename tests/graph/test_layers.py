"""The parts of `fishplate.graph` import one another in one direction.

A part is a folder of the package or a module next to them. LAYERS has the parts that each may
import, at its top, within functions and for type checkers alike.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "bindings/python/fishplate/graph"

LAYERS: dict[str, set[str]] = {
    "core": set(),
    "errors": {"core"},
    "tensors": {"core"},
    "shared": {"core", "tensors"},
    "wrapped": {"core", "tensors"},
    "pickling": {"tensors"},
    "signature": {"core", "tensors"},
    "show": {"core", "shared"},
    "link": {"core", "errors", "show", "tensors"},
    "inspection": {"core", "link", "show"},
    "documentation": {"signature"},
    "export": {"core", "errors", "link", "shared", "signature", "tensors"},
    "function": {
        "core", "documentation", "errors", "export", "inspection", "link", "pickling", "shared",
        "show", "signature", "tensors",
    },
    "compile": {"function", "shared", "signature", "tensors"},
}  # fmt: skip


def part_of(file: Path) -> str:
    """The folder of a file, or the module that it is."""
    return file.relative_to(PACKAGE).with_suffix("").parts[0]


def imported(file: Path) -> Iterator[str]:
    """The parts that a file imports, including its own."""
    folders = file.relative_to(PACKAGE).parts[:-1]
    for node in ast.walk(ast.parse(file.read_text())):
        if not isinstance(node, ast.ImportFrom):
            continue
        if node.level:
            path = [*folders[: len(folders) - node.level + 1], *(node.module or "").split(".")]
        elif (node.module or "").startswith("fishplate.graph"):
            path = (node.module or "").split(".")[2:]
        else:
            continue
        first = [part for part in path if part][:1]
        yield from first or (alias.name for alias in node.names)


def test_an_import_loads_only_what_every_graph_needs() -> None:
    """Modules for pictures, export and exact fractions are loaded when they are first used."""
    code = (
        "import sys, numpy; before = set(sys.modules); import fishplate.graph; "
        "print(*set(sys.modules) - before)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "fishplate.graph.function" in loaded
    late = {"pathlib", "html", "fractions", "urllib", "urllib.parse"}
    late |= {"fishplate.graph.export", "fishplate.graph.show.picture"}
    assert not late & loaded, late & loaded


def test_every_part_has_a_layer() -> None:
    files = [file for file in PACKAGE.rglob("*.py") if file != PACKAGE / "__init__.py"]
    assert {part_of(file) for file in files} == set(LAYERS)


@pytest.mark.parametrize("part", LAYERS)
def test_imports_lead_to_earlier_layers(part: str) -> None:
    order = list(LAYERS)
    assert all(order.index(other) < order.index(part) for other in LAYERS[part])
    files = [file for file in PACKAGE.rglob("*.py") if file != PACKAGE / "__init__.py"]
    found = {one for file in files if part_of(file) == part for one in imported(file)}
    assert found - {part} == LAYERS[part]
