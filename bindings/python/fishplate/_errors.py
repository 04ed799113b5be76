"""Diagnostics about an interface, or about its C code."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

__all__ = ["BuildError", "BuildWarning", "Diagnostic"]


class Diagnostic(NamedTuple):
    """One error or warning, and its place. Lines and columns count from 1."""

    severity: str
    """`error` or `warning`."""
    code: str
    """Such as `FP0303`: docs/diagnostics.md has a section on each."""
    message: str
    """The problem."""
    hint: str
    """How to fix it; may be empty."""
    file: str
    """The file, `<inline>` for code in a string."""
    line: int
    column: int
    end_line: int
    end_column: int
    label: str
    """The label of this position; may be empty."""


class BuildError(Exception):
    """A module cannot be built. The message shows every diagnostic at its place."""

    diagnostics: tuple[Diagnostic, ...]
    """All that was found, in the order of the text."""

    def __init__(self, message: str, diagnostics: Iterable[Diagnostic] = ()) -> None:
        super().__init__(message)
        self.diagnostics = tuple(diagnostics)

    def __reduce__(self) -> tuple[type[BuildError], tuple[str, tuple[Diagnostic, ...]]]:
        return type(self), (str(self), self.diagnostics)


class BuildWarning(UserWarning):
    """A module was built, and there are warnings from the compiler or about its interface."""


def diagnostics(text: str) -> list[Diagnostic]:
    """Diagnostics from JSON."""
    # Imported on first use: most programs never have one.
    import json

    return [
        Diagnostic(
            severity=found["severity"],
            code=found["code"],
            message=found["message"],
            hint=found["hint"],
            file=found["file"],
            label=found["primary"]["text"],
            **{key: found["primary"]["span"][key] for key in _PLACE},
        )
        for found in json.loads(text)
    ]


_PLACE = ("line", "column", "end_line", "end_column")
