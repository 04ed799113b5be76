"""Child process: random programs, with the entry and the linked code as the flags have built them.

`python checked.py ENTRY FIRST COUNT [--threads]`; the environment's CC adds the checks.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import threading

import fishplate.graph as g
import numpy as np
from fishplate import _native
from programs import RandomProgram


def use_entry(path: str) -> object:
    """Lets graphs be called through another build of the entry."""
    spec = importlib.util.spec_from_file_location("_entry", path)
    assert spec is not None and spec.loader is not None
    entry = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(entry)
    _native.Function, _native.Cell = entry.Function, entry.Cell
    return entry


def link(program: RandomProgram, static: bool):
    """The function of a program, and the indices of its results."""
    inputs = program.variables(static)
    made = program.apply(inputs)
    numbers = program.wanted()
    outputs = [made[number] for number in numbers]
    return g.function(inputs, outputs, on_unused_input="ignore"), numbers


def main() -> None:
    os.environ.pop("LD_PRELOAD", None)  # it is for us, not for the compiler
    use_entry(sys.argv[1])
    first, count = map(int, sys.argv[2:4])
    programs = [RandomProgram(seed, 10) for seed in range(first, first + count)]
    linked = [(*link(program, bool(k % 2)), program) for k, program in enumerate(programs)]

    def work() -> None:
        for f, numbers, program in linked:
            program.check(f(*program.arguments), numbers)

    work()
    if "--threads" in sys.argv:
        failures = []

        def watched() -> None:
            try:
                work()
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=watched) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not failures, failures[0]
    x, y = g.vector("x"), g.vector("y")
    try:
        g.function([x, y], (x * y).sum())(np.ones(3), np.ones(4))
    except ValueError:
        print("done")


if __name__ == "__main__":
    main()
