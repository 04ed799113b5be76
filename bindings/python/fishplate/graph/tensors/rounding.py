"""Functions whose results in NumPy depend on the processor.

Purpose: linker "perform" and constants have the same bits as C.
Invariant: the formulas are those of `crates/graph-c/src/function.rs`, operation by operation.
Reason: NumPy uses fused multiply-adds for complex numbers, and considers either of two zeros the
larger one, if the processor has instructions for that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = np.ndarray[Any, Any]


def _complex(real: Any, imag: Any, dtype: np.dtype[Any]) -> Array:
    out = np.empty(np.shape(real), dtype)
    out.real, out.imag = real, imag
    return out


def _multiply(x: Array, y: Array) -> Array:
    a, b, c, d = x.real, x.imag, y.real, y.imag
    return _complex(a * c - b * d, a * d + b * c, x.dtype)


def _divide(x: Array, y: Array) -> Array:
    """By Smith's method."""
    a, b = np.broadcast_arrays(x, y)
    turned = np.abs(b.real) < np.abs(b.imag)
    large, small = np.where(turned, b.imag, b.real), np.where(turned, b.real, b.imag)
    ratio = small / large
    scale = 1 / (large + small * ratio)
    real = np.where(turned, a.real * ratio + a.imag, a.real + a.imag * ratio) * scale
    imag = np.where(turned, a.imag * ratio - a.real, a.imag - a.real * ratio) * scale
    zero, length = b == 0, np.abs(b.real)
    return _complex(
        np.where(zero, a.real / length, real), np.where(zero, a.imag / length, imag), x.dtype
    )


def _reciprocal(x: Array) -> Array:
    turned = np.abs(x.imag) > np.abs(x.real)
    large, small = np.where(turned, x.imag, x.real), np.where(turned, x.real, x.imag)
    ratio = small / large
    scale = large + small * ratio
    one = x.real.dtype.type(1)
    return _complex(
        np.where(turned, ratio, one) / scale, -np.where(turned, one, ratio) / scale, x.dtype
    )


def _power(x: Array, y: Array) -> Any:
    """Powers that are small integers are products."""
    if y.ndim == 0 and y.imag == 0 and y.real in (1, 2, 3):
        power = x
        for _ in range(int(y.real) - 1):
            power = _multiply(power, x)
        return power
    return np.power(x, y)


#: Of complex numbers.
COMPLEX: dict[str, Callable[..., Any]] = {
    "multiply": _multiply,
    "square": lambda x: _multiply(x, x),
    "divide": _divide,
    "reciprocal": _reciprocal,
    "power": _power,
}

#: Of floats: of two zeros the first.
FLOAT: dict[str, Callable[..., Any]] = {
    "maximum": lambda x, y: np.where((x >= y) | (x != x), x, y),
    "minimum": lambda x, y: np.where((x <= y) | (x != x), x, y),
    "fmax": lambda x, y: np.where((x >= y) | (y != y), x, y),
    "fmin": lambda x, y: np.where((x <= y) | (y != y), x, y),
}


def to_integer(x: Array, dtype: np.dtype[Any]) -> Array:
    """Floats as integers: towards zero, then modulo 2 to the power of the bits; values beyond int64
    (int32 for int32) and NaN are the least int64 (int32), of which narrow dtypes have the lowest
    bits.
    """
    half = 2.0 ** (31 if dtype == np.int32 else 63)
    below = x > -half - 1 if dtype == np.int32 and x.dtype != np.float32 else x >= -half
    inside = below & (x < half)
    least = np.iinfo(np.int32 if dtype == np.int32 else np.int64).min
    whole = np.where(inside, np.where(inside, x, 0).astype(np.int64), least).astype(dtype)
    if dtype != np.uint64:
        return whole
    large = (x >= half) & (x < 2 * half)
    return np.where(large, np.where(large, x, 0).astype(np.uint64), whole)


#: Of integers.
INTEGER: dict[str, Callable[..., Any]] = {
    "reciprocal": lambda x: to_integer(np.divide(1.0, x), x.dtype),
}

_BY_KIND = {"c": COMPLEX, "f": FLOAT, "i": INTEGER, "u": INTEGER}


def function_of(name: str, dtype: np.dtype[Any]) -> Callable[..., Any] | None:
    """The function with this ufunc name for arguments of a dtype, if it is not NumPy's own."""
    return _BY_KIND.get(dtype.kind, {}).get(name)
