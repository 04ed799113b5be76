"""What the package does in Rust: see bindings/python/src."""

from collections.abc import Sequence
from pathlib import Path
from typing import final

VERSION: str

@final
class Built:
    path: Path | None
    name: str
    text: str
    json: str

def load_file(file: str) -> Built: ...
def load_inline(
    code: str,
    *,
    name: str | None,
    headers: Sequence[str],
    include_dirs: Sequence[str],
    libraries: Sequence[str],
    library_dirs: Sequence[str],
    cflags: Sequence[str],
    defines: Sequence[str],
) -> Built: ...
def run_command(arguments: Sequence[str]) -> int: ...
