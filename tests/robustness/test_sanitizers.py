"""Generated modules under AddressSanitizer, UndefinedBehaviorSanitizer and LeakSanitizer.

The module and its sources are instrumented, Python is not: the sanitizer's runtime is loaded before
it, and PYTHONMALLOC=malloc lets it see Python's small allocations too.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import chance
import csource
import pytest
import tools
from compilers import ALL, ASAN, CHECKING, CXX, file_of, share

FLAGS = "-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer -g"
FUNCTIONS = 60


def runtime(name: str) -> str:
    """The sanitizer's shared library of a compiler."""
    path = file_of(tools.real(name), ASAN[name])
    if not Path(path).is_absolute():
        tools.lacking(f"{name}'s {path}")
    return path


def instrumented(name: str, interface: Path, out: Path) -> None:
    shared = " -shared-libasan" if name == "clang" else ""
    compilers = {"CC": tools.real(name), "CXX": tools.real(CXX[name])}
    tools.build(interface, out, env={k: f"{cc} {FLAGS}{shared}" for k, cc in compilers.items()})


def environment(name: str, *options: str) -> dict[str, str]:
    always = ["abort_on_error=0", "allocator_may_return_null=1", "strict_string_checks=1"]
    return {
        "LD_PRELOAD": runtime(name),
        "PYTHONMALLOC": "malloc",
        "ASAN_OPTIONS": ":".join([*always, *options]),
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }


# `--all`: other modules by both compilers, and more calls.
RANDOM = [("gcc", 11), ("gcc", 12), ("clang", 13)] if ALL else [(CHECKING, 13)]
CALLS = 4000 if ALL else 1000


@pytest.mark.parametrize(("name", "seed"), RANDOM)
def test_random_calls_are_clean(name: str, seed: int, tmp_path: Path) -> None:
    suite = chance.random_suite("clean", seed, FUNCTIONS)
    interface = csource.write(suite, tmp_path)
    instrumented(name, interface, tmp_path / "out")
    env = environment(name, "detect_leaks=0", "detect_stack_use_after_return=1")
    output = tools.child(
        "call_child.py", tmp_path / "out", "clean", str(seed), str(FUNCTIONS), str(CALLS), env=env
    )
    assert output.strip() == "done"


def leaks(log: Path, module: str) -> list[str]:
    """LeakSanitizer's reports of blocks that were allocated below a frame of the module."""
    text = "".join(path.read_text() for path in log.parent.glob(f"{log.name}.*"))
    reports = re.split(r"\n\s*\n", text)
    # With line numbers a frame names its source, otherwise its library.
    frame = re.compile(rf"{module}(_python)?\.c:|fishplate_python\.h:|{module}\.c\w*\.so")
    return [leak for leak in reports if "leak of" in leak and frame.search(leak)]


def leak_environment(log: Path) -> dict[str, str]:
    # The slow unwinder, because Python has no frame pointers to follow; it takes most of the time.
    depth = ["fast_unwind_on_malloc=0", "malloc_context_size=15"]
    # Python itself leaks blocks: the content of the report is checked, not its existence.
    return environment(CHECKING, "detect_leaks=1", f"log_path={log}", "exitcode=0", *depth)


def test_nothing_leaks(tmp_path: Path) -> None:
    """LeakSanitizer: no block that is lost at exit was allocated below a frame of the module."""
    suite = chance.random_suite("leaky", 21, FUNCTIONS)
    instrumented(CHECKING, csource.write(suite, tmp_path), tmp_path / "out")
    calls = str(CALLS // (4 if ALL else 8))
    arguments: list[str | Path] = [tmp_path / "out", "leaky", "21", str(FUNCTIONS), calls]
    output = tools.child("call_child.py", *arguments, env=leak_environment(tmp_path / "log"))
    # With exitcode=0 an overrun would not show in the exit status, but it ends the process.
    assert output.strip() == "done"
    ours = leaks(tmp_path / "log", "leaky")
    assert not ours, "\n\n".join(ours[:5])


@pytest.mark.parametrize("case", share(["callback_values", "missing_values"], 2))
def test_cases_are_clean(case: str, tmp_path: Path) -> None:
    """Cases beyond random calls: callbacks of such values, and masks that calls change."""
    folder = tools.HERE.parent / "cases" / case
    instrumented(CHECKING, folder / f"{case}.toml", tmp_path / "out")
    path = {"PYTHONPATH": os.pathsep.join([str(tmp_path / "out"), str(folder.parent)])}
    env = leak_environment(tmp_path / "log") | path
    tools.run([sys.executable, folder / "run.py"], env=env)
    ours = leaks(tmp_path / "log", case)
    assert not ours, "\n\n".join(ours[:5])


BAD = """
#include <stdlib.h>
#include "bad.h"
void beyond(long n, double *x) { x[n] = 1; }
void lose(long n, double *x) { for (long i = 0; i < n; i++) x[i] = malloc(123) != NULL; }
"""
BAD_INTERFACE = """
[module]
name = "bad"
headers = ["bad.h"]
sources = ["bad.c"]
cflags = ["-O0"]
[function.beyond]
proto = "void beyond(long n, inout double x[n])"
[function.lose]
proto = "void lose(long n, inout double x[n])"
"""


def test_sanitizers_see(tmp_path: Path) -> None:
    """The set-up itself: a write beyond an array is found, and so are lost blocks."""
    (tmp_path / "bad.h").write_text(
        "void beyond(long n, double *x);\nvoid lose(long n, double *x);\n"
    )
    (tmp_path / "bad.c").write_text(BAD)
    (tmp_path / "bad.toml").write_text(BAD_INTERFACE)
    instrumented(CHECKING, tmp_path / "bad.toml", tmp_path / "out")
    path = {"PYTHONPATH": str(tmp_path / "out")}
    script = "import bad, numpy; bad.{}(numpy.zeros(1000))"
    env = environment(CHECKING, "detect_leaks=0") | path
    beyond = [sys.executable, "-c", script.format("beyond")]
    done = tools.run(beyond, env=env, check=False)
    assert done.returncode != 0
    assert "heap-buffer-overflow" in done.stderr
    lose = [sys.executable, "-c", script.format("lose")]
    tools.run(lose, env=leak_environment(tmp_path / "log") | path)
    assert leaks(tmp_path / "log", "bad")
