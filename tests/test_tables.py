"""Tables of the documents that repeat code have exactly its names.

The table of steps is generated, by crates/driver/tests/documents.rs. The tables here explain more
than the code does, so only their names are compared.
"""

from __future__ import annotations

import inspect
import json
import re
import subprocess
from pathlib import Path

import pytest
from fishplate import inline
from test_docs import FENCE, ROOT

PAGES = ROOT / "docs"


def section(page: str, heading: str) -> str:
    """The text below a heading, up to the next one; headings within code do not count."""
    text = FENCE.sub("", (PAGES / page).read_text())
    parts = re.split(r"(?m)^#+ (.*)\n", text)
    found = dict(zip(parts[1::2], parts[2::2], strict=True))
    return found[heading]


def names(text: str) -> set[str]:
    """The names in backticks in the first column of a section's first table."""
    rows = re.search(r"(?m)^\|[-|]+\|\n((?:\|.*\n?)+)", text)
    assert rows, text
    cells = [row.split(" | ")[0] for row in rows[1].splitlines()]
    return {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)}


def schema() -> dict:
    return json.loads((PAGES / "interface.schema.json").read_text())


@pytest.mark.parametrize(
    ("table", "page", "heading"),
    [
        ("Module", "file.md", "`[module]`"),
        ("Function", "file.md", "`[function.NAME]`"),
        ("Enum", "enums-and-structs.md", "`[enum.NAME]`"),
        ("Struct", "enums-and-structs.md", "`[struct.NAME]`"),
        ("Handle", "handles.md", "`[handle.NAME]`"),
        ("Callback", "callbacks.md", "`[callback.NAME]`"),
        ("Status", "errors.md", "Return codes"),
    ],
)
def test_keys_of_a_table(table: str, page: str, heading: str) -> None:
    keys = set(schema()["$defs"][f"{table}Table"]["properties"])
    assert names(section(f"interface/{page}", heading)) == keys


def test_tables_of_an_interface() -> None:
    tables = names(section("interface/file.md", "The file"))
    listed = {re.split(r"[\[\].]", name)[1] for name in tables}
    assert listed == set(schema()["properties"])


def test_every_page_is_in_the_index() -> None:
    index = (PAGES / "interface" / "README.md").read_text()
    linked = set(re.findall(r"\]\(([\w-]+\.md)\)", index))
    pages = {page.name for page in (PAGES / "interface").glob("*.md")}
    assert linked == pages - {"README.md"}


def test_annotations_of_headers(fishplate: Path) -> None:
    header = run(fishplate, "init", "--annotations", "--out", "-")
    defined = set(re.findall(r"(?m)^#define (FP_\w+)", header))
    parts = [section("header.md", heading) for heading in ("Parameters", "Functions")]
    listed = {word for part in parts for word in re.findall(r"\bFP_\w+", " ".join(names(part)))}
    assert listed == defined - {"FP_MODULE"}


def test_options_of_init(fishplate: Path) -> None:
    printed = run(fishplate, "init", "--help")
    options = set(re.findall(r"(?m)^ +(?:-\w, )?(--[\w-]+)", printed))
    listed = " ".join(names(section("command.md", "fishplate init")))
    assert set(re.findall(r"--[\w-]+", listed)) == options - {"--json", "--help"}


def test_commands(fishplate: Path) -> None:
    printed = run(fishplate, "--help")
    commands = re.search(r"(?m)^Commands:\n((?:  .*\n)+)", printed)
    assert commands, printed
    headings = re.findall(r"(?m)^## fishplate ([\w-]+)$", (PAGES / "command.md").read_text())
    assert set(headings) == set(re.findall(r"(?m)^  (\w[\w-]*)", commands[1])) - {"help"}


def test_keywords_of_inline() -> None:
    keywords = set(inspect.signature(inline).parameters) - {"code"}
    assert names(section("python.md", "`fishplate.inline`")) == keywords


def run(fishplate: Path, *arguments: str) -> str:
    done = subprocess.run([fishplate, *arguments], capture_output=True, text=True, check=True)
    return done.stdout


def test_headers_for_c() -> None:
    """The page names every header of the package, and no other."""
    folder = ROOT / "bindings/python/fishplate/include"
    found = {str(path.relative_to(folder)) for path in folder.rglob("*.h*")}
    named = set(re.findall(r"`(fishplate/[\w.]+)`", (PAGES / "headers.md").read_text()))
    assert named == found
