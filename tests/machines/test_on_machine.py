"""Cases and an exported graph on the machine: every third case where it is emulated.

Those about bytes, signs and threads are always among them.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from needs import zig
from test_cases import CASES, interface, name, scripts

# Cases that another byte order, an unsigned char or another alignment could break.
NAMED = {
    "bools",
    "callback_values",
    "callbacks",
    "complex_numbers",
    "complex_structs",
    "constants",
    "enums",
    "enums_of_c",
    "intents_value",
    "intents_vector",
    "intents_matrix",
    "large_enums",
    "lifetimes",
    "missing_values",
    "overloads",
    "scalars",
    "shapes",
    "strides",
    "structs",
    "struct_arrays",
    "c_strings",
    "threads",
}
# The machine has NumPy alone, and starts no further programs.
AVAILABLE = {*sys.stdlib_module_names, "numpy", "support", "dlpack", "matrix_intents"} - {
    "subprocess"
}

HAS_PYPY = "pypy" in os.environ["FISHPLATE_INTERPRETER"]
# Of CPython alone, as the functions in ctypes.pythonapi, which `dlpack` calls.
OF_CPYTHON = (
    "getrefcount",
    "pythonapi",
    "is_tracked",
    "PyGILState_Check",
    "import dlpack",
    "from dlpack",
)
# Cases that PyPy fails, and why. It collects objects between statements at the earliest.
NOT_IN_PYPY = {
    "callbacks/run_recursion": "PyPy does not check the stack between calls in C",
    "containers": "PyPy crashes for a memoryview that was released, in NumPy as well",
    "cplusplus_arguments": "objects of one expression",
    "cplusplus_constants": "PyPy lets scripts set attributes of classes in C",
    "cplusplus_contained": "objects of one expression",
    "cplusplus_fields": "PyPy's words",
    "cplusplus_nested": "objects of one expression",
    "cplusplus_streams": "PyPy's words",
    "cplusplus_virtual": "PyPy allows bases whose objects in C differ",
    "filled_lists": "objects of one expression",
    "lifetimes": "objects of one expression",
    "operators": "PyPy's words",
    "optimizers": "PyPy does not collect cycles through references in C",
    "pointer_arrays": "PyPy asks a sequence for items before it creates a list of its length",
    "ragged": "PyPy allows lists that are deeper",
    "shared_data": "PyPy does not collect cycles through references in C",
    "sparse_matrices": "PyPy's words",
    "stored": "objects of one expression",
    "structs": "PyPy lets scripts set any attribute of objects in C",
    "void_handles": "PyPy's words",
}


def runs_there(script: Path) -> bool:
    if HAS_PYPY and (
        script.parent.name in NOT_IN_PYPY
        or name(script) in NOT_IN_PYPY
        or any(
            word in file.read_text()
            for file in [script, *script.parent.glob("*.c")]
            for word in OF_CPYTHON
        )
    ):
        return False
    imported = re.findall(r"(?m)^\s*(?:import|from) (\w+)", script.read_text())
    own = {
        script.parent.name,
        *re.findall(r'name *= *"(\w+)', (script.parent / interface(script.parent)).read_text()),
    }
    return set(imported) <= AVAILABLE | own and not list(script.parent.glob("*.f90"))


COLLECTING = Path(__file__).with_name("collecting.py")
# Emulation takes its time.
IS_EMULATED = not os.environ["FISHPLATE_MACHINE"].startswith(platform.machine())
ALL = [script for script in scripts() if script.name.startswith("run")]
CHOSEN = [
    script
    for index, script in enumerate(ALL)
    if (not IS_EMULATED or index % 3 == 0 or script.parent.name in NAMED) and runs_there(script)
]


def test_enough_cases_are_chosen() -> None:
    assert len(CHOSEN) >= len(ALL) / 3


@pytest.fixture(scope="session")
def modules(machine, fishplate, tmp_path_factory):
    """The folder of a case's module, built once."""
    root = tmp_path_factory.mktemp("modules")
    built: dict[Path, str] = {}

    def module(folder: Path) -> Path:
        out = root / folder.name
        if folder not in built:
            built[folder] = machine.build(folder, interface(folder), out, fishplate)
        if built[folder]:
            pytest.fail(built[folder], pytrace=False)
        return out

    return module


@pytest.mark.parametrize("script", CHOSEN, ids=name)
def test_a_case_runs(script: Path, machine, modules) -> None:
    out = modules(script.parent)
    options = [COLLECTING] if HAS_PYPY else ["-X", "dev", "-W", "error"]
    done = machine.python(*options, script, cwd=out, path=[out, CASES])
    if done.returncode != 0:
        pytest.fail(f"exit status {done.returncode}\n{done.stdout}{done.stderr}", pytrace=False)


