"""Generated modules under AddressSanitizer, UndefinedBehaviorSanitizer and LeakSanitizer.

The module and its sources are instrumented, Python is not: the sanitizer's runtime is loaded before
it, and PYTHONMALLOC=malloc lets it see Python's small allocations too.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import csource
import pytest
import spec
import support

FLAGS = "-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer -g"
FUNCTIONS = 60


def runtime(name: str) -> str:
    """The sanitizer's shared library of a compiler."""
    library = "libasan.so" if name == "gcc" else "libclang_rt.asan-x86_64.so"
    path = support.run([support.compiler(name), f"-print-file-name={library}"]).stdout.strip()
    if not Path(path).is_absolute():
        support.lacking(f"{name}'s {library}")
    return path


def instrumented(name: str, interface: Path, out: Path) -> None:
    shared = " -shared-libasan" if name == "clang" else ""
    support.build(interface, out, env={"CC": f"{support.compiler(name)} {FLAGS}{shared}"})


def environment(name: str, *options: str) -> dict[str, str]:
    always = ["abort_on_error=0", "allocator_may_return_null=1", "strict_string_checks=1"]
    return {
        "LD_PRELOAD": runtime(name),
        "PYTHONMALLOC": "malloc",
        "ASAN_OPTIONS": ":".join([*always, *options]),
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }


@pytest.mark.parametrize(("name", "seed"), [("gcc", 11), ("gcc", 12), ("clang", 13)])
def test_random_calls_are_clean(name: str, seed: int, tmp_path: Path) -> None:
    suite = spec.random_suite("clean", seed, FUNCTIONS)
    interface = csource.write(suite, tmp_path)
    instrumented(name, interface, tmp_path / "out")
    env = environment(name, "detect_leaks=0", "detect_stack_use_after_return=1")
    said = support.child(
        "call_child.py", tmp_path / "out", "clean", str(seed), str(FUNCTIONS), "4000", env=env
    )
    assert said.strip() == "done"


def test_nothing_leaks(tmp_path: Path) -> None:
    """LeakSanitizer: no block that is lost at exit was asked for below a frame of the module."""
    suite = spec.random_suite("leaky", 21, FUNCTIONS)
    instrumented("gcc", csource.write(suite, tmp_path), tmp_path / "out")
    # The slow unwinder, because Python has no frame pointers to follow.
    env = environment("gcc", "detect_leaks=1", "fast_unwind_on_malloc=0", "malloc_context_size=30")
    env["LSAN_OPTIONS"] = "exitcode=0:max_leaks=0:report_objects=0"
    command = ["call_child.py", tmp_path / "out", "leaky", "21", str(FUNCTIONS), "1500"]
    done = support.run([sys.executable, support.HERE / command[0], *command[1:]], env=env)
    assert done.stdout.strip() == "done"
    leaks = re.split(r"\n\s*\n", done.stderr)
    ours = [leak for leak in leaks if "leak of" in leak and f"leaky{support.suffix()}" in leak]
    assert not ours, "\n\n".join(ours[:5])


def test_sanitizers_see(tmp_path: Path) -> None:
    """The set-up itself: a write beyond an array is found."""
    (tmp_path / "bad.h").write_text("void bad(long n, double *x);\n")
    (tmp_path / "bad.c").write_text('#include "bad.h"\nvoid bad(long n, double *x) { x[n] = 1; }\n')
    (tmp_path / "bad.toml").write_text(
        '[module]\nname = "bad"\nheaders = ["bad.h"]\nsources = ["bad.c"]\n'
        '[function.bad]\nproto = "void bad(long n, inout double x[n])"\n'
    )
    instrumented("gcc", tmp_path / "bad.toml", tmp_path / "out")
    script = "import bad, numpy; bad.bad(numpy.zeros(1000))"
    env = environment("gcc", "detect_leaks=0") | {"PYTHONPATH": str(tmp_path / "out")}
    done = support.run([sys.executable, "-c", script], env=env, check=False)
    assert done.returncode != 0
    assert "heap-buffer-overflow" in done.stderr
