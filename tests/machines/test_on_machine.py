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


def runs_there(script: Path) -> bool:
    imported = re.findall(r"(?m)^\s*(?:import|from) (\w+)", script.read_text())
    own = {
        script.parent.name,
        *re.findall(r'name *= *"(\w+)', (script.parent / interface(script.parent)).read_text()),
    }
    return set(imported) <= AVAILABLE | own and not list(script.parent.glob("*.f90"))


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
    done = machine.python("-X", "dev", "-W", "error", script, cwd=out, path=[out, CASES])
    if done.returncode != 0:
        pytest.fail(f"exit status {done.returncode}\n{done.stdout}{done.stderr}", pytrace=False)


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
