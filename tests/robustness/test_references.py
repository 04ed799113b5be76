"""Reference counts and memory over very many calls: nothing grows, whether they succeed or fail."""

from __future__ import annotations

import gc
import resource
import sys
import tracemalloc
from collections.abc import Callable
from itertools import pairwise
from random import Random

import calls
import numpy as np
import pytest
from built import Built

ROUNDS = 100


@pytest.fixture(autouse=True)
def frozen():
    """The collector does not visit objects of other tests each time, which may be many."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def settle() -> int:
    """The blocks in use, after a collection of garbage."""
    gc.collect()
    sys._clear_type_cache()
    return sys.getallocatedblocks()


def repeat(made: calls.Made, callee: Callable[..., object], times: int) -> None:
    for _ in range(times):
        try:
            callee(*made.args, **made.kwargs)
        except Exception:  # half of the measured calls fail
            pass


def test_no_block_is_left(built: Built) -> None:
    """Each of 500 calls 100 times over; the ones that leak blocks are named."""
    r = Random(built.seed + 2)
    leaks = []
    for number in range(500):
        function = built.suite.functions[number % len(built.suite.functions)]
        made = calls.make(r, function)
        callee = getattr(built.module, function.name)
        repeat(made, callee, 3)
        before, references = sys.getallocatedblocks(), calls.counts(made)
        repeat(made, callee, ROUNDS)
        after = calls.counts(made)
        if sys.getallocatedblocks() - before >= ROUNDS / 2:
            # Again, with care: caches and the collector vary.
            start = settle()
            repeat(made, callee, ROUNDS)
            if settle() - start >= ROUNDS / 2:
                leaks.append(str(made))
        assert after == references, f"references {references} became {after}: {made}"
    assert not leaks, "\n".join(leaks)


def test_memory_stays(built: Built) -> None:
    """10^5 calls of all kinds: neither traced memory nor the process grows."""
    if built.seed != 1:
        pytest.skip("one module is enough")
    r = Random(5)
    each = []
    for number in range(400):
        function = built.suite.functions[number % len(built.suite.functions)]
        each.append((calls.make(r, function), getattr(built.module, function.name)))

    def rounds(count: int) -> None:
        for made, callee in each:
            repeat(made, callee, count)

    rounds(10)
    # A table of Python's own that becomes larger does so in one of the spans; a leak is in all.
    traced = []
    tracemalloc.start()
    for _ in range(3):
        rounds(13)
        settle()
        traced.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    grown = min(after - before for before, after in pairwise(traced))
    assert grown < 10_000, f"{grown} bytes more after 5,000 calls"
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    rounds(250)
    more = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak
    assert more < 4096, f"{more} KiB more after 100,000 calls"


def test_singletons_and_types_stay(built: Built) -> None:
    """None, True, the dtypes: their reference counts do not drift."""
    r = Random(built.seed + 3)
    watched: list[object] = [None, True, False, np.ndarray, TypeError, ValueError, OverflowError]
    watched += [np.dtype(name) for name in ("float64", "complex64", "int8", "bool", "uint64")]
    each = []
    for function in built.suite.functions * 4:
        each.append((calls.make(r, function), getattr(built.module, function.name)))
    for made, callee in each:
        repeat(made, callee, 2)
    settle()
    before = [sys.getrefcount(value) for value in watched]
    for made, callee in each:
        repeat(made, callee, ROUNDS)
    settle()
    after = [sys.getrefcount(value) for value in watched]
    for value, then, now in zip(watched, before, after, strict=True):
        assert abs(now - then) < ROUNDS / 2, f"{value}: {now - then:+} references"
