"""The built-in ops, computed by NumPy.

Purpose: linker "perform", and the reference for the others.
Invariant: inputs are arrays, and the result is an array or a NumPy scalar; no input is changed.
Reason: one table, from the names of ops to NumPy.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from . import rounding
from .dtypes import ufunc_name

if TYPE_CHECKING:
    from fractions import Fraction

Array: TypeAlias = np.ndarray[Any, Any]


def compute(name: str, params: tuple[Any, ...], arrays: Sequence[Array]) -> Any:
    """The result of a built-in op."""
    return OPS[name](params, *arrays)


def _each(function: Callable[[float], float]) -> Callable[[Array], Array]:
    """A function of Python floats, for arrays."""

    def apply(x: Array) -> Array:
        out = np.empty(x.shape, x.dtype)
        flat = out.reshape(-1)
        for index, value in enumerate(x.reshape(-1).tolist()):
            flat[index] = function(value)
        return out

    return apply


def _gamma(x: float) -> float:
    try:
        return math.gamma(x)
    except OverflowError:
        return math.inf if x > 0 or math.floor(x) % 2 == 0 else -math.inf
    except ValueError:  # a pole, or -inf
        return math.copysign(math.inf, x) if x == 0 else math.nan


def _lgamma(x: float) -> float:
    try:
        return math.lgamma(x)
    except (OverflowError, ValueError):
        return math.inf


def _sigmoid(x: Array) -> Any:
    small = np.exp(-np.abs(x))
    return np.where(x >= 0, 1, small) / (1 + small)


def _fma(x: Array, y: Array, z: Array) -> Array:
    from fractions import Fraction

    plain = x * y + z
    out = np.array(plain)
    finite = np.isfinite(plain)
    arrays = np.broadcast_arrays(x, y, z)
    for index in zip(*np.nonzero(finite), strict=True):
        a, b, c = (Fraction(float(array[index])) for array in arrays)
        exact = a * b + c
        if exact:  # a zero has its sign from the plain sum
            out[index] = _nearest(exact, x.dtype)
    return out


def _nearest(exact: Fraction, dtype: np.dtype[Any]) -> Any:
    """The nearest number of this dtype, ties to even."""
    from fractions import Fraction

    near = float(exact)
    if dtype == np.float64:
        return near
    # Rounding twice could give the wrong neighbour: the remainder decides if the first is a tie.
    single = np.float32(near)
    tie = Fraction(float(single))
    other = np.nextafter(single, np.float32(np.inf if exact > tie else -np.inf))
    if abs(Fraction(float(other)) - exact) < abs(tie - exact):
        return other
    return single


#: The functions of scalars that are not ufuncs of NumPy.
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "where": np.where,
    "real": np.real,
    "imag": np.imag,
    "angle": np.angle,
    "erf": _each(math.erf),
    "erfc": _each(math.erfc),
    "gamma": _each(_gamma),
    "lgamma": _each(_lgamma),
    "sigmoid": _sigmoid,
    "fma": _fma,
}


def _map(params: tuple[Any, ...], *arrays: Array) -> Any:
    (which,) = params
    if isinstance(which, tuple):
        return _cast(arrays[0], which[1])
    function = FUNCTIONS.get(which)
    if function is None:
        name = ufunc_name(which)
        function = rounding.function_of(name, arrays[-1].dtype) or getattr(np, name)
    return function(*arrays)


def _cast(x: Array, dtype: str) -> Array:
    if x.dtype.kind == "c" and dtype not in ("bool", "complex64", "complex128"):
        x = x.real
    to = np.dtype(dtype)
    if x.dtype.kind == "f" and to.kind in "iu":
        return rounding.to_integer(x, to)
    return x.astype(to)


def _reduce(params: tuple[Any, ...], x: Array) -> Any:
    function, axes, keepdims = params
    if function.startswith("arg"):
        if len(axes) == x.ndim:
            flat = getattr(np, function)(x)
            return np.reshape(flat, (1,) * x.ndim) if keepdims else flat
        return getattr(np, function)(x, axis=axes[0], keepdims=keepdims)
    if function == "supremum":
        least = -np.inf if x.dtype.kind == "f" else np.iinfo(x.dtype).min
        return np.max(x, axis=axes, keepdims=keepdims, initial=least)
    extra = {"dtype": x.dtype} if function in ("sum", "prod") else {}
    return getattr(np, function)(x, axis=axes, keepdims=keepdims, **extra)


def _accumulate(params: tuple[Any, ...], x: Array) -> Array:
    function, axis = params
    return (np.add if function == "sum" else np.multiply).accumulate(x, axis, x.dtype)


def _put(params: tuple[Any, ...], x: Array, value: Array, index: Array) -> Array:
    axis, mode = params
    out = x.copy()
    # NumPy goes through an index in the order of its memory; the last value for a place remains.
    place = (slice(None),) * axis + (np.asarray(index, order="C"),)
    if mode == "inc":
        np.add.at(out, place, value)
    else:
        out[place] = value
    return out


def _index(spec: tuple[Any, ...], scalars: Sequence[Array]) -> tuple[Any, ...]:
    """The index for a spec and its numbers."""
    numbers = iter(scalars)
    index: list[Any] = []
    for kind, *rest in spec:
        if kind == "i":
            index.append(int(next(numbers)))
        else:
            has_start, has_stop, step = rest
            start = int(next(numbers)) if has_start else None
            stop = int(next(numbers)) if has_stop else None
            index.append(slice(start, stop, step))
    return tuple(index)


def _slice(spec: tuple[Any, ...], x: Array, *scalars: Array) -> Any:
    return x[_index(spec, scalars)]


def _set_slice(params: tuple[Any, ...], x: Array, value: Array, *scalars: Array) -> Array:
    *spec, mode = params
    out = x.copy()
    index = _index(tuple(spec), scalars)
    if mode == "inc":
        out[index] += value
    else:
        out[index] = value
    return out


def _sizes(scalars: Sequence[Array]) -> tuple[int, ...]:
    return tuple(int(size) for size in scalars)


def _full(_params: tuple[Any, ...], value: Array, *sizes: Array) -> Array:
    return np.full(_sizes(sizes), value, value.dtype)


def _arange(params: tuple[Any, ...], start: Any, stop: Any, step: Any) -> Any:
    return np.arange(start, stop, step, params[0])  # type: ignore[call-overload]


#: Every built-in op.
OPS: dict[str, Callable[..., Any]] = {
    "map": _map,
    "reduce": _reduce,
    "accumulate": _accumulate,
    "matmul": lambda _params, a, b: np.matmul(a, b),
    "transpose": lambda params, x: np.transpose(x, params),
    "expand": lambda params, x: np.expand_dims(x, params),
    "squeeze": lambda params, x: np.squeeze(x, params),
    "broadcast_to": lambda _params, x, *sizes: np.broadcast_to(x, _sizes(sizes)),
    "reshape": lambda _params, x, *sizes: np.reshape(x, _sizes(sizes)),
    "slice": _slice,
    "set_slice": _set_slice,
    "put": _put,
    "take": lambda params, x, index: np.take(x, index, params[0]),
    "mask": lambda _params, x, mask: x[mask],
    "join": lambda params, *arrays: np.concatenate(arrays, params[0]),
    "arange": _arange,
    "full": _full,
    "shape_i": lambda params, x: np.int64(x.shape[params[0]]),
    "shape": lambda _params, x: np.array(x.shape, np.int64),
    "make_vector": lambda _params, *scalars: np.stack(scalars),
    "deep_copy": lambda _params, x: x.copy(),
    "view": lambda _params, x: x,
}
