"""The pages for users of other tools do what they show, with the other tools too.

Each page continues docs/coming-from/README.md, which has the library. A line
`<!-- calls TOOL: MODULE, ... -->` is followed by a table of what the calls in CALLS return or raise
in each module and in that of Fishplate; UPDATE=1 writes it.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import sys
from pathlib import Path

import luas
import pytest
from compilers import ALL, unoptimised
from needs import lacking, program
from test_docs import ROOT, UPDATE, Block, blocks, perform, run, session

FOLDER = ROOT / "docs" / "coming-from"
INDEX = FOLDER / "README.md"
# The Python packages that a page needs, besides those of the other tests.
NEEDS = {"cffi.md": "cffi", "cython.md": "Cython", "pybind11.md": "nanobind", "swig.md": "swig"}
# These build quickly; `cargo xtask test --all` builds the modules of all tools.
QUICK = ["ctypes.md", "theano.md", "wrap.md", "xndtools.md"]
PAGES = sorted(page.name for page in FOLDER.glob("*.md") if page != INDEX)
MARK = re.compile(r"^<!-- calls (.+) -->\n\n((?:\|.*\n)*)\n", re.MULTILINE)

CALLS = [
    "mean([1, 2, 6])",
    "mean(np.arange(6.0)[::2])",
    "mean(np.array([1, 2, 6], 'float32'))",
    "mean([1, 2j])",
    "mean([1, 2, 6], [1, 2])",
    "mean([[1, 2], [3, 4]])",
    "mean('text')",
    "smooth(np.array([1.0, 2, 6]))",
    "smooth(np.array([1.0, 2, 6]), 2)",
    "smooth(np.array([1.0, 2, 6]), 1.5)",
    "Average(0.5).push(2)",
    "Average(2)",
]

# Each call is made in a process of its own, since it may crash.
SCRIPT = r"""
import importlib, json, os, sys, warnings
import numpy as np

def describe(module, call):
    if not hasattr(module, call.split("(")[0]):
        return "not available"
    with warnings.catch_warnings(record=True) as issued:
        warnings.simplefilter("always")
        try:
            shown = " ".join(repr(eval(call, {"np": np}, vars(module))).split())
        except Exception as error:
            lines = str(error).splitlines() or [""]
            shown = f"{type(error).__name__}: {lines[0]}" + (" ..." if lines[1:] else "")
    return shown + "".join(f", {each.category.__name__}" for each in issued)

def isolated(module, call):
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, describe(module, call).encode())
        os._exit(0)
    os.close(writer)
    with open(reader) as pipe:
        shown = pipe.read()
    _, status = os.waitpid(child, 0)
    return f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else shown

