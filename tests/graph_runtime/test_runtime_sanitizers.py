"""The runtime under sanitizers, other compilers, and with failing allocations."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from compilers import ALL, LEVEL
from kernels import RUNTIME, STRICT, Failed, Linker, build_entry, run
from scenario import functions

HERE = Path(__file__).parent


def preloaded(compiler: str, library: str) -> str:
    command = [compiler, f"-print-file-name={library}"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.parametrize(
    ("library", "flags", "options"),
    [
        (
            "libasan.so",
            ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"],
            {"ASAN_OPTIONS": "detect_leaks=0"},
        ),
        # test_graph_sanitizers.py runs threads of graphs under it too.
        pytest.param(
            "libtsan.so",
            ["-fsanitize=thread"],
            {"TSAN_OPTIONS": "report_bugs=1 exitcode=66"},
            marks=pytest.mark.nightly,
        ),
    ],
)
def test_sanitizers_find_nothing(tmp_path, library, flags, options):
    path = build_entry(tmp_path, "gcc", LEVEL, "-g", *flags)
    done = subprocess.run(
        [sys.executable, HERE / "scenario.py", path, tmp_path, *flags, "--threads"],
        env={
            **os.environ,
            **options,
            "LD_PRELOAD": preloaded("gcc", library),
            # BLAS's own threads are not checked here.
            "OPENBLAS_NUM_THREADS": "1",
        },
        capture_output=True,
        text=True,
        timeout=500,
    )
    assert done.returncode == 0, done.stderr[-6000:]
    assert "done" in done.stdout
    assert "WARNING" not in done.stderr, done.stderr[-6000:]


# conftest.py builds it by gcc, optimised and without a warning.
@pytest.mark.parametrize("compiler", ["gcc", "clang"] if ALL else ["clang"])
def test_the_runtime_is_plain_c99_without_warnings(tmp_path, compiler):
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    for level in ("-O0", "-O3") if ALL else ("-O3",):
        run(
            [compiler, *STRICT, "-pedantic", level, "-c", RUNTIME / "runtime.c"]
            + ["-o", tmp_path / "runtime.o"]
        )
    if compiler != "gcc":
        build_entry(tmp_path, compiler, LEVEL)


def test_every_allocation_fails_in_turn(counting, tmp_path):
    """A failure is reported as such, and the next call succeeds."""
    entry, fail_after = counting
    failures = 0
    for function, arguments, wanted in functions(Linker(entry, tmp_path)):
        for left in range(10):
            fail_after(left)
            try:
                result = function(*arguments)
            except Failed as failed:
                assert failed.kind == "memory", failed
                failures += 1
                continue
            finally:
                fail_after(-1)
            for one, other in zip(
                *((v if isinstance(v, list) else [v]) for v in (result, wanted)), strict=True
            ):
                np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-10)
            break
        else:
            raise AssertionError("it needs more than ten allocations")
    assert failures > 5
