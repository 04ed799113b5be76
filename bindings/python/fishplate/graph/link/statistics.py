"""Statistics of the cache in this process.

Purpose: how often a compiler ran, and how often it did not have to.
Invariant: each library that is linked counts once.
Reason: whether a cache works cannot be seen from results.
"""

from __future__ import annotations

import threading
from typing import NamedTuple


class CacheStats(NamedTuple):
    """Libraries that were compiled and found in this process."""

    compiled: int
    loaded: int


_lock = threading.Lock()
_stats = CacheStats(0, 0)


def count(compiled: bool) -> None:
    """Counts a library: compiled now, or found."""
    global _stats
    with _lock:
        made, found = _stats
        _stats = CacheStats(made + compiled, found + (not compiled))


def cache_stats() -> CacheStats:
    """The number of libraries that were compiled in this process, and of those found in the
    cache."""
    return _stats
