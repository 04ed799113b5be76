"""Dtypes: the supported ones, and the loop that a function uses.

Purpose: NumPy's rules for the dtypes of results, from NumPy itself.
Invariant: Python's own numbers are weak, as in NEP 50: they take the dtype of the other operand.
Reason: a graph computes what the same expression computes in NumPy. NumPy's float16 is not
supported; where NumPy would compute in it (`exp` of an int8), the loop for float32 is used.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

#: A dtype by its name, or the class of a weak Python number.
Strength: TypeAlias = "str | type"

NAMES = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float32", "float64", "complex64", "complex128",
)  # fmt: skip

#: Python's numbers whose dtype is weak; a bool is not.
WEAK = (int, float, complex)

_NAMES = frozenset(NAMES)

# The ufuncs for names of functions, if the names differ.
_UFUNCS = {
    "sub": "subtract", "mul": "multiply", "pow": "power", "conj": "conjugate",
    "eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater",
    "ge": "greater_equal", "invert": "invert",
}  # fmt: skip

# Functions that NumPy lacks, and a ufunc with the same dtypes.
_ALIKE = {
    "erf": "cbrt", "erfc": "cbrt", "gamma": "cbrt", "lgamma": "cbrt", "sigmoid": "cbrt",
    "angle": "arctan",
}  # fmt: skip

# Functions whose result has the dtype of their arguments.
_COMMON = frozenset(["where", "real", "imag"])


def name_of(dtype: Any) -> str:
    """The name of a dtype that a graph can have."""
    if type(dtype) is str and dtype in _NAMES:
        return dtype
    try:
        found = np.dtype(dtype)
    except TypeError as error:
        raise TypeError(f"{dtype!r} is not a dtype") from error
    if found.name not in _NAMES or dtype is None:
        raise TypeError(f"dtype {dtype!r} is not one of {', '.join(NAMES)}")
    return str(found.name)


def ufunc_name(function: str) -> str:
    """NumPy's name of a function of scalars."""
    return _UFUNCS.get(function, function)


@functools.lru_cache(maxsize=4096)
def loop(function: str, arguments: tuple[Strength, ...]) -> tuple[str, ...]:
    """The dtypes to which the arguments of a function of scalars are cast.

    Raises
    ------
    TypeError
        If the function is not defined for them.
    """
    if function == "where":
        return "bool", *[common(arguments[1:])] * 2
    if function == "angle" and arguments == ("bool",):
        return ("float64",)  # NumPy's is the arctan2 of it and of an int
    if function in _COMMON:
        return (common(arguments),) * len(arguments)
    if function == "fma":
        return (loop("logaddexp", (common(arguments),) * 2)[0],) * 3
    ufunc = getattr(np, ufunc_name(_ALIKE.get(function, function)))
    try:
        found = _resolve(ufunc, arguments)
    except TypeError as error:
        names = " and ".join(_show(argument) for argument in arguments)
        raise TypeError(f"{function} is not defined for {names}") from error
    return tuple(dtype.name for dtype in found)


def _resolve(ufunc: np.ufunc, arguments: Sequence[Strength]) -> Sequence[np.dtype[Any]]:
    wanted: list[Any] = [np.dtype(a) if isinstance(a, str) else a for a in arguments]
    found = ufunc.resolve_dtypes((*wanted, *[None] * ufunc.nout))
    if any(dtype.name == "float16" for dtype in found[: len(wanted)]):
        single = [np.dtype("float32") if isinstance(w, np.dtype) else w for w in wanted]
        found = ufunc.resolve_dtypes((*single, *[None] * ufunc.nout))
    return found[: len(wanted)]


def common(arguments: Sequence[Strength]) -> str:
    """The common dtype by NumPy's promotion."""
    values = [np.dtype(a) if isinstance(a, str) else a(0) for a in arguments]
    return name_of(np.result_type(*values))


def _show(argument: Strength) -> str:
    return argument if isinstance(argument, str) else f"a Python {argument.__name__}"
