"""No document, diagnostic or message has a phrase of tests/phrases.toml, which lists replacements.

The documents are searched without their quotations: fenced blocks, and code between backticks. The
tables of docs/benchmarks are left out: they quote what programs print. The diagnostics are those of
tests/cases and tests/refused, without the lines of interfaces that they show. The messages are the
strings of several words in the C and the Python that run in modules and graphs. The comments are
those of all source files that people write.
"""

from __future__ import annotations

import ast
import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from comments import LANGUAGES, comments
from test_docs import FENCE, ROOT, documents

TABLES = tomllib.loads((ROOT / "tests" / "phrases.toml").read_text())
PHRASES: dict[str, str] = TABLES["phrases"]
INDENTED_FENCE = re.compile(r"^ +```.*?^ +```$", re.MULTILINE | re.DOTALL)


def prose(text: str) -> str:
    """The text without its quotations, each line where it was."""

    def blank(found: re.Match[str]) -> str:
        return "\n" * found[0].count("\n")

    text = INDENTED_FENCE.sub(blank, FENCE.sub(blank, text))
    return re.sub(r"`[^`]*`", lambda found: "``" + blank(found), text)


SHOWN = re.compile(r"^ *\d+ \|.*$", re.MULTILINE)  # a line of an interface


def found_in(text: str, phrases: dict[str, str] = PHRASES) -> list[str]:
    text, problems = prose(text), []
    for phrase, instead in phrases.items():
        # A phrase may extend over the end of a line.
        for found in re.finditer(phrase.replace(" ", r"\s+"), text, re.IGNORECASE):
            line = text.count("\n", 0, found.start()) + 1
            words = " ".join(found[0].split())
            problems.append(f"line {line}: not `{words}`, but: {instead}")
    return problems


WRITTEN_BY_PEOPLE = [page for page in documents() if page.parent.name != "benchmarks"]


@pytest.mark.parametrize(
    "document", WRITTEN_BY_PEOPLE, ids=lambda path: str(path.relative_to(ROOT))
)
def test_document_has_no_private_words(document: Path) -> None:
    problems = found_in(document.read_text())
    if problems:
        pytest.fail("\n".join(problems), pytrace=False)


@pytest.mark.parametrize("name", ["expected.stderr", "build.stderr"])
def test_diagnostics_have_no_private_words(name: str) -> None:
    folders = [ROOT / "tests" / "cases", ROOT / "tests" / "refused"]
    files = sorted(file for folder in folders for file in folder.glob(f"*/{name}"))
    assert files
    problems = [
        f"{path.relative_to(ROOT)}: {problem}"
        for path in files
        for problem in found_in(SHOWN.sub("", path.read_text()))
    ]
    if problems:
        pytest.fail("\n".join(problems), pytrace=False)


C_STRING = re.compile(r'/\*.*?\*/|//[^\n]*|"((?:[^"\\\n]|\\.)*)"', re.DOTALL)


def messages(file: Path) -> list[tuple[int, str]]:
    """The strings of several words in a file, without comments and docstrings, with their lines."""
    text = file.read_text()
    if file.suffix == ".py":
        nodes = [node for node in ast.walk(ast.parse(text)) if not isinstance(node, ast.Expr)]
        children = (child for node in nodes for child in ast.iter_child_nodes(node))
        found = [(one.lineno, one.value) for one in children if isinstance(one, ast.Constant)]
    else:
        found = [(text.count("\n", 0, m.start()) + 1, m[1]) for m in C_STRING.finditer(text)]
    return [(line, one) for line, one in found if isinstance(one, str) and " " in one]


def test_messages_have_no_private_words() -> None:
    listed = ["git", "ls-files", "bindings/*.[ch]", "bindings/*.hpp", "bindings/*.py", "crates/*.h"]
    files = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    found = [(file, *one) for file in files.split() for one in messages(ROOT / file)]
    assert len(found) > 1000
    problems = [
        f"{file}:{line}: {problem}"
        for file, line, message in found
        for problem in found_in(message)
    ]
    if problems:
        pytest.fail("\n".join(problems), pytrace=False)


def test_comments_have_no_private_words() -> None:
    listed = ["git", "ls-files", "*.py", "*.pyi", *(f"*{suffix}" for suffix in LANGUAGES)]
    files = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    written = {file for file in files.split() if "/golden/" not in file}
    finished = written - set(TABLES["unfinished"]["files"])
    assert len(finished) > 1000
    phrases = PHRASES | TABLES["comments"]
    problems = [
        f"{file}:{problem}"
        for file in sorted(finished)
        for problem in found_in(comments(ROOT / file), phrases)
    ]
    if problems:
        pytest.fail("\n".join(problems), pytrace=False)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.rs", "/// It is no\n/// array.\nlet x = \"texts\"; // a 'b' it"),
        ("a.c", 'char *s = "texts"; /* What is\n * none. */'),
        ("a.py", '"""A list of texts."""\nx = "texts"  # one\n'),
        ("a.lua", "local x = 'texts' -- two texts"),
    ],
)
def test_phrases_are_found_in_comments(name: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text(text)
    assert len(found_in(comments(file))) == 1
    assert comments(file).count("\n") == text.count("\n")


@pytest.mark.parametrize(
    "text",
    [
        "C gives back the handle.",
        "A list of\ntexts.",
        "```\nquoted texts\n```\nIt tells which one it is.",
    ],
)
def test_phrases_are_found(text: str) -> None:
    assert len(found_in(text)) == 1


def test_quotations_are_left_alone() -> None:
    assert not found_in("`texts`, and\n\n```text\nwhat is none\n```\n")
