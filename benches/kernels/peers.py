"""The tools compared: each is an object whose attributes are the functions of kernels.h, over many
items. It lacks the functions that the tool cannot do, or that make no sense with it."""

from __future__ import annotations

import ctypes
import importlib
import math
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

HERE = Path(__file__).resolve().parent
DEFAULT_OUT = HERE.parent.parent / "target" / "bench" / "kernels"

BASELINE = "by hand"
FISHPLATE = "fishplate"

Array = NDArray[np.float64]
Tools = dict[str, Any]


def vectorized(hand: ModuleType) -> SimpleNamespace:
    """numpy.vectorize, of functions that are themselves C: it can have no faster ones."""
    doubles = [np.float64]
    return SimpleNamespace(
        poly=np.vectorize(hand.poly_one, otypes=doubles),
        cos=np.vectorize(hand.cos_one, otypes=doubles),
        blend=np.vectorize(hand.blend_one, otypes=doubles),
        costly=np.vectorize(hand.costly_one, otypes=doubles),
        dot=np.vectorize(hand.dot_one, otypes=doubles, signature="(n),(n)->()"),
        matvec=np.vectorize(hand.matvec_one, otypes=doubles, signature="(m,n),(n)->(m)"),
    )


def through_ctypes(library: Path) -> SimpleNamespace:
    """Loops in Python, with as little in them as possible."""
    lib = ctypes.CDLL(str(library))
    double, size, address = ctypes.c_double, ctypes.c_size_t, ctypes.c_void_p

    def declare(name: str, *arguments: Any, result: Any = double) -> Callable[..., float]:
        function = getattr(lib, name)
        function.argtypes, function.restype = arguments, result
        return function

    one_poly, one_cos = declare("poly_of", double), declare("cos_of", double)
    one_costly, one_blend = declare("costly", double), declare("blend_of", double, double)
    one_dot = declare("dot", size, address, address)
    one_strided = declare("dot_strided", size, address, ctypes.c_ssize_t, address, ctypes.c_ssize_t)
    one_matvec = declare("matvec", size, size, address, address, address, result=None)

    def over(function: Callable[[float], float]) -> Callable[[Array], Array]:
        return lambda x: np.fromiter(map(function, x.tolist()), np.float64, x.size)

    def blend(x: Array, y: Array) -> Array:
        columns = y.tolist()
        values = (one_blend(a, b) for a in x.ravel().tolist() for b in columns)
        return np.fromiter(values, np.float64, x.size * y.size).reshape(x.size, y.size)

    def addresses(x: Array) -> range:
        start = x.ctypes.data
        return range(start, start + len(x) * x.strides[0], x.strides[0])

    def dot(x: Array, y: Array) -> Array:
        x, y, n = np.ascontiguousarray(x), np.ascontiguousarray(y), x.shape[1]
        values = (one_dot(n, a, b) for a, b in zip(addresses(x), addresses(y), strict=True))
        return np.fromiter(values, np.float64, len(x))

    def dot_strided(x: Array, y: Array) -> Array:
        n, incx, incy = x.shape[1], x.strides[1] // 8, y.strides[1] // 8
        pairs = zip(addresses(x), addresses(y), strict=True)
        values = (one_strided(n, a, incx, b, incy) for a, b in pairs)
        return np.fromiter(values, np.float64, len(x))

    def matvec(a: Array, x: Array) -> Array:
        items, m, n = a.shape
        y = np.empty((items, m))
        for pa, px, py in zip(addresses(a), addresses(x), addresses(y), strict=True):
            one_matvec(m, n, pa, px, py)
        return y

    return SimpleNamespace(
        poly=over(one_poly),
        cos=over(one_cos),
        costly=over(one_costly),
        blend=blend,
        dot=dot,
        dot_strided=dot_strided,
        matvec=matvec,
    )


def compiled_by_numba() -> tuple[SimpleNamespace, SimpleNamespace]:
    """The functions written in Python, compiled ahead of the calls: on one core, and on all."""
    from numba import guvectorize, vectorize

    @vectorize(["f8(f8)"])
    def poly(x: float) -> float:
        return x * x + 1.0

    @vectorize(["f8(f8)"])
    def cos(x: float) -> float:
        return math.cos(x)

    @vectorize(["f8(f8,f8)"])
    def blend(x: float, y: float) -> float:
        return x * y + 1.0

    @guvectorize(["void(f8[:],f8[:],f8[:])"], "(n),(n)->()")
    def dot(x: Array, y: Array, z: Array) -> None:
        total = 0.0
        for i in range(x.shape[0]):
            total += x[i] * y[i]
        z[0] = total

    @guvectorize(["void(f8[:,:],f8[:],f8[:])"], "(m,n),(n)->(m)")
    def matvec(a: Array, x: Array, y: Array) -> None:
        for i in range(a.shape[0]):
            total = 0.0
            for j in range(a.shape[1]):
                total += a[i, j] * x[j]
            y[i] = total

    def costly(x: float) -> float:
        y = x
        for _ in range(12000):
            y = y * 0.5 + x
        return y

    one_core = SimpleNamespace(
        poly=poly,
        cos=cos,
        blend=blend,
        dot=dot,
        dot_strided=dot,
        matvec=matvec,
        costly=vectorize(["f8(f8)"])(costly),
    )
    return one_core, SimpleNamespace(costly=vectorize(["f8(f8)"], target="parallel")(costly))


# The functions of NumPy. It has no ufunc for the polynomial, nor for the blend.
NUMPY = SimpleNamespace(
    poly=lambda x: x * x + 1.0,
    cos=np.cos,
    blend=lambda x, y: x * y + 1.0,
    dot=getattr(np, "vecdot", None),
    dot_strided=getattr(np, "vecdot", None),
    matvec=getattr(np, "matvec", None),
)


def load(out: Path, fishplate: Path) -> Tools:
    sys.path[:0] = [str(out), str(fishplate)]
    hand = importlib.import_module("kernels_hand")
    one_core, all_cores = compiled_by_numba()
    return {
        BASELINE: hand,
        FISHPLATE: importlib.import_module("kernels"),
        "C ufunc": importlib.import_module("kernels_ufunc"),
        "Numba": one_core,
        "Numba, parallel": all_cores,
        "NumPy": NUMPY,
        "ctypes loop": through_ctypes(out / "libkernels.so"),
        "numpy.vectorize": vectorized(hand),
    }
