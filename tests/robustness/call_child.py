"""Child process: random calls of a built suite, checked like anywhere else, in a process that may
run under a sanitizer. Arguments: folder, name, seed, functions, calls."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import calls
import chance
import tools


def main() -> None:
    folder, name, seed, functions, count = sys.argv[1:]
    suite = chance.random_suite(name, int(seed), int(functions))
    module = tools.load(name, Path(folder))
    r = Random(int(seed) + 1)
    for number in range(int(count)):
        # Every function in turn, so that each is called, independent of chance.
        function = suite.functions[number % len(suite.functions)]
        made = calls.make(r, function)
        calls.perform(made, getattr(module, function.name))
    print("done")


main()
