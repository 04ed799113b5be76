"""The JSON Schema as editors use it: one message for one mistake, at the key or the value."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import jsonschema
import pytest
from needs import lacking

ROOT = Path(__file__).parent.parent
SCHEMA = json.loads((ROOT / "docs" / "interface.schema.json").read_text())


MODULE = '[module]\nname = "m"\n'
FUNCTION = MODULE + '[function.f]\nproto = "int f(int x)"\n'
HANDLE = MODULE + '[handle.Rng]\nctype = "r *"\n'


def keys(table: str) -> str:
    """The expected keys in the error of an unknown key."""
    properties = (SCHEMA["$defs"][table] if table else SCHEMA)["properties"]
    return f"'one of the keys {', '.join(properties)}' was expected"


MISTAKES = {
    MODULE + '[function.f]\nprot = "int f(int x)"': ("function.f.prot", keys("FunctionTable")),
    FUNCTION + 'gill = "hold"': ("function.f.gill", keys("FunctionTable")),
    FUNCTION + 'gil = "hlod"': (
        "function.f.gil",
        "'hlod' is not one of ['auto', 'hold', 'release']",
    ),
    FUNCTION + 'threads = "sfe"': (
        "function.f.threads",
        "'sfe' is not one of ['all', 'safe', 'handle-lock', 'module-lock', 'gil']",
    ),
    FUNCTION + 'ellipses = ["...", "vr..."]': (
        "function.f.ellipses.1",
        "'vr...' is not one of ['none', '...', 'var...']",
    ),
    FUNCTION + "threads = true": (
        "function.f.threads",
        "True is not of type 'integer', 'string'",
    ),
    MODULE + '[function.f]\nproto = {Fotran = "int f(int x)"}': (
        "function.f.proto.Fotran",
        "'one of the keys C, Fortran, Strided' was expected",
    ),
    MODULE + '[function.f]\nproto = ["int f(int)", {Fotran = "int f(int x)"}]': (
        "function.f.proto.1.Fotran",
        "'one of the keys C, Fortran, Strided' was expected",
    ),
    MODULE + "[function.f]\nproto = 3": (
        "function.f.proto",
        "3 is not of type 'string', 'array', 'object'",
    ),
    MODULE + "[function]\nf = 3": ("function.f", "3 is not of type 'object'"),
    MODULE + '[function.Rng.f]\nproto = "int f(int x)"\nbod = ""': (
        "function.Rng.f.bod",
        keys("FunctionTable"),
    ),
    MODULE + '[function.Rng.f]\nprot = "int f(int x)"': (
        "function.Rng.f.prot",
        keys("FunctionTable"),
    ),
    HANDLE + 'new = {proto = "r *f(void)", dco = ""}': (
        "handle.Rng.new.dco",
        keys("FunctionTable"),
    ),
    HANDLE + "new = 3": ("handle.Rng.new", "3 is not of type 'string', 'array', 'object'"),
    '[module]\nnam = "m"': ("module.nam", keys("ModuleTable")),
    MODULE + 'standrad = "c11"': ("module.standrad", keys("ModuleTable")),
    MODULE + "defines = 3": ("module.defines", "3 is not of type 'array', 'object'"),
    MODULE + "defines = {A = false}": ("module.defines.A", "True was expected"),
    MODULE + "[status]\nsucces = 0": ("status.succes", keys("StatusTable")),
    MODULE + "[status]\nsuccess = 1.5": (
        "status.success",
        "1.5 is not of type 'integer', 'boolean', 'array', 'string'",
    ),
    MODULE + "[constants]\nvalues = 3": ("constants.values", "3 is not of type 'array', 'object'"),
    MODULE + '[enum.Color]\nctype = "color"\nvalues = [3]': (
        "enum.Color.values.0",
        "3 is not of type 'string', 'object'",
    ),
    MODULE + '[struct.P]\nctype = "p"\nfield = "int x"': ("struct.P.field", keys("StructTable")),
}
MISSING = {
    '[module]\ndoc = "m"': ("module", "'name' is a required property"),
    MODULE + '[function.f]\ndoc = ""': ("function.f", "'proto' is a required property"),
    MODULE + '[functions.f]\nproto = "int f(int x)"': ("functions", keys("")),
}


@pytest.mark.parametrize(("text", "expected"), [*MISTAKES.items(), *MISSING.items()])
def test_one_message_for_one_mistake(text: str, expected: tuple[str, str]) -> None:
    found = list(jsonschema.Draft202012Validator(SCHEMA).iter_errors(tomllib.loads(text)))
    places = [(".".join(map(str, error.absolute_path)), error.message) for error in found]
    assert places == [expected]
    assert jsonschema.exceptions.best_match(found).message == expected[1]


def test_an_editor_shows_one_message_at_the_line(tmp_path: Path) -> None:
    """taplo, as in VS Code, finds the schema by the comment, and shows an error once."""
    folder = Path(sys.executable).parent
    taplo = shutil.which("taplo", path=f"{folder}{os.pathsep}{os.environ['PATH']}")
    if taplo is None:
        lacking("taplo", "run `cargo xtask setup`")
    (tmp_path / "interface.schema.json").write_text(json.dumps(SCHEMA))
    for text in MISTAKES:
        interface = tmp_path / "mistake.toml"
        interface.write_text(f"#:schema ./interface.schema.json\n{text}\n")
        done = subprocess.run(
            [taplo, "lint", "--colors", "never", interface],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
        )
        found = re.findall(r"^error: .*\n +┌─ .*:(\d+):\d+$", done.stderr, re.MULTILINE)
        assert found == [str(text.count("\n") + 2)], f"{text}\n{done.stderr}"


def test_every_case_is_valid() -> None:
    cases = [path.parent for path in (ROOT / "tests" / "cases").glob("*/run.py")]
    files = [file for case in cases for file in case.glob("*.toml")]
    assert files
    for file in files:
        validator = jsonschema.Draft202012Validator(SCHEMA)
        found = [error.message for error in validator.iter_errors(tomllib.loads(file.read_text()))]
        assert not found, f"{file}: {found}"


def test_the_command_prints_it(fishplate) -> None:
    done = subprocess.run([fishplate, "schema"], capture_output=True, text=True, timeout=60)
    assert json.loads(done.stdout) == SCHEMA
