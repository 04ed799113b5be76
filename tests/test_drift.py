"""`fishplate check --headers --against LIBRARY`: the gate for headers and libraries that change."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from needs import header, program

HEADER = """
#include <stddef.h>
double total(size_t n, const double *x);
double scaled(double x, double by);
static inline int twice(int x) { return 2 * x; }
"""
SOURCE = """
#include "sums.h"
double total(size_t n, const double *x)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += x[i];
    return sum;
}
double scaled(double x, double by) { return x * by; }
"""
INTERFACE = """
[module]
name = "sums"
headers = ["sums.h"]
libraries = ["sums"]
library-dirs = ["."]

[function]
total.proto = "double total(size_t n, const double x[n])"
scaled.proto = "double scaled(double x, double by)"
twice.proto = "int twice(int x)"
"""


class Library:
    """A library with its header and its interface, which a test changes."""

    def __init__(self, folder: Path, fishplate: Path) -> None:
        self.folder, self.fishplate = folder, fishplate
        for name, text in [("sums.h", HEADER), ("sums.c", SOURCE), ("sums.toml", INTERFACE)]:
            (folder / name).write_text(text)
        self.compile()

    def compile(self) -> None:
        compiler = [program("gcc"), "-shared", "-fPIC", "sums.c", "-o", "libsums.so"]
        subprocess.run(compiler, cwd=self.folder, check=True)

    def change(self, name: str, before: str, after: str) -> None:
        text = (self.folder / name).read_text()
        assert before in text
        (self.folder / name).write_text(text.replace(before, after))

    def found(self, *options: str) -> list[dict]:
        """The diagnostics."""
        arguments = ["--json", "check", "sums.toml", "--python", sys.executable, *options]
        done = subprocess.run(
            [self.fishplate, *arguments], cwd=self.folder, capture_output=True, text=True
        )
        report = json.loads(done.stdout)
        assert done.returncode == (0 if report["ok"] else 1), done.stderr
        return report["diagnostics"]

    def check(self, *options: str) -> list[tuple[str, str, int]]:
        """The diagnostics: code, message and line."""
        return [
            (one["code"], one["message"], one["primary"]["span"]["line"])
            for one in self.found(*options)
        ]


@pytest.fixture
def library(tmp_path: Path, fishplate: Path) -> Library:
    return Library(tmp_path, fishplate)


ALL = ["--headers", "--against", "libsums.so"]


def test_agreement(library: Library) -> None:
    before = sorted(library.folder.iterdir())
    assert library.check(*ALL) == []
    assert sorted(library.folder.iterdir()) == before


def test_a_function_has_changed(library: Library) -> None:
    library.change("sums.h", "double by", "float by")
    library.change("sums.c", "double by", "float by")
    library.compile()
    (found,) = library.check(*ALL)
    message = "function `scaled`: the C compiler does not agree with this prototype"
    assert found == ("FP0501", message, 10)


def test_a_function_has_vanished(library: Library) -> None:
    library.change("sums.h", "double scaled(double x, double by);\n", "")
    (found,) = library.check("--headers")
    assert found == ("FP0501", "function `scaled`: no header declares `scaled`", 10)


def test_a_library_lacks_a_function(library: Library) -> None:
    """The header still declares it: only the library shows its absence."""
    library.change("sums.c", "double scaled(", "double unused(")
    library.compile()
    (found,) = library.found("--against", "libsums.so")
    assert found["code"] == "FP0502"
    assert found["message"] == "function `scaled`: nothing defines `scaled`"
    assert found["primary"]["span"]["line"] == 10
    assert found["primary"]["text"] == "declared, but not in libsums.so"
    assert found["hint"].startswith("remove the function from the interface, or compare with")
    # The module's own libraries are another matter.
    (found,) = library.found("--headers")
    assert found["primary"]["text"] == "declared, but not in any source or library"
    assert found["hint"] == "add the source or the library that defines it to [module]"


def test_the_named_library_is_the_one_that_is_linked(library: Library) -> None:
    """Neither the sources nor the library of the same name replace it."""
    library.change("sums.toml", "[function]", 'sources = ["sums.c"]\n\n[function]')
    (library.folder / "old").mkdir()
    text = "double total(unsigned long n, const double *x) { return n ? *x : 0; }\n"
    (library.folder / "old" / "old.c").write_text(text)
    command = [program("gcc"), "-shared", "-fPIC", "old/old.c", "-o", "old/libsums.so.1"]
    subprocess.run(command, cwd=library.folder, check=True)
    found = library.check("--against", "old/libsums.so.1")
    assert [(code, message) for code, message, _ in found] == [
        ("FP0502", "function `scaled`: nothing defines `scaled`")
    ]


def test_functions_have_appeared(library: Library) -> None:
    more = "double mean(size_t n, const double *x);\nint log_it(const char *format, ...);\n"
    library.change("sums.h", "double total", f"{more}double total")
    message = "the headers declare 2 functions that the interface does not name: `log_it`, `mean`"
    assert library.check("--headers") == [("FP0505", message, 1)]
    # The library alone does not affect them.
    assert library.check("--against", "libsums.so") == []
    assert library.check("--headers", "--exclude", "mean|log_.*") == []
    # A comment names functions that should not be in the module.
    library.change("sums.toml", "[function]", "# Not in the module: mean, log_it\n[function]")
    assert library.check("--headers") == []


def test_missing_libraries(library: Library) -> None:
    ((code, message, _),) = library.check("--against", "missing.so")
    assert code == "FP0312" and message.startswith("cannot read missing.so: ")


def test_a_draft_agrees_with_its_library(tmp_path: Path, fishplate: Path) -> None:
    header("zlib.h", "zlib1g-dev")

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([fishplate, *arguments], cwd=tmp_path, capture_output=True, text=True)

    assert run("init", "zlib.h", "--library", "z", "--name", "deflate").returncode == 0
    check = ["check", "deflate.toml", "--headers", "--python", sys.executable]
    done = run(*check)
    assert done.returncode == 0, done.stderr
    interface = tmp_path / "deflate.toml"
    interface.write_text(interface.read_text().replace("adler32_combine", "adler_combine"))
    done = run(*check)
    assert done.returncode == 1
    assert "no header declares `adler_combine`" in done.stderr
    assert "the interface does not name: `adler32_combine`" in done.stderr
