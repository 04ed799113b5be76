"""Large modules, which builds compile as several units: they behave as if they were one.

Cases with so many further functions that each is divided, and the units that a change compiles.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import test_cases
import test_cases_lua
from compilers import ALL, unoptimised
from luas import interpret
from needs import need_languages

CASES = Path(__file__).resolve().parent / "cases"
# Classes with methods and locks; C++ in the library.
USUAL = ["handles", "cplusplus"]
FURTHER = range(100)


def can_be_divided(folder: Path) -> bool:
    """The case has a library, and no C code in its interface."""
    file = folder / f"{folder.name}.toml"
    text = file.read_text() if file.is_file() else ""
    return all(re.search(rf"(?m)^{key} *= *\[", text) for key in ("headers", "sources")) and not (
        re.search(r"(?m)^header_code", text)
    )


def cases(script: str) -> list[Path]:
    folders = sorted(file.parent for file in CASES.glob(f"*/{script}"))
    wanted = [one for one in folders if can_be_divided(one) and (ALL or one.name in USUAL)]
    assert len(wanted) >= 1
    return wanted


def enlarge(folder: Path, out: Path) -> Path:
    """A copy of a case, with further functions at the beginning and at the end."""
    copy = out / folder.name
    shutil.copytree(folder, copy)
    file = copy / f"{folder.name}.toml"
    text = re.sub(r"(?m)^(headers *= *\[)", r'\1"further.h", ', file.read_text(), count=1)
    text = re.sub(r"(?m)^(sources *= *\[)", r'\1"further.c", ', text, count=1)
    for number in FURTHER:
        text += f'\n[function.further_{number}]\nproto = "double further_{number}(double x)"\n'
    file.write_text(text)
    heads = [f"double further_{number}(double x)" for number in FURTHER]
    declarations = "".join(f"{head};\n" for head in heads)
    (copy / "further.h").write_text(
        f'#ifdef __cplusplus\nextern "C" {{\n#endif\n{declarations}#ifdef __cplusplus\n}}\n#endif\n'
    )
    (copy / "further.c").write_text("".join(f"{head} {{ return x; }}\n" for head in heads))
    return copy


def generated_units(environment: dict[str, str]) -> list[str]:
    """The names of the generated units in the work folder of the only build of a cache."""
    builds = Path(environment["FISHPLATE_CACHE_DIR"]) / "builds"
    return sorted(path.name for path in builds.glob("*/src/*") if path.suffix in (".c", ".cpp"))


@pytest.mark.parametrize("folder", cases("run.py"), ids=lambda folder: folder.name)
def test_runs(folder: Path, build, tmp_path: Path) -> None:
    need_languages(folder)
    copy, out = enlarge(folder, tmp_path), tmp_path / "out"
    environment = {"FISHPLATE_CACHE_DIR": str(tmp_path / "cache")}
    done = build(copy, f"{folder.name}.toml", out, **environment)
    assert done.returncode == 0, done.stderr
    assert len(generated_units(environment)) > 3
    assert test_cases.run(folder / "run.py", out) == ""


@pytest.mark.parametrize("folder", cases("run.lua"), ids=lambda folder: folder.name)
def test_runs_in_lua(folder: Path, fishplate: Path, built, tmp_path: Path) -> None:
    lua = test_cases_lua.NEWEST
    test_cases_lua.need(lua)
    need_languages(folder)
    copy, out = enlarge(folder, tmp_path), tmp_path / "out"
    environment = {"FISHPLATE_CACHE_DIR": str(tmp_path / "cache")}
    test_cases_lua.build(fishplate, copy, lua, out, **environment)
    assert len(generated_units(environment)) > 3
    assert interpret(lua, folder / "run.lua", out, built(lua)) == ""


def test_a_change_compiles_one_unit_of_functions(fishplate: Path, tmp_path: Path) -> None:
    folder = enlarge(CASES / "scalars", tmp_path)
    file = folder / "scalars.toml"
    environment = {"FISHPLATE_CACHE_DIR": str(tmp_path / "cache")}

    def compiled() -> list[str]:
        """The units that a build compiles."""
        done = subprocess.run(
            [fishplate, "build", file, "--python", sys.executable, "-o", tmp_path / "out", "-v"],
            env=unoptimised({**os.environ, **environment}),
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        return re.findall(r"/(scalars_python\S*\.c) -o", done.stderr)

    first = compiled()
    assert len(first) > 3
    assert first.count("scalars_python.c") == 1
    assert compiled() == []
    text = file.read_text()
    # Another parameter, and another line, which moves all functions after it.
    changed = text.replace("double further_20(double x)", "double further_20(\\\n    double other)")
    changed = changed.replace('"double further_20(\\\n', '"""double further_20(\\\n')
    changed = changed.replace('double other)"', 'double other)"""')
    file.write_text(changed)
    again = compiled()
    assert len(again) == 2, again
    assert "scalars_python.c" in again
    # So with a new one.
    added = (
        '[function.further_other]\nproto = "double further_20(double x)"\n\n[function.further_40]'
    )
    file.write_text(changed.replace("[function.further_40]", added))
    again = compiled()
    assert len(again) in (2, 3), again
    code = "import scalars as s; print(s.further_20(other=1), s.further_other(2), s.further_99(3))"
    command = [sys.executable, "-c", code]
    assert subprocess.check_output(command, cwd=tmp_path / "out", text=True) == "1.0 2.0 3.0\n"
