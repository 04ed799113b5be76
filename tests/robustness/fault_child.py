"""Child process: every call of a suite with its first, second, third... API call failing.

Arguments: folder, name, seed, functions, calls. Prints `done` and how many faults fired where.
"""

from __future__ import annotations

import ctypes
import gc
import importlib.util
import sys
import tracemalloc
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import ModuleType

import arming
import calls
import chance
import spec
import tools

# Where a failure may become another exception: HasAttrString reports only "no such attribute",
# and NumPy's own message stays as it is when its text cannot be read.
SWALLOWED = {"PyObject_HasAttrString": TypeError, "PyObject_Str": ValueError}
# The functions after whose failure the call may still return the right result, in another way.
RECOVERED = {"PyUnicode_AsUTF8AndSize", "PyObject_HasAttrString"}


class Faults(arming.Faults):
    """Also which faults a suite has seen, and its calls of C."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.seen: Counter[str] = Counter()

    def c_calls(self) -> int:
        self.library.calls.restype = ctypes.c_long
        return int(self.library.calls())


def load_under_faults(name: str, path: Path, faults: Faults) -> ModuleType:
    """Imports the module with each of its API calls failing in turn, then without failures."""
    faults.library.fault_old_numpy(0)
    for k in range(1, 10_000):
        spec_ = importlib.util.spec_from_file_location(name, path)
        assert spec_ is not None and spec_.loader is not None
        faults.arm(k)
        try:
            module = importlib.util.module_from_spec(spec_)
            spec_.loader.exec_module(module)
        except Exception as error:
            fired = faults.disarm()
            assert fired is not None, f"import failed without a fault: {error!r}"
            # NumPy's own code reports that the pointer of its capsule is NULL.
            allowed = RuntimeError if fired == "PyCapsule_GetPointer" else MemoryError
            assert isinstance(error, allowed), f"{fired} failed: {error!r}"
            faults.seen[f"import: {fired}"] += 1
        else:
            fired = faults.disarm()
            assert fired is None, f"{fired} failed, and the import did not"
            return module
    raise AssertionError("import never succeeds")


def perform(
    made: calls.Made,
    callee: Callable[..., object],
    faults: Faults,
    k: int,
    *,
    explains: bool = False,
) -> str | None:
    """One call, or one explanation, whose k-th API call fails; the failed function, or None if
    there are fewer than k."""
    before, c_before = calls.counts(made), faults.c_calls()
    result: object = None
    error: Exception | None = None
    faults.arm(k)
    try:
        result = callee(*made.args, **made.kwargs)
    except Exception as caught:  # which it may be is checked
        error = caught.with_traceback(None)
    try:
        fired = faults.disarm()
    except MemoryError:
        # ctypes detects an exception that the call has set along with its result.
        fired = faults.disarm()
        raise AssertionError(f"{fired} (fault {k}): result and exception: {made}") from None
    called = faults.c_calls() != c_before
    note = f"{fired} failed (fault {k})"
    try:
        if error is None:
            if explains:
                assert isinstance(result, str), result
            else:
                calls.check_results(made, result)
            calls.check_inputs(made, changed=not explains)
            assert fired is None or fired in RECOVERED, "the failure went unnoticed"
        else:
            swallowed = fired in SWALLOWED and type(error) is SWALLOWED[fired]
            if fired is None or not (swallowed or isinstance(error, MemoryError)):
                calls.check_error(made, error)
            if not called:
                calls.check_inputs(made, changed=False)
            error = None
        result = None
        after = calls.counts(made)
        assert after == before, f"references {before} became {after}: {made}"
    except AssertionError as failure:
        failure.add_note(note)
        raise
    return fired


def one_pass(
    suite: spec.Suite, module: ModuleType, faults: Faults, seed: int, numbers: list[int]
) -> list[str]:
    """Every call with every fault; returns the failures. Removes the known ones from the list."""
    failures: list[str] = []
    for number in list(numbers):
        function = suite.functions[number % len(suite.functions)]
        callee = getattr(module, function.name)
        explains = number % 5 == 4
        for k in range(1, 1000):
            # The same call each time, with unchanged inputs.
            made = calls.make(Random(f"{seed} {number}"), function)
            try:
                called = getattr(module.explain, function.name) if explains else callee
                fired = perform(made, called, faults, k, explains=explains)
                # The next call works as without a failure.
                made = calls.make(Random(f"{seed} {number}"), function)
                calls.perform(made, callee)
            except AssertionError as error:
                text = " ".join([*getattr(error, "__notes__", []), str(error)])
                failures.append(text)
                break
            if fired is None:
                break
            faults.seen[fired] += 1
    return failures


def import_with_an_old_numpy(name: str, path: Path, faults: Faults) -> None:
    """A NumPy that the module was not built for is refused, and not only the first time."""
    faults.library.fault_old_numpy(1)
    for attempt in ("first", "second"):
        spec_ = importlib.util.spec_from_file_location(name, path)
        assert spec_ is not None and spec_.loader is not None
        try:
            spec_.loader.exec_module(importlib.util.module_from_spec(spec_))
        except (RuntimeError, ImportError):
            continue
        print(f"the {attempt} import went through")
        return
    print("done")


def main() -> None:
    folder, name, seed, functions, count = sys.argv[1:]
    suite = chance.random_suite(name, int(seed), int(functions))
    path = Path(folder) / f"{name}{tools.suffix()}"
    faults = Faults(path)
    if count == "old":
        return import_with_an_old_numpy(name, path, faults)
    module = load_under_faults(name, path, faults)
    numbers = list(range(int(count)))
    failures = one_pass(suite, module, faults, int(seed), numbers)
    for failure in failures[:10]:
        print("FAILED", failure)
    if failures:
        print(f"{len(failures)} failures")
        return
    # Caches are warm now; memory that grows in a further pass has leaked.
    tracemalloc.start()
    left = []
    for _ in range(3):
        failures += one_pass(suite, module, faults, int(seed), numbers)
        gc.collect()
        # The cache of attributes holds a string for each one that was ever looked up by C text.
        sys._clear_type_cache()
        left.append((tracemalloc.get_traced_memory()[0], sys.getallocatedblocks()))
    tracemalloc.stop()
    growth = left[-1][1] - left[-2][1]
    # A path that leaks does so each time; a handful of blocks are the interpreter's own.
    assert growth < 10, f"{left}: blocks grow"
    assert left[-1][0] - left[-2][0] < 2000, f"{left}: memory grows"
    for fired, times in sorted(faults.seen.items()):
        print(f"{times:7} {fired}")
    print("done" if not failures else failures[0])


if __name__ == "__main__":
    main()
