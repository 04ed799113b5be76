"""The case folders in tests/cases and tests/refused, for tests with a C compiler and a Python.

    run.py         the case is built, and the script must pass; likewise run_NAME.py
    bug_NAME.py    the same, but building or running it must fail: it shows a bug, which its
                   docstring describes; once it passes, it becomes run_NAME.py
    build.stderr   `fishplate build` must fail, with this output for every compiler here, unless a
                   line `COMPILER: reason` of bug.txt explains why it does not yet; then it must not

crates/driver/tests/cases.rs tests the rest (goldens, explain, expected.stderr).
UPDATE=1 rewrites build.stderr.
"""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from compilers import ALL, CXX, share
from needs import lacking, need_languages, real

CASES = Path(__file__).resolve().parent / "cases"
REFUSED = CASES.parent / "refused"
UPDATE = os.environ.get("UPDATE") == "1"


def scripts() -> list[Path]:
    return sorted([*CASES.glob("*/run*.py"), *CASES.glob("*/bug_*.py")])


# Every twelfth case is optimised, as users build; see compilers.py.
AS_USERS = sorted({script.parent for script in scripts()})[::12]


def interface(folder: Path) -> str:
    """The case's interface: a .toml, else a configuration of xndtools, else an annotated header."""
    names = [f"{folder.name}{ending}" for ending in (".toml", "-kernels.cfg", ".h")]
    return next((name for name in names if (folder / name).is_file()), names[0])


def name(path: Path) -> str:
    return path.parent.name if path.name == "run.py" else f"{path.parent.name}/{path.stem}"


@pytest.fixture(scope="session")
def modules(build, tmp_path_factory):
    """The folder with a case's module, built once for all its scripts."""
    built: dict[Path, subprocess.CompletedProcess] = {}
    root = tmp_path_factory.mktemp("modules")

    def module(folder: Path) -> tuple[Path, str]:
        """The module's folder, and the errors of its build."""
        out = root / folder.name
        if folder not in built:
            built[folder] = build(folder, interface(folder), out, folder in AS_USERS)
        done = built[folder]
        if done.returncode != 0:
            return out, f"fishplate build failed:\n{done.stderr}"
        library = Path(done.stdout.splitlines()[-1])
        assert library.is_file(), "the last line is the module's path"
        return out, ""

    return module


@pytest.mark.parametrize("script", scripts(), ids=name)
def test_runs(script: Path, modules) -> None:
    folder = script.parent
    need_languages(folder)
    out, wrong = modules(folder)
    if not wrong:
        wrong = run(script, out)
    if not script.name.startswith("bug_"):
        if wrong:
            pytest.fail(wrong, pytrace=False)
    elif wrong:
        pytest.xfail(ast.get_docstring(ast.parse(script.read_text())) or "it does not say why")
    else:
        pytest.fail(f"{name(script)} passes now: rename it to run_NAME.py", pytrace=False)


def run(script: Path, out: Path, python: str | Path = sys.executable) -> str:
    """Runs a script with the module in `out`; its output if it failed."""
    done = subprocess.run(
        # Warnings are errors: a module must cause none.
        [python, "-X", "dev", "-W", "error", script],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(out), str(CASES)])},
        cwd=out,
        capture_output=True,
        text=True,
        timeout=300,
    )
    return (
        "" if done.returncode == 0 else f"exit status {done.returncode}\n{done.stdout}{done.stderr}"
    )


# ---- Errors that only compilers and linkers can find ---------------------------------------------


def normal(text: str) -> str:
    """Diagnostics without the parts that differ between compilers, linkers and folders."""
    blocks = []
    for block in re.split(r"(?m)^(?=error|\d+ errors? in)", text):
        if block.startswith("error[FP0501]"):
            # The label quotes the compiler, but for the header's part.
            block = block.replace("long int", "long")
            block = re.sub(
                r"(?m)(\^+) (?!the header has|`\w+` is `).*$", r"\1 <what the compiler says>", block
            )
            block = re.sub(
                r"(error\[FP0501\]: \S+:\d+:) .*(\n {10,}.*)*",
                r"\1 <what the compiler says>",
                block,
            )
            block = re.sub(
                r"(error\[FP0501\]: ).*(mean\.h).*", r"\1<what the compiler says of \2>", block
            )
        if block.startswith("error[FP0502]"):
            block = re.sub(
                r"(the linker failed: ).*(\n {10,}.*)*", r"\1<what the linker says>", block
            )
            block = re.sub(r"(the command was ).*", r"\1<the command>", block)
        if block.strip():
            blocks.append(block.rstrip() + "\n")
    return "\n".join(blocks)