calls, modules = json.loads(sys.argv[1]), [importlib.import_module(name) for name in sys.argv[2:]]
print(json.dumps([[isolated(module, call) for module in modules] for call in calls]))
"""


def code(text: str) -> str:
    """The text as code in a cell of a table."""
    text = text.replace("|", "\\|")
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def lines(found: list[Block]) -> int:
    """How many lines files have, without empty ones and their names."""
    return sum(line.strip() != "" for block in found for line in block.text.splitlines()[1:])


def counts(page: Path, modules: list[str]) -> list[int]:
    """How many lines the page has for each module; a file is of the modules that it names."""
    files = [block for block in blocks(page) if block.file is not None]
    peers = [block for block in files if block.file != "series.toml"]
    if len(modules) == 2:  # all others are of the one tool
        return [lines(peers), lines([block for block in files if block not in peers])]
    own = [lines([block for block in files if name in block.text]) for name in modules[:-1]]
    return [*own, lines([block for block in files if block not in peers])]


def table(page: Path, marked: str, folder: Path) -> str:
    """The output of each call, by the modules that were built in the folder."""
    tools = [tool.split(": ") for tool in marked.split(", ")]
    names = [name for name, _ in tools] + ["Fishplate"]
    modules = [module for _, module in tools] + ["series"]
    done = run([sys.executable, "-c", SCRIPT, json.dumps(CALLS), *modules], folder)
    assert done.returncode == 0, done.stdout
    rows = [f"| Call | {' | '.join(names)} |", "|---" * (len(names) + 1) + "|"]
    for call, results in zip(CALLS, json.loads(done.stdout.splitlines()[-1]), strict=True):
        rows.append(f"| {' | '.join(map(code, [call, *results]))} |")
    rows.append(f"| Lines of code | {' | '.join(map(str, counts(page, modules)))} |")
    return "".join(f"{row}\n" for row in rows)


def prepare(page: Path, folder: Path) -> None:
    """The tools that a page needs."""
    package = NEEDS.get(page.name)
    if package is not None and importlib.util.find_spec(package) is None:
        lacking(package, "run `cargo xtask setup`")
    if page.name == "swig.md":
        # A file of NumPy's repository, which no package has.
        file = os.environ.get("NUMPY_I") or lacking(
            "numpy.i", "name NumPy's tools/swig/numpy.i in $NUMPY_I", optional=True
        )
        shutil.copy(file, folder)
    if page.name in ("f2py.md", "ctypes.md"):
        program("gcc")


@pytest.mark.parametrize("name", PAGES if ALL else QUICK)
def test_page_does_what_it_shows(name: str, fishplate: Path, tmp_path: Path) -> None:
    page = FOLDER / name
    prepare(page, tmp_path)
    for block in blocks(INDEX):
        if block.file is not None:
            (tmp_path / block.file).write_text(block.text)
    text, problems = perform(page, tmp_path, fishplate)
    sessions = [*blocks(INDEX), *blocks(page)] if "<!-- calls" in text else blocks(page)
    problems += session(sessions, tmp_path)
    assert len(MARK.findall(text)) == text.count("<!-- calls")
    for marked in MARK.finditer(text):
        now = table(page, marked[1], tmp_path)
        if now != marked[2]:
            problems.append(f"the calls are\n{now}")
        text = text.replace(marked[0], f"<!-- calls {marked[1]} -->\n\n{now}\n")
    if UPDATE:
        page.write_text(text)
    if problems:
        pytest.fail(f"{name}\n" + "\n".join(problems), pytrace=False)


@pytest.mark.parametrize("name", ["coming-from/wrap.md", "tutorials/lua.md"])
def test_calls_from_lua(name: str, fishplate: Path, tmp_path: Path) -> None:
    """The ```lua blocks of a page that are no files; `-->` precedes the printed text."""
    luas.need("lua5.4")
    found = blocks(ROOT / "docs" / name)
    for block in [*blocks(INDEX), *found]:
        if block.file is not None:
            (tmp_path / block.file).write_text(block.text)
    (interface,) = (block.file for block in found if block.language == "toml")
    environment = {**unoptimised(os.environ), "LUA_CPATH": f"{tmp_path}/?.so"}
    lua = ["--lua", "lua5.4", "--out", tmp_path]
    luas.run([fishplate, "build", tmp_path / interface, "--host", "lua", *lua], env=environment)
    luas.run([fishplate, "lua-library", *lua], env=environment)
    script = "".join(each.text for each in found if each.language == "lua" and each.file is None)
    done = luas.run(["lua5.4", "-e", script], env=environment)
    printed = [re.sub(r"\b(\d+)\.0\b", r"\1", line) for line in done.stdout.splitlines()]
    assert printed == re.findall(r"--> ?(.*)", script)


def test_interfaces_of_all_pages_are_equal() -> None:
    """Pages repeat the interface of the index, so that it stands next to the other tool's code."""
    (expected,) = (block.text for block in blocks(INDEX) if block.file == "series.toml")
    for name in PAGES:
        found = [block.text for block in blocks(FOLDER / name) if block.file == "series.toml"]
        assert found == [expected], name


def test_index_names_all_pages() -> None:
    text = INDEX.read_text()
    assert all(f"({name})" in text for name in PAGES)
