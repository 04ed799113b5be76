"""The JSON Schema as editors use it: an error names the key that is wrong."""

import json
import subprocess
import tomllib
from pathlib import Path

import jsonschema
import pytest

ROOT = Path(__file__).parent.parent
SCHEMA = json.loads((ROOT / "docs" / "interface.schema.json").read_text())


def errors(text: str) -> list[tuple[str, str]]:
    found = jsonschema.Draft202012Validator(SCHEMA).iter_errors(
        {"module": {"name": "m"}} | tomllib.loads(text)
    )
    return sorted((".".join(map(str, error.absolute_path)), error.message) for error in found)


def unexpected(place: str, key: str) -> tuple[str, str]:
    return place, f"Additional properties are not allowed ('{key}' was unexpected)"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            '[function.f]\nprot = "int f(int x)"',
            [("function.f", "'proto' is a required property"), unexpected("function.f", "prot")],
        ),
        (
            '[function.f]\nproto = "int f(int x)"\ngill = "hold"',
            [unexpected("function.f", "gill")],
        ),
        (
            '[function.f]\nproto = {Fotran = "int f(int x)"}',
            [unexpected("function.f.proto", "Fotran")],
        ),
        (
            '[function.Rng.f]\nproto = "int f(int x)"\nbod = ""',
            [unexpected("function.Rng.f", "bod")],
        ),
        (
            '[handle.Rng]\nctype = "r *"\nnew = {proto = "r *f(void)", dco = ""}\n'
            '[function.f]\nproto = "int f(int x)"',
            [unexpected("handle.Rng.new", "dco")],
        ),
        (
            "[function.f]\nproto = 3",
            [("function.f.proto", "3 is not of type 'string', 'array', 'object'")],
        ),
    ],
)
def test_errors_name_the_key(text: str, expected: list[tuple[str, str]]) -> None:
    assert errors(text) == expected


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