def compilers() -> list[str]:
    found = [cc for cc in CXX if shutil.which(cc)]
    return found or [os.environ.get("CC", "cc")]


def bugs(folder: Path) -> list[str]:
    file = folder / "bug.txt"
    return file.read_text().splitlines() if file.is_file() else []


# Each with one compiler, by turns; `--all`: with each. UPDATE=1 writes the output of the first one.
TURNS = [
    (file.parent, compiler)
    for turn, file in enumerate(sorted(REFUSED.glob("*/build.stderr")))
    for index, compiler in enumerate(compilers())
    if ALL or index == (0 if UPDATE else turn % len(compilers()))
]


@pytest.mark.parametrize(("folder", "compiler"), TURNS, ids=lambda x: getattr(x, "name", x))
def test_refuses(folder: Path, compiler: str, build, tmp_path: Path) -> None:
    if compiler in CXX:
        is_cxx = '"c++"' in (folder / interface(folder)).read_text()
        real(CXX[compiler] if is_cxx else compiler)
    done = build(folder, interface(folder), tmp_path, CC=compiler)
    output, expected = normal(done.stderr), folder / "build.stderr"
    assert done.returncode == 1, done.stdout + done.stderr
    assert not list(tmp_path.glob("*.so")), "a module that was refused must not be there"
    for bug in bugs(folder):
        if bug.startswith(f"{compiler}: "):
            if output == expected.read_text():
                pytest.fail(f"it says what is expected now, in spite of\n{bug}", pytrace=False)
            pytest.xfail(bug)
    if UPDATE and compiler == compilers()[0]:
        expected.write_text(output)
    assert output == expected.read_text(), f"what {compiler} led to was\n{done.stderr}"


# ---- The modules in type checkers, editors and documentation -------------------------------------


@pytest.fixture(scope="session")
def stubs(modules) -> dict[str, Path]:
    """The modules of all cases that can be built here, by name, with their folders."""
    found = {}
    for folder in sorted({script.parent for script in CASES.glob("*/run*.py")}):
        out, wrong = modules(folder)
        for stub in [] if wrong else out.rglob("*.pyi"):
            found[".".join(stub.relative_to(out).with_suffix("").parts)] = out
    return found


def paths(stubs: dict[str, Path]) -> dict[str, str]:
    folders = os.pathsep.join(map(str, dict.fromkeys(stubs.values())))
    return {**os.environ, "MYPYPATH": folders, "PYTHONPATH": folders}


def need(package: str) -> None:
    if importlib.util.find_spec(package) is None:
        lacking(f"the Python package {package}", "run `cargo xtask setup`")


# A slot has several special methods, of which the stub has those that succeed for some operand. An
# object with `len` and `[]` can be iterated without `__iter__`. A class with a derived class is not
# final for type checkers, although Python code cannot derive from it.
ALLOWED = r"""
.*\.__(radd|rsub|rmul|rtruediv|rfloordiv|rmod|rpow|rmatmul|rand|ror|rxor|rlshift|rrshift)__
.*\.__(lt|le|gt|ge|iter)__
cplusplus_(arguments|callback_objects|inheritance|nested_enums|shared)\.(Circle|Named|Shape)
cplusplus_destroyed\.(Body|Tagged)
cplusplus_friends\.Vec\.__mul__
cplusplus_returned\.Item
freed_by_context\.Pool
.*\.__array_priority__
"""


