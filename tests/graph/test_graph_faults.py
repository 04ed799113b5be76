"""Every allocation and every API call in a call of a linked graph fails in turn, and cleanly."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
TOOLS = [HERE.parent / "robustness", HERE.parent / "graph_runtime"]


def child(script: str, *arguments: Path, path: list[Path]) -> str:
    """The output of a script, with these folders to import from too."""
    known = [*map(str, path), *filter(None, [os.environ.get("PYTHONPATH")])]
    done = subprocess.run(
        [sys.executable, HERE / script, *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(known)},
        capture_output=True,
        text=True,
        timeout=500,
    )
    assert done.returncode == 0, done.stdout + done.stderr[-6000:]
    return done.stdout.splitlines()[-1]


def test_every_failure_is_clean(tmp_path):
    # The script is elsewhere, as its folder would come first among those to import from.
    builder = tmp_path / "faulty_entry.py"
    builder.write_text((HERE / "faulty_entry.py").read_text())
    library = child(str(builder), tmp_path, path=TOOLS)
    assert child("graph_faults.py", Path(library), path=[]) == "done"
