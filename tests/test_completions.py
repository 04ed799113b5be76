"""`fishplate completions`: on a terminal, at the Tab key, shells complete the command."""

from __future__ import annotations

import os
import pty
import select
import shlex
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from needs import program

# How each shell starts without settings, and reads the script {script} of {folder}.
SHELLS = {
    "bash": (["--norc", "--noprofile", "-i"], "source {script}"),
    "zsh": (["-f", "-i"], "fpath=({folder} $fpath); autoload -U compinit; compinit -u -D"),
    "fish": (["--private", "--no-config"], "source {script}"),
}
READY = "ready to complete"

# The words typed before the Tab key, and the completed line.
COMPLETED = [
    ("fishplate compl", "fishplate completions"),
    ("fishplate build --hos", "fishplate build --host"),
    ("fishplate build --host pyth", "fishplate build --host python"),
    ("fishplate cache cl", "fishplate cache clean"),
    ("fishplate check rootfi", "fishplate check rootfinding.toml"),
]


@contextmanager
def terminal(command: list[str], folder: Path, path: Path) -> Iterator[Callable[[str, str], str]]:
    """A program on its own terminal; the yielded function types a line, and waits for a string."""
    child, screen = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.environ.update(
            PATH=f"{path}{os.pathsep}{os.environ['PATH']}",
            HOME=str(folder),
            ZDOTDIR=str(folder),
            XDG_CONFIG_HOME=str(folder),
            TERM="dumb",
            PS1="",
        )
        os.execv(command[0], command)

    def enter(typed: str, expected: str) -> str:
        os.write(screen, typed.encode())
        shown, end = "", time.monotonic() + 30
        while expected not in shown:
            assert time.monotonic() < end, f"{typed!r} gave {shown!r}, without {expected!r}"
            if select.select([screen], [], [], 0.1)[0]:
                shown += os.read(screen, 4096).decode(errors="replace")
        return shown

    try:
        yield enter
    finally:
        os.close(screen)
        os.waitpid(child, 0)


@pytest.mark.parametrize("shell", SHELLS)
def test_tab_completes(shell: str, tmp_path: Path, fishplate: Path) -> None:
    options, load = SHELLS[shell]
    shell_program = program(shell)
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "rootfinding.toml").touch()
    script = tmp_path / "_fishplate"
    with script.open("w") as out:
        subprocess.run([fishplate, "completions", shell], stdout=out, check=True, timeout=60)
    load = load.format(script=shlex.quote(str(script)), folder=shlex.quote(str(tmp_path)))
    with terminal([shell_program, *options], folder, fishplate.parent) as enter:
        # In two parts: the typed text is on the screen too.
        enter(f"{load}; printf '%s %s\\n' ready 'to complete'\r", READY)
        for typed, completed in COMPLETED:
            enter(f"{typed}\t", completed)
            enter("\x15", "")  # Ctrl-U removes the line


def test_every_shell_has_a_script(fishplate: Path) -> None:
    for shell in [*SHELLS, "elvish", "powershell"]:
        done = subprocess.run(
            [fishplate, "completions", shell], capture_output=True, text=True, timeout=60
        )
        assert done.returncode == 0
        assert "lua-library" in done.stdout and "python" in done.stdout
    unknown = subprocess.run([fishplate, "completions", "csh"], capture_output=True, timeout=60)
    assert unknown.returncode == 2