def test_stubs_match_modules(stubs, tmp_path) -> None:
    """`mypy --strict` accepts each stub, and stubtest compares it with the module."""
    need("mypy")
    (tmp_path / "mypy.ini").write_text("[mypy]\nstrict = True\n")
    (tmp_path / "allowed").write_text(ALLOWED)
    command = [sys.executable, "-m", "mypy.stubtest", "--mypy-config-file", "mypy.ini"]
    command += ["--allowlist", "allowed"]
    done = subprocess.run(
        [*command, "--concise", *stubs],
        env=paths(stubs),
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_stubs_under_pyright(stubs, tmp_path) -> None:
    """`pyright --strict`, from basedpyright, which brings its own Node.js."""
    need("basedpyright")
    files = [str(next(stubs[name].rglob("*.pyi"))) for name in stubs if name != "names"]
    folders = [str(folder) for folder in dict.fromkeys(stubs.values())]
    settings = {"typeCheckingMode": "strict", "include": files, "extraPaths": folders}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    done = subprocess.run(
        [sys.executable, "-m", "basedpyright", "--pythonpath", sys.executable],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


# An object fits a protocol by the types of its methods, which do not include the object.
PROTOCOL = """
class Next(Protocol):
    def next(self) -> int: ...
    def add(self, b: handles.Counter | None = None) -> int: ...

def counter(box: handles.Counter) -> Next:
    assert_type(box.next(), int)
    assert_type(handles.Counter.next(box), int)
    box.next(1)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    handles.explain.Counter.nxt  # type: ignore[attr-defined]  # pyright: ignore
    return box
"""


@pytest.mark.parametrize("checker", share(["mypy", "basedpyright"], 2))
def test_members_of_namespaces_are_typed(checker, stubs, tmp_path) -> None:
    """`explain`, `signature` and `op` have each function and method of every case."""
    need(checker)
    written = subprocess.run(
        [
            sys.executable,
            Path(__file__).with_name("uses_of_functions.py"),
            *(name for name in stubs if name != "names"),
        ],
        env=paths(stubs),
        capture_output=True,
        text=True,
    )
    assert written.returncode == 0, written.stderr
    assert "assert_type(handles.explain.Counter.next(" in written.stdout
    (tmp_path / "uses.py").write_text(written.stdout + PROTOCOL)
    if checker == "mypy":
        options = ["--strict", "--cache-dir", os.devnull, "uses.py"]
    else:
        folders = [str(folder) for folder in dict.fromkeys(stubs.values())]
        quiet = {"reportMissingModuleSource": False, "reportUnusedImport": False}
        settings = {"typeCheckingMode": "strict", "include": ["uses.py"], "extraPaths": folders}
        (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings | quiet))
        options = ["--pythonpath", sys.executable]
    done = subprocess.run(
        [sys.executable, "-m", checker, *options],
        env=paths(stubs),
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


DOCUMENTED = ["broadcast", "constants", "enums_of_c", "handles", "overloads", "structs"]


def test_sphinx_shows_the_same_with_a_stub_and_without(stubs, tmp_path) -> None:
    """autodoc runs a stub in place of its module."""
    need("sphinx")
    texts = []
    for kind in ("with", "without"):
        folder = tmp_path / kind
        folder.mkdir()
        for name in DOCUMENTED:
            for file in stubs[name].iterdir():
                if file.suffix == ".so" or (file.suffix == ".pyi" and kind == "with"):
                    shutil.copy(file, folder)
        (folder / "conf.py").write_text('extensions = ["sphinx.ext.autodoc"]\n')
        listed = "".join(
            f"{name}\n{'=' * 40}\n\n.. automodule:: {name}\n   :members:\n   :undoc-members:\n\n"
            for name in DOCUMENTED
        )
        (folder / "index.rst").write_text(listed)
        done = subprocess.run(
            [sys.executable, "-m", "sphinx", "-qW", "-b", "text", folder, folder / "out"],
            env={**os.environ, "PYTHONPATH": str(folder)},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        texts.append((folder / "out" / "index.txt").read_text())
    assert texts[0] == texts[1]
    assert "class handles." in texts[0] and "Broadcasts" in texts[0]


def test_editors_show_docstrings(stubs) -> None:
    """jedi, which many of them use, reads stubs; parameters and documentation are the module's."""
    need("jedi")
    script = """
import importlib, inspect, jedi, sys
for name in sys.argv[1:]:
    module = importlib.import_module(name)
    for function in vars(module).values():
        if not inspect.isbuiltin(function) or not function.__doc__:
            continue
        source = f"import {name}\\n{name}.{function.__name__}"
        (found,) = jedi.Script(source).help(2, len(name) + 2)
        assert inspect.cleandoc(function.__doc__) in found.docstring(), function
        assert found.docstring().startswith(f"{function.__name__}("), found.docstring()
"""
    subprocess.run(
        [sys.executable, "-c", script, *DOCUMENTED], env=paths(stubs), check=True, timeout=300
    )
