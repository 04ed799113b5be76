"""Child process: calls of linked graphs with each allocation and each API call failing in turn.

`python graph_faults.py ENTRY`; prints the number of failures of each function, then `done`.
"""

from __future__ import annotations

import ctypes
import gc
import sys
import tracemalloc
from collections import Counter
from itertools import pairwise

import fishplate.graph as g
import numpy as np
from checked import use_entry
from test_updates import Sum

# Where the interpreter's own code may hide a failure, or reach the right result in another way.
HIDDEN = {"PyUnicode_AsUTF8", "PyUnicode_AsUTF8AndSize", "PyObject_HasAttrString"}


def graphs():
    """Functions of several steps, their arguments, and their results."""
    x, m, s, k = g.vector("x"), g.matrix("m"), g.scalar("s"), g.vector("k", "int32")
    kept, count = g.shared(np.zeros(40)), g.shared(1.0)  # updated to equal values
    rng = np.random.default_rng(0)
    a, b, n = rng.normal(size=40), rng.normal(size=(30, 40)), np.arange(40, dtype="int32")
    return [
        (
            g.function([x, m, s], [g.softmax(m @ x * s), m.sum(0) + x, (m * s).max()]),
            (a.tolist(), b.T.copy().T, 0.5),
            [np.exp(b @ a * 0.5) / np.exp(b @ a * 0.5).sum(), b.sum(0) + a, (b * 0.5).max()],
        ),
        (
            g.function([m], [g.concatenate([m @ m.T, m], 1)[::2], m[m > 0], m.argmax()]),
            (b[:, ::-1].astype(b.dtype.newbyteorder()),),
            [
                np.hstack([b[:, ::-1] @ b[:, ::-1].T, b[:, ::-1]])[::2],
                b[:, ::-1][b[:, ::-1] > 0],
                b[:, ::-1].argmax(),
            ],
        ),
        (
            g.function(
                [x, k], {"one": g.take(x, k), "two": g.inc_subtensor(x[1:], 1), "n": k.sum()}
            ),
            (a, n.tolist()),
            {"one": a[n], "two": np.r_[a[0], a[1:] + 1], "n": n.sum()},
        ),
        (
            g.function(
                [x, k], [g.set_subtensor(x[k], 2), g.inc_subtensor(x[x > 0], x[:1]), x.cumsum()]
            ),
            (a, n.tolist()),
            [np.where(np.isin(np.arange(a.size), n), 2, a), a + a[0] * (a > 0), a.cumsum()],
        ),
        (
            g.function([m], g.tanh(m @ m.T).mean(1).reshape(5, -1)),
            (b,),
            np.tanh(b @ b.T).mean(1).reshape(5, 6),
        ),
        (
            g.function([x], [x + kept, count], updates={kept: x - x, count: count * 1}),
            (a.tolist(),),
            [a, 1.0],
        ),
        (g.function([x], None, updates={kept: x - x}), (a,), None),
        (
            g.function(
                [x], {"sum": Sum()(x, kept), "kept": kept}, updates={kept: Sum()(kept, kept)}
            ),
            (a,),
            {"sum": a, "kept": 0 * a},
        ),
        (g.function([s, g.In(x, value=a)], s * x.prod(), name="named"), (2.0,), 2.0 * a.prod()),
        (
            g.function([s], [s + 1, s > 0, g.cast(s, "int64"), g.cast(s, "complex64")]),
            (2.5,),
            [3.5, True, 2, 2.5 + 0j],
        ),
    ]


def same(got, wanted) -> None:
    """Compares results, in a list, a dict or alone."""
    if wanted is None:
        assert got is None
        return
    if isinstance(wanted, dict):
        assert list(got) == list(wanted)
        got, wanted = list(got.values()), list(wanted.values())
    if not isinstance(wanted, list):
        got, wanted = [got], [wanted]
    for one, other in zip(got, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-10)


class Way:
    """A way to fail: arming it for the k-th time, and finding the failed function."""

    def __init__(self, library: ctypes.PyDLL) -> None:
        self.library = library
        library.fault_arm.argtypes = [ctypes.c_long]
        library.fault_fired.restype = ctypes.c_char_p

    def api(self, k: int) -> str | None:
        fired = self.library.fault_fired()
        self.library.fault_arm(k)
        return None if fired is None else fired.decode()

    def memory(self, k: int) -> str | None:
        left = self.library.fishplate_allocations_left(k - 1)
        return "memory" if left == 0 else None


def fail_each(function, arguments, wanted, arm, seen: Counter[str]) -> None:
    """One call for each fault, until no call is left to fail; the next call is right each time."""
    for k in range(1, 1000):
        held = [sys.getrefcount(one) for one in arguments]
        error, result = None, None
        arm(k)
        try:
            result = function(*arguments)
        except Exception as caught:
            error = caught.with_traceback(None)
        fired = arm(0)
        if error is None:
            same(result, wanted)
            # Without a failure, there were just enough.
            fired = None if fired == "memory" else fired
            assert fired in {None, *HIDDEN}, f"{fired} failed unnoticed"
        else:
            assert fired is not None, f"failed without a fault: {error!r}"
            assert isinstance(error, MemoryError), f"{fired}: {error!r}"
        failed = error is not None
        error = result = None
        assert [sys.getrefcount(one) for one in arguments] == held, f"references leak: {fired}"
        if fired != "memory":  # after a successful call, its memory is cached
            same(function(*arguments), wanted)
        if fired is None and not failed:
            return
        seen[fired or ""] += 1
    raise AssertionError("there is always more to fail")


def main() -> None:
    use_entry(sys.argv[1])
    way = Way(ctypes.PyDLL(sys.argv[1]))
    seen: Counter[str] = Counter()
    cases = graphs()
    for arm in (way.memory, way.api):
        for function, arguments, wanted in cases:
            fail_each(function, arguments, wanted, arm, seen)
    # Failing calls release their allocations: a round needs no more than the one before.
    tracemalloc.start()
    sizes = []
    for _ in range(12):
        for function, arguments, wanted in cases:
            fail_each(function, arguments, wanted, way.api, Counter())
        gc.collect()
        sizes.append(tracemalloc.get_traced_memory()[0])
    # A leak grows in each round; Python's own caches grow in some.
    assert min(after - before for before, after in pairwise(sizes[-6:])) < 100, sizes
    assert seen["memory"] > 5, seen
    print(dict(seen))
    print("done")


if __name__ == "__main__":
    main()
