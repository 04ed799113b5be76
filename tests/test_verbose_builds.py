"""`--verbose`, `verbose=True`: the command lines of compilers and linker, as a shell takes them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from compilers import unoptimised

INTERFACE = """
[module]
name = "lengths"
headers = ["lengths.h"]
sources = ["lengths.c"]
defines = ["PREFIX=\\"it's $HOME; \\""]

[function.length]
proto = "int length(void)"
"""
SOURCE = '#include "lengths.h"\nint length(void) { return sizeof PREFIX - 1; }\n'


def test_command_lines_can_be_pasted(tmp_path: Path, fishplate: Path) -> None:
    folder = tmp_path / "a folder"
    folder.mkdir()
    (folder / "lengths.toml").write_text(INTERFACE)
    (folder / "lengths.h").write_text("int length(void);\n")
    (folder / "lengths.c").write_text(SOURCE)
    environment = unoptimised({**os.environ, "FISHPLATE_CACHE_DIR": str(tmp_path / "cache")})

    def run(*command: str | Path) -> subprocess.CompletedProcess:
        return subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300
        )

    command = [fishplate, "build", "lengths.toml", "--python", sys.executable]
    built = run(*command, "-o", "out", "-v")
    assert built.returncode == 0, built.stderr
    library = folder / built.stdout.strip()
    library.unlink()
    lines = built.stderr.splitlines()
    assert len(lines) == 6, "two units, those of the runtime, its header, and the library"
    # A header differs each time that it is compiled, and would be compiled again.
    for line in (line for line in lines if "c-header" not in line):
        assert run("sh", "-c", line).returncode == 0, line
    imported = "import sys; sys.path.insert(0, 'out'); import lengths; print(lengths.length())"
    assert run(sys.executable, "-c", imported).stdout == "12\n"
    assert run(*command, "-o", "out", "--verbose").stderr == "nothing changed\n"
    assert run(*command, "-o", "quiet").stderr == ""

    # The line of a unit with an error is there too, and standard output is JSON alone.
    (folder / "lengths.c").write_text("#error no\n")
    failed = run(*command, "-o", "out", "-v", "--json")
    assert failed.returncode == 1
    assert failed.stdout.startswith("{")
    assert "lengths.c -o " in failed.stderr


LOADING = """
import fishplate
fishplate.load("lengths.toml", verbose=True)
assert fishplate.load("lengths.toml", verbose=True).length() == 12
assert fishplate.inline("int one(void) { return 1; }", verbose=True).one() == 1
"""


def test_python_writes_command_lines_to_its_standard_error(tmp_path: Path) -> None:
    (tmp_path / "lengths.toml").write_text(INTERFACE)
    (tmp_path / "lengths.h").write_text("int length(void);\n")
    (tmp_path / "lengths.c").write_text(SOURCE)
    done = subprocess.run(
        [sys.executable, "-c", LOADING],
        cwd=tmp_path,
        env=unoptimised({**os.environ, "FISHPLATE_CACHE_DIR": str(tmp_path / "cache")}),
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert len(done.stderr.splitlines()) == 2 + 4 + 3, "each unit, header and library, once"
    for line in done.stderr.splitlines():
        subprocess.run(["sh", "-c", line], cwd=tmp_path, check=True, timeout=60)
