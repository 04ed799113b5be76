"""The script that runs under sanitizers: every part of the runtime once, with threads if requested.

`python scenario.py ENTRY FOLDER FLAG... [--threads]`
"""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import numpy as np
from kernels import (
    Failed,
    Linker,
    accumulate_text,
    argmin_text,
    load_entry,
    map_text,
    mask_text,
    matmul_text,
    mean_text,
    min_text,
    put_text,
    softmax_text,
    take_text,
)


def unknown(ndim: int) -> tuple[None, ...]:
    return (None,) * ndim


def functions(linker: Linker) -> list[tuple]:
    """(function, arguments, NumPy's results)."""
    rng = np.random.default_rng(0)
    big, small = rng.normal(size=(600, 700)), rng.normal(size=(7, 3))
    cube = rng.normal(size=(40, 50, 60))
    index = np.array([[0, -1, 2], [1, 1, -3]])
    mask = cube[:, :, 0] > 0
    two = [("a", "float64", unknown(2)), ("b", "float64", unknown(2))]
    calls = []

    def call(text, inputs, outputs, arguments, wanted):
        calls.append((linker.link(text, inputs, outputs), arguments, wanted))

    add = map_text([("float64", "a + b * a")], [("float64", 2)] * 2, 2)
    for a, b in [
        (big, big),
        (big, big[:1]),
        (big[::-1, ::3], big[:, ::3]),
        (big[:, :3], big[:1, :3]),
        (big.T, big[:, :1].T),
        (small, small),
        (big[:0], big[:0]),
    ]:
        call(add, two, [("float64", 2, None)], (a, b), a + b * a)
    for bits, axes in [(1, (0,)), (2, (1,)), (5, (0, 2)), (7, (0, 1, 2))]:
        rank = 3 - len(axes)
        for text, function, dtype in [
            (mean_text, np.mean, "float64"),
            (min_text, np.min, "float64"),
        ]:
            for x in (cube, cube.T, cube[:, ::-2]):
                call(
                    text("float64", 3, bits),
                    [("x", "float64", unknown(3))],
                    [(dtype, rank, None)],
                    (x,),
                    function(x, axis=axes),
                )
    long = rng.normal(size=300_000)
    call(
        mean_text("float64", 1, 1),
        [("x", "float64", unknown(1))],
        [("float64", 0, None)],
        (long,),
        long.mean(),
    )
    call(
        argmin_text("float64", 3, 7),
        [("x", "float64", unknown(3))],
        [("int64", 0, None)],
        (cube.T,),
        cube.T.argmin(),
    )
    for x in (big, big.T, big[:, ::2]):
        e = np.exp(x - x.max(1, keepdims=True))
        call(
            softmax_text("float64", 2, 1),
            [("x", "float64", unknown(2))],
            [("float64", 2, None), ("float64", 1, None)],
            (x,),
            [e / e.sum(1, keepdims=True), x.max(1)],
        )
    for dtype in ("float64", "int16", "complex64"):
        a, b = (small * 9).astype(dtype), (small.T * 9).astype(dtype)
        pair = [("a", dtype, unknown(2)), ("b", dtype, unknown(2))]
        call(matmul_text(dtype, 2, 2), pair, [(dtype, 2, None)], (a, b), a @ b)
    call(
        matmul_text("float64", 2, 2),
        two,
        [("float64", 2, None)],
        (big[::2, ::2], big.T[::2]),
        big[::2, ::2] @ big.T[::2],
    )
    call(
        take_text("float64", 3, 2, 1),
        [("x", "float64", unknown(3)), ("i", "int64", unknown(2))],
        [("float64", 4, None)],
        (cube, index),
        np.take(cube, index, 1),
    )
    call(
        mask_text("float64", 3, 2),
        [("x", "float64", unknown(3)), ("m", "bool", unknown(2))],
        [("float64", 2, None)],
        (cube, mask),
        cube[mask],
    )
    for x, axis in [(cube, 1), (cube.T, 2), (big[::-1], 0), (long[None, ::2], 1)]:
        call(
            accumulate_text("float64", x.ndim, axis),
            [("x", "float64", unknown(x.ndim))],
            [("float64", x.ndim, None)],
            (x,),
            x.cumsum(axis),
        )
    for place, places in [(1, ("int64", index)), (0, ("bool", mask))]:
        dtype, places = places
        wanted = cube.copy()
        where = (slice(None),) * place + (places,)
        value = rng.normal(size=wanted[where].shape[1:])
        np.add.at(wanted, where, value)
        call(
            put_text("float64", 3, place, value.ndim, (dtype, 2), "+="),
            [("x", "float64", unknown(3)), ("v", "float64", unknown(value.ndim))]
            + [("i", dtype, unknown(2))],
            [("float64", 3, None)],
            (cube, value, places),
            wanted,
        )
    return calls


def check(result, wanted) -> None:
    for one, other in zip(
        *((v if isinstance(v, list) else [v]) for v in (result, wanted)), strict=True
    ):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-10)


def main() -> None:
    entry = load_entry(Path(sys.argv[1]))
    flags = [flag for flag in sys.argv[3:] if flag != "--threads"]
    linker = Linker(entry, Path(sys.argv[2]), flags=tuple(flags))
    calls = functions(linker)
    entry.set_num_threads(3)
    for function, arguments, wanted in calls:
        check(function(*arguments), wanted)
    try:
        calls[0][0](np.ones((3, 4)), np.ones((5, 4)))
    except Failed:
        pass
    else:
        raise AssertionError("it should have failed")
    if "--threads" in sys.argv:

        def work() -> None:
            for function, arguments, wanted in calls:
                check(function(*arguments), wanted)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    print("done")


if __name__ == "__main__":
    main()
