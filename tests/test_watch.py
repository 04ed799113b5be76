"""`fishplate build --watch`: a module is built again when a file changes that it depends on."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from compilers import unoptimised

INTERFACE = """
[module]
name = "level"
headers = ["level.h"]
sources = ["c/level.c"]
include-dirs = ["include"]

[function.level]
proto = "int level(void)"
"""
SOURCE = '#include "level.h"\n#include "deep/base.h"\nint level(void) { return BASE + 1; }\n'
LIMIT = 30


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "c").mkdir(parents=True)
    (folder / "include" / "deep").mkdir(parents=True)
    (folder / "level.toml").write_text(INTERFACE)
    (folder / "include" / "level.h").write_text("int level(void);\n")
    (folder / "include" / "deep" / "base.h").write_text("#define BASE 10\n")
    (folder / "c" / "level.c").write_text(SOURCE)
    return folder


class Watching:
    """A command that watches, and the lines that it prints."""

    def __init__(self, process: subprocess.Popen) -> None:
        self.process = process
        self.lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self) -> None:
        for line in self.process.stdout:
            self.lines.put(line.rstrip())

    def until(self, part: str) -> list[str]:
        """The lines up to one that has this part."""
        seen: list[str] = []
        while not any(part in line for line in seen):
            try:
                seen.append(self.lines.get(timeout=LIMIT))
            except queue.Empty:
                pytest.fail(f"no line with {part!r} came, but {seen}")
        return seen

    def silent(self, seconds: float) -> None:
        """Nothing is printed for so long."""
        with pytest.raises(queue.Empty):
            pytest.fail(f"it printed {self.lines.get(timeout=seconds)!r}")


@contextmanager
def watching(
    project: Path, fishplate: Path, *more: str, interface: str = "level.toml"
) -> Iterator[Watching]:
    command = [fishplate, "build", interface, "-o", "out", "--watch", *more]
    process = subprocess.Popen(
        [*command, "--python", sys.executable],
        cwd=project,
        env=unoptimised({**os.environ, "FISHPLATE_CACHE_DIR": str(project.parent / "cache")}),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,  # in order
        text=True,
        # A test run in the background ignores Ctrl-C, and so would its children.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        yield Watching(process)
    finally:
        process.kill()
        process.wait()


def level(project: Path) -> int:
    """The result of the module's function, in a new process."""
    code = "import sys; sys.path.insert(0, 'out'); import level; print(level.level())"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=project, capture_output=True, text=True, timeout=LIMIT
    )
    return int(done.stdout)


def test_every_dependency_is_watched(project: Path, fishplate: Path) -> None:
    with watching(project, fishplate) as run:
        run.until("watching")
        assert level(project) == 11
        source = project / "c" / "level.c"

        source.write_text(SOURCE.replace("+ 1", "+ 2"))
        assert run.until("out/level.") == [f"out/{next((project / 'out').glob('level.*.so')).name}"]
        assert level(project) == 12

        # A header in a folder below one of include-dirs, replaced as editors do it.
        base = project / "include" / "deep" / "base.h"
        other = base.with_name("base.h.new")
        other.write_text("#define BASE 20\n")
        other.replace(base)
        run.until("out/level.")
        assert level(project) == 22

        # The interface, which then names another header.
        (project / "include" / "more.h").write_text("#define MORE 5\n")
        interface = project / "level.toml"
        interface.write_text(INTERFACE.replace('"level.h"', '"level.h", "more.h"') + CONSTANTS)
        run.until("out/level.")
        (project / "include" / "more.h").write_text("#define MORE 6\n")
        run.until("out/level.")

        # Changed files that the module does not depend on, and unchanged contents.
        (project / "c" / "notes.txt").write_text("none of it\n")
        source.write_text(source.read_text())
        run.silent(2)


CONSTANTS = '\n[constants]\nvalues = ["MORE"]\n'


def test_errors_do_not_end_it(project: Path, fishplate: Path) -> None:
    source, interface = project / "c" / "level.c", project / "level.toml"
    with watching(project, fishplate) as run:
        run.until("watching")
        source.write_text("#error not yet\n")
        assert any("not yet" in line for line in run.until("1 error in level.toml"))
        assert level(project) == 11, "the last module stays"
        source.write_text(SOURCE.replace("+ 1", "+ 3"))
        run.until("out/level.")
        assert level(project) == 13

        interface.write_text(INTERFACE.replace("proto", "prot"))
        assert any("FP0102" in line for line in run.until("error in level.toml"))
        interface.write_text(INTERFACE)
        run.until("out/level.")

        # A missing header, which then appears.
        source.write_text('#include "late.h"\n' + SOURCE)
        run.until("1 error in level.toml")
        (project / "include" / "late.h").write_text("#undef BASE\n#define BASE 1\n")
        run.until("out/level.")


def test_a_first_build_with_errors_is_mended(project: Path, fishplate: Path) -> None:
    (project / "c" / "level.c").unlink()
    (project / "c").rmdir()
    with watching(project, fishplate) as run:
        run.until("watching")
        (project / "c").mkdir()
        (project / "c" / "level.c").write_text(SOURCE)
        run.until("out/level.")
        assert level(project) == 11


def test_annotated_headers_are_watched_with_their_includes(project: Path, fishplate: Path) -> None:
    (project / "base.h").write_text("#define BASE 10\n")
    (project / "level.h").write_text(
        '#include "base.h"\n#include <fishplate.h>\n'
        "static inline int level(int more FP_DEFAULT(1)) { return BASE + more; }\n"
    )
    with watching(project, fishplate, interface="level.h") as run:
        run.until("watching")
        assert level(project) == 11
        (project / "base.h").write_text("#define BASE 20\n")
        run.until("out/level.")
        assert level(project) == 21


def test_ctrl_c_ends_it(project: Path, fishplate: Path) -> None:
    with watching(project, fishplate) as run:
        run.until("watching")
        run.process.send_signal(signal.SIGINT)
        assert run.process.wait(timeout=LIMIT) == -signal.SIGINT


def test_json_is_printed_for_each_build(project: Path, fishplate: Path) -> None:
    with watching(project, fishplate, "--json") as run:
        assert '  "ok": true' in run.until('"ok"')
        (project / "c" / "level.c").write_text("#error no\n")
        assert '  "ok": false' in run.until('"ok"')


def test_missing_files_are_reported_at_once(tmp_path: Path, fishplate: Path) -> None:
    done = subprocess.run(
        [fishplate, "build", "none.toml", "--watch"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )
    assert done.returncode == 1
    assert "cannot read none.toml" in done.stderr
