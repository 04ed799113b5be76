"""The documentation's examples work as shown.

In the documents below, fenced blocks are run, in order, in a folder of the document's own:

    a first line `// NAME`, `# NAME`, `-- NAME`, `! NAME` or `/* NAME */`   a file of that name
    ```console     each `$ fishplate ...`, `$ python ...`, `$ gcc ...` and `$ cmake ...` is run and
                   must print what follows it, `...` standing for any text
    ```pycon       one Python session through the whole document, at its end, by doctest's rules
    ```c           without a file's name: part of a file that the commands wrote, `...` standing
                   for any lines
    ```toml        an interface, or functions of one, that `fishplate check` accepts; a file whose
                   name begins with `wrong` shows a mistake

A document with `<!-- continues PAGE -->` begins where that page of the same folder ends: with its
files, its modules and its session.

Blocks of other kinds, such as ```sh and ```text, are only read by people. UPDATE=1 writes what the
commands print, unless the document abbreviates it with `...`.
"""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

import pytest
from compilers import unoptimised

ROOT = Path(__file__).resolve().parent.parent
UPDATE = os.environ.get("UPDATE") == "1"
DOCUMENTS = [
    "README.md",
    "docs/index.md",
    *sorted(
        str(page.relative_to(ROOT))
        for folder in ("interface", "tutorials", "how-to")
        for page in (ROOT / "docs" / folder).glob("*.md")
    ),
    "docs/header.md",
    "docs/python.md",
    "docs/kernels.md",
    "docs/command.md",
    "docs/debugging.md",
    "docs/architecture.md",
    "docs/lua.md",
    "docs/wrap.md",
    "docs/graph.md",
]
FENCE = re.compile(r"^```(\w*|\{[\w-]+\}.*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^(?:// |# |-- |! |/\* )([\w./-]+\.\w+)(?: \*/)?\n")
CONTINUES = re.compile(r"^<!-- continues ([\w.-]+) -->$", re.MULTILINE)

# A session is checked as a whole; `...` is allowed in it, and every failure is shown.
# Of an exception, older doctests compare the last line alone: with notes, that is not its message.
SESSION = """
import doctest, sys, traceback, types
doctest.traceback = types.SimpleNamespace(
    format_exception_only=lambda *error: ["".join(traceback.format_exception_only(*error))],
    print_exception=traceback.print_exception)
failed, _ = doctest.testfile(
    sys.argv[1], module_relative=False, optionflags=doctest.ELLIPSIS | doctest.REPORT_UDIFF)
sys.exit(failed != 0)
"""


@pytest.fixture(scope="session")
def fishplate() -> Path:
    """The command: $FISHPLATE, else what Cargo built last."""
    named = os.environ.get("FISHPLATE")
    candidates = (
        [Path(named)]
        if named
        else [ROOT / "target" / profile / "fishplate" for profile in ("release", "debug")]
    )
    found = [path for path in candidates if path.is_file()]
    if not found:
        pytest.fail("no command was found: run `cargo build`, or set FISHPLATE", pytrace=False)
    return max(found, key=lambda path: path.stat().st_mtime).resolve()


@dataclass
class Block:
    language: str
    text: str
    line: int

    @property
    def file(self) -> str | None:
        """The name in the first line."""
        found = FILE.match(self.text)
        return found and found[1]


def blocks(document: Path) -> list[Block]:
    text = document.read_text()
    found = FENCE.finditer(text)
    return [Block(m[1], m[2], text.count("\n", 0, m.start()) + 2) for m in found]


def run(command: list[object], folder: Path) -> subprocess.CompletedProcess:
    # The modules that were built in the folder, and the package.
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    own = {
        "NO_COLOR": "1",
        "PYTHONPATH": path,
        "MYPYPATH": str(folder),
        "VIRTUAL_ENV": sys.prefix,  # whose Python has NumPy
    }
    own["COLUMNS"] = "100"  # independent of terminal and user
    # The runtime and the types of NumPy are the same in all documents, so they share caches.
    own["FISHPLATE_CACHE_DIR"] = str(folder.parent / "cache")
    own["MYPY_CACHE_DIR"] = str(folder.parent / "mypy")
    # `doctor` reports the environment of users.
    env = dict(os.environ) if "doctor" in command else unoptimised(os.environ, same=True)
    # The build tools of the Python that runs the tests.
    env["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), env.get("PATH", os.defpath)])
    return subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env={**env, **own},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
    )


def printed(line: str, folder: Path, fishplate: Path) -> str | None:
    """The output of a command line of a document here; None if it is not run."""
    words = shlex.split(line)
    if words[0] == "fishplate":
        words[0] = str(fishplate)
        if words[1] in ("build", "doctor"):
            words += ["--python", sys.executable]
    elif words[0] == "python":
        words[0] = sys.executable
    elif words[0] not in ("gcc", "cmake"):
        return None
    output = run(words, folder).stdout
    # As in the documents, for any Python.
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    output = output.replace(suffix, ".cpython-311-x86_64-linux-gnu.so")
    return "".join(line.rstrip() + "\n" for line in output.splitlines())


def agrees(output: str, shown: str) -> bool:
    pattern = ".*".join(re.escape(part) for part in shown.rstrip().split("..."))
    return re.fullmatch(pattern, output.rstrip(), re.DOTALL) is not None


def console(block: Block, folder: Path, fishplate: Path) -> tuple[str, list[str]]:
    """The corrected block, and its errors."""
    parts = re.split(r"(?m)^\$ (.*)\n", block.text)
    text, problems = parts[0], []
    for line, shown in zip(parts[1::2], parts[2::2], strict=True):
        output = printed(line, folder, fishplate)
        if output is not None and not agrees(output, shown):
            problems.append(f"line {block.line}: `{line}` printed\n{output}\nnot\n{shown}")
            if "..." not in shown:
                shown = output.rstrip() + "\n" + ("\n" if shown.endswith("\n\n") else "")
        text += f"$ {line}\n{shown}"
    return text, problems


