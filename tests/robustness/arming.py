"""API calls that fail in turn, in modules that are linked with faults.c."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from typing import Any


class Faults:
    """The faults of a module, from outside."""

    def __init__(self, path: object) -> None:
        # PyDLL: the same library that Python imports, with the GIL held.
        self.library = ctypes.PyDLL(str(path))
        self.library.fault_arm.argtypes = [ctypes.c_long]
        self.library.fault_fired.restype = ctypes.c_char_p

    def arm(self, k: int) -> None:
        self.library.fault_arm(k)

    def disarm(self) -> str | None:
        """The function that has failed, if one has."""
        fired = self.library.fault_fired()
        self.library.fault_arm(0)
        return None if fired is None else fired.decode()


def failing(
    call: Callable[[], Any], *all_faults: Faults, most: int = 3000
) -> Iterator[tuple[int, Any, str | None]]:
    """Makes the first, second, third... API call of `call` fail, in each module.

    Yields the number of the API call, what `call` has returned or the exception that it has raised,
    and the function that has failed: none in the last call. Without modules, it is called once.
    """
    for nth in range(1, most):
        for faults in all_faults:
            faults.arm(nth)
        got = []  # emptied, so that only the caller refers to the result
        try:
            got.append(call())
        except (MemoryError, ValueError, TypeError, OverflowError, RuntimeError) as error:
            got.append(error.with_traceback(None))
        fired = [name for name in [faults.disarm() for faults in all_faults] if name is not None]
        yield nth, got.pop(), fired[0] if fired else None
        if not fired:
            return
    raise AssertionError("a call fails forever")
