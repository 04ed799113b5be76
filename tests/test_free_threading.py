"""A module declares that it needs no GIL exactly if its interface states so for each function."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

HANDLE = """
[handle.Box]
ctype = "box *"
new   = "box *box_new(void)"
free  = "box_free"
"""
GET = '[function.Box.get]\nproto = "int box_get(const box *b)"\n'
ADD = '[function.add]\nproto = "int add(int a, int b)"\n'
EACH = '[function.each]\nellipses = "..."\nproto = "int each(int a)"\n'
SAFE, MODULE, GIL = (f'threads = "{one}"\n' for one in ("safe", "module-lock", "gil"))
HANDLES = 'threads = "handle-lock"\n'
HOLD = 'gil = "hold"\n'


@pytest.mark.parametrize(
    ("interface", "declares"),
    [
        pytest.param(ADD, False, id="a default is not a statement"),
        pytest.param(ADD + SAFE, True, id="function"),
        pytest.param(SAFE + ADD, True, id="module"),
        pytest.param(MODULE + ADD, True, id="the module's lock"),
        pytest.param(GIL + ADD, False, id="the GIL as the lock"),
        pytest.param(GIL + ADD + SAFE, True, id="all functions override the module"),
        pytest.param(SAFE + ADD + GIL, False, id="one function needs the GIL"),
        pytest.param(SAFE + ADD + HOLD, False, id="one function holds the GIL"),
        pytest.param(ADD + SAFE + ADD.replace("add", "sub"), False, id="one function of two"),
        pytest.param(EACH + "threads = 4\n", True, id="threads of a batch"),
        pytest.param(EACH + 'threads = "all"\n', True, id="all threads of a batch"),
        pytest.param(EACH + "threads = 1\n", False, id="one thread of a batch"),
        pytest.param(HANDLE + GET, False, id="a default of objects"),
        pytest.param(HANDLE + HANDLES + GET, True, id="objects"),
        pytest.param(HANDLE + GIL + GET, False, id="objects under the GIL"),
        pytest.param(HANDLE + GET + SAFE, False, id="constructor and destructor are calls too"),
        pytest.param(HANDLE + HANDLES + GET + ADD, False, id="a function without objects"),
        pytest.param(HANDLE + HANDLES + GET + ADD + SAFE, True, id="objects and functions"),
        pytest.param(HANDLES + HANDLE + GET + ADD, True, id="module with objects"),
        pytest.param('[constants]\nvalues = [{ ONE = "1" }]\n', True, id="no functions"),
    ],
)
def test_what_declares_that_it_needs_no_gil(
    interface: str, declares: bool, tmp_path: Path, fishplate: Path
) -> None:
    (tmp_path / "m.h").write_text(
        "typedef struct box box;\n"
        "box *box_new(void); void box_free(box *); int box_get(const box *);\n"
        "int add(int a, int b); int sub(int a, int b); int each(int a);\n"
    )
    text = f'[module]\nname = "m"\nheaders = ["m.h"]\n{interface}'
    (tmp_path / "m.toml").write_text(text)
    emit = [fishplate, "emit", tmp_path / "m.toml", "-o", tmp_path / "out"]
    subprocess.run(emit, check=True, capture_output=True)
    c = (tmp_path / "out" / "m_python.c").read_text()
    assert ("FP_WITHOUT_GIL" in c, "FP_WITH_GIL" in c) == (declares, not declares)
