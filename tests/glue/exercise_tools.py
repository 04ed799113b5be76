"""Helpers that collect exceptions and warnings."""

from __future__ import annotations

import sys
import warnings
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).parent


@contextmanager
def raised(kind, text=None):
    """Exactly this exception, with this message; yields a list that it is put into."""
    seen = []
    try:
        yield seen
    except BaseException as error:
        assert type(error) is kind, repr(error)
        assert text is None or str(error) == text, repr(error)
        seen.append(error)
    else:
        raise AssertionError(f"no {kind.__name__}")


@contextmanager
def warned():
    """Yields a list of the messages, filled at its end."""
    texts = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield texts
    texts += [str(warning.message) for warning in caught]
    assert all(Path(warning.filename).parent == HERE for warning in caught)


@contextmanager
def strict():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def with_unraisable(function):
    """The exceptions that went to the hook while it ran."""
    seen, before = [], sys.unraisablehook
    sys.unraisablehook = lambda report: seen.append(repr(report.exc_value))
    try:
        function()
    finally:
        sys.unraisablehook = before
    return seen
