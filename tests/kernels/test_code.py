"""C that a configuration adds: `header_code`, `pre_call_code`, `post_call_code`, `debug`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

CODE = """
[MODULE fragments]
includes: contract.h
ellipses: none
header_code:
    enum { FACTOR = 2 };

[KERNEL around]
prototypes: int64_t plus_twenty(int64_t s);
input: s
pre_call_code:
    s *= FACTOR;
    s += 1;
post_call_code: result = -result;

[KERNEL quiet]
debug: False
prototypes: void see(int64_t s);
input: s

[KERNEL loud]
debug: True
prototypes: void see(int64_t s);
input: s
"""


@pytest.fixture(scope="session")
def fragments(module_of):
    return module_of("fragments", CODE)


def test_code_around_the_call(fragments):
    assert fragments.around(3) == -27


def test_debug_tells_of_calls(fragments):
    outputs = {}
    for name in ("quiet", "loud"):
        done = subprocess.run(
            [sys.executable, "-c", f"import fragments; fragments.{name}(1)"],
            cwd=Path(fragments.__file__).parent,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        outputs[name] = done.stderr
    assert outputs == {"quiet": "", "loud": "loud: calls C\nloud: C has returned\n"}
