"""Paths of a configuration: variables, and the folders of the Python to build for."""

from __future__ import annotations

import sys
import sysconfig

PATHS = """
[MODULE paths]
includes: contract.h
include_dirs:
    <prefix>
    <site>
    ${FISHPLATE_NOT_SET|.}
header_code:
    /* A comment */
ellipses: none

[KERNEL see]
prototypes: void see(int64_t s);
input: s
"""


def test_python_says_where_it_is(module_of):
    assert module_of("paths", PATHS).see(1) is None


def test_missing_folders_are_named_in_full(tmp_path, build):
    text = PATHS.replace("<prefix>", "<prefix>/nowhere").replace("<site>", "<site>/nowhere")
    (tmp_path / "paths-kernels.cfg").write_text(text)
    done = build(tmp_path, "paths-kernels.cfg", tmp_path / "out")
    assert done.returncode == 1
    for folder in (sys.prefix, sysconfig.get_paths()["purelib"]):
        assert f"the folder `{folder}/nowhere` is not there" in done.stderr