def excerpt(block: Block, folder: Path) -> list[str]:
    texts = [path.read_text() for ending in ("c", "h") for path in folder.rglob(f"*.{ending}")]
    pattern = ".*".join(re.escape(part) for part in block.text.split("...\n"))
    if any(re.search(pattern, text, re.DOTALL) for text in texts):
        return []
    return [f"line {block.line}: no generated file has\n{block.text}"]


def session(found: list[Block], folder: Path) -> list[str]:
    script = folder / "session.txt"
    script.write_text("\n".join(block.text for block in found if block.language == "pycon"))
    done = run([sys.executable, "-c", SESSION, script], folder)
    return [done.stdout] if done.returncode != 0 else []


def typed(found: list[Block], folder: Path) -> list[str]:
    """The type checker's errors in the calls of a session, but for those that raise."""
    text = "\n".join(block.text for block in found if block.language == "pycon")
    examples = doctest.DocTestParser().get_examples(text)
    if not examples:
        return []
    script = folder / "session.py"
    script.write_text("".join(each.source for each in examples if each.exc_msg is None))
    # Sessions define functions without types, and use a name again for something else.
    lenient = ["--allow-untyped-defs", "--allow-untyped-calls", "--allow-redefinition"]
    lenient += ["--ignore-missing-imports", "--disable-error-code=comparison-overlap"]
    done = run([sys.executable, "-m", "mypy", "--strict", *lenient, script.name], folder)
    return [done.stdout] if done.returncode != 0 else []


def interface(block: Block, folder: Path, fishplate: Path) -> list[str]:
    text = block.text
    if "[module]" not in text:
        if not re.search(r"(?m)^\[function\.", text):
            return []
        text = f'[module]\nname = "part"\n\n{text}'
    path = folder / (block.file or "part.toml")
    # Files next to a whole interface need not be in the document.
    made = []
    for kind in ("sources", "include-dirs", "library-dirs"):
        for listed in re.findall(rf"(?m)^{kind}\s*=\s*\[(.*)\]", text):
            for name in re.findall(r'"([^"$]+)"', listed):
                place = folder / name
                if not place.exists():
                    made.append(place)
                    if kind == "sources":
                        place.parent.mkdir(parents=True, exist_ok=True)
                        place.touch()
                    else:
                        place.mkdir(parents=True)
    path.write_text(text)
    done = run([fishplate, "check", path.relative_to(folder)], folder)
    for place in made:
        if place.is_file():
            place.unlink()
    problem = done.returncode != 0 or "warning" in done.stdout
    return [f"interface at line {block.line}:\n{done.stdout}"] if problem else []


def perform(document: Path, folder: Path, fishplate: Path) -> tuple[str, list[str]]:
    """Runs all blocks but the session; returns the corrected text and the errors."""
    text, problems = document.read_text(), []
    for block in blocks(document):
        if block.file is not None:
            path = folder / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text)
        if block.language == "toml" and not (block.file or "").startswith("wrong"):
            problems += interface(block, folder, fishplate)
        elif block.language == "console":
            now, found = console(block, folder, fishplate)
            text = text.replace(f"```console\n{block.text}```", f"```console\n{now}```")
            problems += found
        elif block.language == "c" and block.file is None:
            problems += excerpt(block, folder)
    return text, problems


@pytest.mark.parametrize("name", DOCUMENTS)
def test_examples_of_the_document(name: str, fishplate: Path, tmp_path: Path) -> None:
    document = ROOT / name
    continued = CONTINUES.search(document.read_text())
    earlier = [document.parent / continued[1]] if continued else []
    for page in earlier:
        perform(page, tmp_path, fishplate)  # the test of that page reports its errors
    text, problems = perform(document, tmp_path, fishplate)
    found = [block for page in [*earlier, document] for block in blocks(page)]
    problems += session(found, tmp_path)
    problems += typed(found, tmp_path)
    if UPDATE:
        document.write_text(text)
    if problems:
        pytest.fail(f"{name}\n" + "\n".join(problems), pytrace=False)


def test_readme_shows_a_build_a_session_and_a_diagnostic() -> None:
    """The test itself is tested."""
    found = blocks(ROOT / "README.md")
    assert {"vec.h", "vec.c", "vec.toml"} <= {block.file for block in found}
    sessions = [block.text for block in found if block.language == "pycon"]
    assert any("Error: " in text for text in sessions)
    commands = [block.text for block in found if block.language == "console"]
    assert any("error[FP" in text for text in commands)


def documents() -> list[Path]:
    """Every page of the tree."""
    folders = ["docs", "bindings", "examples", "benches", "crates", "fuzz"]
    pages = [page for folder in folders for page in (ROOT / folder).rglob("*.md")]
    return sorted([*ROOT.glob("*.md"), *(page for page in pages if "target" not in page.parts)])


@pytest.mark.parametrize("document", documents(), ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(document: Path) -> None:
    text = FENCE.sub("", document.read_text())
    missing = []
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"\w+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = document if not path else document.parent / path
        if not file.exists():
            missing.append(target)
        elif anchor and file.suffix == ".md" and anchor not in anchors(file):
            missing.append(target)
    assert not missing


def anchors(document: Path) -> set[str]:
    """The anchors of a document's headings, as GitHub makes them."""
    headings = re.findall(r"(?m)^#+ (.*)$", FENCE.sub("", document.read_text()))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
