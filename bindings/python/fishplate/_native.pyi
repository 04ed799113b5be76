"""What the package does in Rust: see bindings/python/src."""

from collections.abc import Sequence

VERSION: str

def run_command(arguments: Sequence[str]) -> int: ...
