"""The participants: by column the function of a case. A tool omits the cases that it cannot do."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

HAND = {"by hand, libmvec": "hand_vector", "by hand, libm": "hand_exact"}
# The same with OpenMP, where tools have several threads.
HAND_THREADS = {"by hand, OpenMP": "hand_threads"}
FISHPLATE = "Fishplate"
NUMPY = "NumPy"

Find = Callable[[str], Callable[..., Any] | None]


def has_fishplate() -> bool:
    """Whether there is a Fishplate with graphs to measure."""
    if importlib.util.find_spec("fishplate") is None:
        return False
    return importlib.util.find_spec("fishplate.graph") is not None


def load(out: Path, threads: int) -> dict[str, Find]:
    """The modules that could be imported: Fishplate, the hand-written variants, then its peers."""
    sys.path.insert(0, str(out))
    found: dict[str, Find] = {}
    if has_fishplate():
        from peers import with_fishplate

        found[FISHPLATE] = with_fishplate.function
    for column, name in (HAND if threads == 1 else HAND | HAND_THREADS).items():
        if importlib.util.find_spec(name) is not None:
            found[column] = partial(getattr, importlib.import_module(name))
    from peers import with_jax, with_numba, with_numexpr, with_numpy, with_pytensor

    found["PyTensor C"] = partial(with_pytensor.function, linker="C")
    found["PyTensor Numba"] = partial(with_pytensor.function, linker="Numba")
    found["JAX"] = partial(with_jax.function, out=out)
    found["Numba"] = partial(with_numba.function, out=out)
    found["numexpr"] = with_numexpr.function
    found[NUMPY] = with_numpy.function
    # Compiled once, however many rows take them.
    return {column: cache(function) for column, function in found.items()}


def arguments_for(column: str, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """As the tool has them: most take NumPy's arrays."""
    if column != "JAX":
        return arguments
    from peers import with_jax

    return tuple(map(with_jax.argument, arguments))