INTERRUPTED = """
[module]
name    = "waiting"
headers = ["waiting.h"]

[function.wait]
proto = "void wait_for(double seconds)"
gil   = "release"

[function.fail]
proto  = "status int fail_after(double seconds)"
gil    = "release"
status = { success = 0 }
"""
WAITING = """
#include <fishplate/interrupt.h>
#include <time.h>
static inline void wait_for(double seconds)
{
    const time_t end = time(NULL) + (time_t)seconds;
    while (time(NULL) < end && !fp_interrupted()) {
    }
}
static inline int fail_after(double seconds)
{
    wait_for(seconds);
    return 1;
}
"""
PRESSED = """
import os, signal, threading, waiting

class Pressed(Exception):
    pass

def handle(number, frame):
    raise Pressed(number)

signal.signal(signal.SIGINT, handle)
for function in [waiting.wait, waiting.fail] * 2:
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    caught = []
    try:
        function(3600.0)
        for _ in range(100):
            pass
    except Pressed as pressed:
        caught = list(pressed.args)
    assert caught == [signal.SIGINT], caught
for _ in range(1000):
    pass
try:
    waiting.fail(0.0)
except RuntimeError:
    print("as before")
"""


def test_a_signal_ends_calls(machine, fishplate, tmp_path: Path) -> None:
    for file, text in [("waiting.toml", INTERRUPTED), ("waiting.h", WAITING), ("run.py", PRESSED)]:
        (tmp_path / file).write_text(text)
    failure = machine.build(tmp_path, "waiting.toml", tmp_path / "out", fishplate)
    assert failure == ""
    done = machine.python("run.py", cwd=tmp_path, path=[tmp_path / "out"])
    assert (done.stdout, done.stderr) == ("as before\n", "")


PROGRAM = r"""
#include "model.h"
#include <stdio.h>

int
main(void)
{
    const double x[] = {-1.5, 0, 0.25, 1, 2, 3, 4.5};
    const int32_t i[] = {-7, 3, 0, 1, 2147483647, -2147483647, 5};
    const uint8_t c[] = {0, 1, 127, 128, 200, 255, 7};
    double sum, product;
    fp_float64_1d floats;
    fp_int64_1d integers;
    fp_int32_1d bytes;
    int k;
    if (model(fp_float64_1d_of(x, 7), fp_int32_1d_of(i, 7), fp_uint8_1d_of(c, 7), &floats,
              &integers, &bytes, &sum, &product)
        != 0) {
        puts(model_error());
        return 1;
    }
    for (k = 0; k < 7; k++) {
        printf("%.17g %lld %ld\n", floats.data[k], (long long)integers.data[k],
               (long)bytes.data[k]);
    }
    printf("%.17g %.17g\n", sum, product);
    return 0;
}
"""


@pytest.mark.skipif(HAS_PYPY, reason="a graph's library knows no Python")
def test_an_exported_graph(machine, tmp_path: Path) -> None:
    g = pytest.importorskip("fishplate.graph", reason="run `cargo xtask setup`")
    x, i, c = g.vector("x"), g.vector("i", dtype="int32"), g.vector("c", dtype="uint8")
    outputs = [
        g.exp(x) * 2 + g.sqrt(x * x),
        i.astype("int64") * 3,
        c.astype("int32")[::-1] - 128,
        x.sum(),
        (x * x) @ x,
    ]
    function = g.function([x, i, c], outputs, name="model")
    function.export(tmp_path / "libmodel.so")
    (tmp_path / "main.c").write_text(PROGRAM)
    flags = "-std=gnu11 -O2 -fno-sanitize=undefined -fno-math-errno -fno-trapping-math -fwrapv"
    compiled = subprocess.run(
        [zig(), "cc", "-target", machine.target, *flags.split(), "-fno-strict-aliasing"]
        + ["model.c", "main.c", "-lm", "-ldl", "-lpthread", "-o", "program"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=machine.LIMIT,
    )
    if machine.is_big_endian:
        # The constants of a graph are those of the machine that has exported it.
        assert '#error "constants are little-endian"' in compiled.stderr
        return
    assert compiled.returncode == 0, compiled.stderr
    done = machine.run(tmp_path / "program", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [line.split() for line in done.stdout.splitlines()]
    wanted = function(
        np.array([-1.5, 0, 0.25, 1, 2, 3, 4.5]),
        np.array([-7, 3, 0, 1, 2147483647, -2147483647, 5], np.int32),
        np.array([0, 1, 127, 128, 200, 255, 7], np.uint8),
    )
    np.testing.assert_allclose([float(row[0]) for row in rows[:7]], wanted[0], rtol=4e-16)
    assert [int(row[1]) for row in rows[:7]] == wanted[1].tolist()
    assert [int(row[2]) for row in rows[:7]] == wanted[2].tolist()
    np.testing.assert_allclose([float(one) for one in rows[7]], wanted[3:], rtol=1e-15)
