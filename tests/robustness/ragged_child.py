"""Child process: random calls over lists, as they are or with each API call failing in turn.

Arguments: folder of the module `ragged`, seed, calls, and `faults` for the second. Prints `done`.
"""

from __future__ import annotations

import ctypes
import gc
import importlib.util
import sys
from pathlib import Path
from random import Random
from types import ModuleType

import ragged_calls
import tools

# API calls whose failure a call survives: of a message's string, and of a test for an attribute.
RECOVERED = {"PyObject_HasAttrString", "PyObject_Str"}


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("ragged", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def counts(call: ragged_calls.Call) -> list[int]:
    return [sys.getrefcount(one) for one in call.watched]


def faulty(module: ModuleType, library: ctypes.PyDLL, seed: int, number: int) -> None:
    """A call with its first, second, third... API call failing, up to the last one."""
    wanted = ragged_calls.outcome(ragged_calls.make(Random(f"{seed} {number}")), module)
    for k in range(1, 2000):
        call = ragged_calls.make(Random(f"{seed} {number}"))
        before = counts(call)
        got = None
        library.fault_arm(k)
        try:
            got = ragged_calls.plain(call.perform(module))
        except MemoryError:
            got = MemoryError
        except (ValueError, TypeError, OverflowError, RuntimeError) as error:
            got = f"{type(error).__name__}: {error}"
        fired = library.fault_fired()
        library.fault_arm(0)
        note = f"fault {k}, {fired}, of call {number}, {call.function}: {got} and not {wanted}"
        if fired is None:
            assert got == wanted, note
            return
        assert got is MemoryError or got == wanted or fired.decode() in RECOVERED, note
        assert counts(call) == before, note


def blocks() -> int:
    gc.collect()
    sys._clear_type_cache()
    return sys.getallocatedblocks()


def main() -> None:
    folder, seed, count = sys.argv[1:4]
    path = Path(folder) / f"ragged{tools.suffix()}"
    module = load(path)
    if sys.argv[4:] == ["faults"]:
        library = ctypes.PyDLL(str(path))
        library.fault_arm.argtypes = [ctypes.c_long]
        library.fault_fired.restype = ctypes.c_char_p

        def each(number: int) -> None:
            faulty(module, library, int(seed), number)
    else:

        def each(number: int) -> None:
            call = ragged_calls.make(Random(f"{seed} {number}"))
            before = counts(call)
            ragged_calls.outcome(call, module)
            assert counts(call) == before, f"call {number}, {call.function}"

    left = []
    for _ in range(3):
        for number in range(int(count)):
            each(number)
        left.append(blocks())
    # The first pass also fills caches; memory that grows in later ones has leaked.
    assert left[2] - left[1] < 10, f"{left}: blocks grow"
    print("done")


main()
