"""Generated modules whose headers include the glue headers.

exercise_generated.py asserts their behaviour.
"""

from __future__ import annotations

import os
import sys

import pytest
from compilers import share
from toolbox import COMPILERS, HERE, INCLUDE, compile_agnostic, need, run


@pytest.mark.parametrize("compiler", share(list(COMPILERS), 2))
def test_generated_modules(compiler, tmp_path):
    compile_agnostic(tmp_path, "gcc")
    env = {
        **os.environ,
        "CC": need(compiler),
        "CXX": need(COMPILERS[compiler]),
        "GLUE_HEADERS": str(INCLUDE),
        "GLUE_OUT": str(tmp_path),
    }
    done = run([sys.executable, "-X", "dev", HERE / "exercise_generated.py"], check=False, env=env)
    assert done.returncode == 0 and done.stdout.endswith("done\n"), done.stdout
