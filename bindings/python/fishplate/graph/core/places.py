"""Places in the user's code.

Purpose: an error inside a linked graph can point to the line that created the node.
Invariant: a place is three small values; the line is read from the file only when it is shown.
Reason: nodes are created by the thousand, and a traceback for each would cost more than the node.
"""

from __future__ import annotations

import os
import sys
from typing import NamedTuple

# Frames of this package, `fishplate`, are not the user's.
_PACKAGE = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..")) + os.sep


class Place(NamedTuple):
    """A line of code."""

    file: str
    line: int
    function: str

    @property
    def text(self) -> str:
        """The line itself, or an empty string if the file cannot be read."""
        import linecache

        return linecache.getline(self.file, self.line).strip()

    def __str__(self) -> str:
        where = f'File "{self.file}", line {self.line}, in {self.function}'
        text = self.text
        return f"{where}\n    {text}" if text else where


# The files of this package that were on the stack: a set finds them faster than a comparison of
# the start of each name.
_own: set[str] = set()


def _is_own(file: str) -> bool:
    if file.startswith(_PACKAGE):
        _own.add(file)
        return True
    return False


def here() -> Place | None:
    """The innermost line that runs outside of this package."""
    frame = sys._getframe(1)
    while True:
        code = frame.f_code
        file = code.co_filename
        if file not in _own and not _is_own(file):
            return Place(file, frame.f_lineno, code.co_qualname)
        if frame.f_back is None:
            return None
        frame = frame.f_back


def depth() -> int:
    """The number of frames of this package above that line: the `stacklevel` of a warning."""
    frame, count = sys._getframe(1), 1
    while frame.f_code.co_filename.startswith(_PACKAGE) and frame.f_back is not None:
        frame, count = frame.f_back, count + 1
    return count
