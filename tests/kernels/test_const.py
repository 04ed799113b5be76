"""A `const` that a configuration's prototype lacks: a warning, and a module that works."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

CASE = Path(__file__).parents[1] / "cases" / "const_in_configuration"
FOUND = [cc for cc in ("gcc", "clang") if shutil.which(cc)] or ["cc"]


@pytest.mark.parametrize("compiler", FOUND)
def test_missing_const_is_a_warning(compiler: str, build, tmp_path: Path) -> None:
    for file in CASE.glob("*.[hc]*"):
        shutil.copy(file, tmp_path)
    done = build(tmp_path, "const_in_configuration-kernels.cfg", tmp_path / "out", CC=compiler)
    assert done.returncode == 0, done.stderr
    assert list((tmp_path / "out").glob("*.so"))
    for name, line, which in [("dot", 12, "`n`, `x`, `y`"), ("add", 17, "`x`, `y`")]:
        warning = (
            f"warning[FP0504]: function `{name}`: the header has a `const` that is missing here\n"
        )
        assert done.stderr.count(warning) == 1, done.stderr
        assert f":{line}:13\n" in done.stderr.split(warning)[1].split("\n\n")[0]
        assert f"one or more of {which} are `const` in the header" in done.stderr
    assert "exact" not in done.stderr and "error" not in done.stderr


@pytest.mark.parametrize("compiler", FOUND)
def test_other_types_are_errors_all_the_same(compiler: str, build, tmp_path: Path) -> None:
    for file in CASE.glob("*.[hc]*"):
        text = file.read_text().replace("const double *y, double *z)", "const float *y, double *z)")
        (tmp_path / file.name).write_text(text)
    done = build(tmp_path, "const_in_configuration-kernels.cfg", tmp_path / "out", CC=compiler)
    assert done.returncode == 1
    assert "error[FP0501]: function `add`: the C compiler does not agree" in done.stderr
