"""Levels of signals."""

from levels._core import normalize, peak

__all__ = ["normalize", "peak"]
