"""Every API call fails in turn in calls with strings, bytes and C-allocated memory."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from arming import Faults, failing


def strided(count: int) -> np.ndarray:
    return np.arange(2.0 * count)[::2]


def calls(c_strings: Any, returned_pointers: Any, pointer_lists: Any) -> list[Callable[[], Any]]:
    """One call for each way; its result is dropped."""
    return [
        lambda: c_strings.length("äöü"),
        lambda: c_strings.greet("you"),
        lambda: c_strings.total(bytearray(b"abc")),
        lambda: c_strings.mirrored(b"abc"),
        lambda: c_strings.mirror(bytearray(b"abc")),
        lambda: c_strings.pack(b"aaab"),
        lambda: c_strings.upto(10, 3.5),
        lambda: c_strings.upto_alone(6, 2, y=np.zeros(6)),
        lambda: c_strings.rows_fortran(3, 2),
        lambda: c_strings.words("a new word"),
        lambda: c_strings.scaled([1.0, 2.0], "k"),
        lambda: c_strings.chosen("2.5"),
        lambda: returned_pointers.joined("a", "b"),
        lambda: returned_pointers.range(3),
        lambda: returned_pointers.primes(),
        lambda: returned_pointers.tail(np.arange(3.0), 1),
        lambda: returned_pointers.tail_of_any(strided(3), 1),
        lambda: returned_pointers.tail_of_any(strided(300), 1),
        lambda: returned_pointers.larger([1.0, 2.0], [1.0]),
        lambda: returned_pointers.raw(b"abc"),
        lambda: returned_pointers.look(b"abc", 1),
        lambda: returned_pointers.look(bytearray(b"abc"), 1),
        lambda: returned_pointers.describe(0),
        lambda: returned_pointers.split([1, -2]),
        lambda: returned_pointers.split_high([1, -2]),
        lambda: returned_pointers.Box(3).data(),
        lambda: pointer_lists.words("a b c"),
        lambda: pointer_lists.block("a b"),
        lambda: pointer_lists.split("a b", 0),
        lambda: pointer_lists.matches("a b"),
        lambda: pointer_lists.loose(),
        lambda: pointer_lists.nodes(3, 3),
        lambda: pointer_lists.set_nodes(3, 0),
        lambda: pointer_lists.children(pointer_lists.Tree(2)),
        lambda: pointer_lists.all_children(pointer_lists.Tree(2)),
    ]


def main() -> None:
    sys.path[:0] = sys.argv[1:]
    import c_strings  # type: ignore[import-not-found]
    import pointer_lists  # type: ignore[import-not-found]
    import returned_pointers  # type: ignore[import-not-found]

    modules = (c_strings, returned_pointers, pointer_lists)
    all_faults = [Faults(module.__file__) for module in modules]
    failures = 0
    for call in calls(*modules):
        call()
        for _, got, fired in failing(call, *all_faults):
            failures += type(got) is MemoryError
            assert not isinstance(got, Exception) or type(got) is MemoryError, (got, fired)
            del got
            gc.collect()
            assert returned_pointers.alive() == pointer_lists.alive() == 0, "memory of C's is left"
    assert failures > 50, failures
    print("done")


if __name__ == "__main__":
    main()
