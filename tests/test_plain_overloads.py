"""Overloads are chosen by values alike with and without keywords.

Numbers, strings and objects without keywords are rated by their types, all others by their class.
"""

from __future__ import annotations

import importlib.util
import itertools
import math
from pathlib import Path

import numpy as np
import pytest

# The types of an argument, each with a letter.
KINDS = {
    "c": "int8_t x",
    "l": "int64_t x",
    "u": "uint64_t x",
    "d": "double x",
    "f": "float x",
    "b": "bool x",
    "s": "const char *x",
    "h": "const box *x",
}
SETS = ["".join(one) for one in itertools.permutations("cudbs", 2)]
SETS += ["ludbsh", "hsbdul", "dlc", "clu", "fd", "df", "hd", "dh", "hs", "lf"]
CODE = """
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
typedef struct { int n; } box;
static inline box *box_new(void) { return (box *)calloc(1, sizeof(box)); }
static inline void box_free(box *x) { free(x); }
"""


@pytest.fixture(scope="module")
def module(build, tmp_path_factory):
    folder: Path = tmp_path_factory.mktemp("plain")
    code, tables = CODE, ""
    for name in SETS:
        protos = []
        for kind in name:
            arguments = f"({KINDS[kind]}, const char *t)"
            body = f"{{ (void)x; return {ord(kind)} + (t != NULL) * 1000; }}"
            code += f"static inline int f_{name}_{kind}{arguments} {body}\n"
            protos.append(f'"int f_{name}_{kind}({KINDS[kind]}, nullable const char *t)"')
        tables += f"[function.f_{name}]\nproto = [{', '.join(protos)}]\n"
    (folder / "plain.toml").write_text(
        f"[module]\nname = \"plain\"\nheader-code = '''{code}'''\n[handle.Box]\n"
        f'ctype = "box *"\nnew = "box *box_new(void)"\nfree = "box_free"\n{tables}'
    )
    done = build(folder, "plain.toml", folder)
    assert done.returncode == 0, done.stderr
    spec = importlib.util.spec_from_file_location("plain", next(folder.glob("plain*.so")))
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


class Index:
    def __index__(self) -> int:
        return 5


class Text(str):
    pass


VALUES = [
    *(True, False, 0, 1, -1, 127, 128, -128, -129, 2**63 - 1, 2**63, 2**64 - 1, 2**64, -(2**63)),
    *(-(2**63) - 1, 10**400, 0.0, 1.5, -math.inf, math.nan, 1e300, 1j),
    *("", "a", "\N{EURO SIGN}", Text("b"), b"a", None, [1]),
    *(np.float64(1), np.float32(1), np.int8(1), np.uint64(1), np.bool_(True)),
    *(np.array(1.0), np.array([1.0]), Index(), object()),
]


def outcome(call) -> object:
    try:
        return call()
    except (TypeError, ValueError, OverflowError) as error:
        return type(error)


@pytest.mark.parametrize("name", SETS)
def test_keywords_change_no_choice(module, name: str) -> None:
    function = getattr(module, f"f_{name}")
    results = []
    for value in [*VALUES, module.Box()]:
        alone = outcome(lambda: function(value))  # noqa: B023
        assert alone == outcome(lambda: function(x=value)), value  # noqa: B023
        assert alone == outcome(lambda: function(value, None)), value  # noqa: B023
        both = outcome(lambda: function(value, "t"))  # noqa: B023
        assert both == outcome(lambda: function(value, t="t")), value  # noqa: B023
        results.append(alone)
    assert sum(isinstance(one, int) for one in results) > 3


def test_choices(module) -> None:
    def chosen(name: str, value: object) -> str:
        return chr(getattr(module, f"f_{name}")(value))

    values = [1, 2**63, 1.5, True, "a", module.Box()]
    assert "".join(chosen("ludbsh", value) for value in values) == "ludbsh"
    assert chosen("dlc", 1) == "l"
    assert chosen("clu", 128) == "l"
    assert chosen("df", np.float32(1)) == "f"
