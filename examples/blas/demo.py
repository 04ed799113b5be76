"""Calls each function of the module, and NumPy for the same; fails if the two differ."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import indent
from typing import Any

import blas
import numpy as np


def short(value: Any) -> str:
    """A value on one line: of a matrix its size, and its elements in C's order."""
    if not isinstance(value, np.ndarray):
        return f"{value:.6g}"
    ends = 1 if np.iscomplexobj(value) else 2
    text = np.array2string(value.ravel(), precision=3, threshold=3, edgeitems=ends)
    size = f"{value.shape[0]}x{value.shape[1]} " if value.ndim == 2 else ""
    return size + " ".join(text.replace("[ ", "[").replace(" ]", "]").split())


def compare(call: str, ours: Any, numpys: Any) -> None:
    """Shows both results of a call, which must agree to the last digits of their type."""
    rtol = 1e-5 if np.asarray(numpys).dtype == np.float32 else 1e-11
    np.testing.assert_allclose(ours, numpys, rtol=rtol, atol=1e-5 * rtol, err_msg=call)
    print(f"{call:<36}{short(ours):<40}{short(numpys)}")


def show_error(function: Callable[..., object], *arguments: object) -> None:
    """Makes a call that must be refused, and shows how."""
    try:
        function(*arguments)
    except (TypeError, ValueError, RuntimeError) as error:
        print(indent(f"{type(error).__name__}: {error}", "    "))
    else:
        raise AssertionError("a wrong call was not refused")


def main() -> None:
    random = np.random.default_rng(1)
    a, b = random.normal(size=(4, 3)), random.normal(size=(3, 5))
    c = random.normal(size=(4, 5))
    x, y = random.normal(size=3), random.normal(size=4)
    z, w = x + 1j * b[:, 0], b[:, 1] - 2j * b[:, 2]
    square, right = random.normal(size=(4, 4)), random.normal(size=(4, 2))

    print(f"{'':<36}{'Fishplate':<40}NumPy")
    compare("vdot(x, b[:, 0])", blas.vdot(x, b[:, 0]), np.vdot(x, b[:, 0]))
    single = x.astype(np.float32)
    compare("vdot(single, single)", blas.vdot(single, single), np.vdot(single, single))
    compare("vdot(z, w)", blas.vdot(z, w), np.vdot(z, w))
    compare("gemv(a, x)", blas.gemv(a, x), a @ x)
    compare(
        "gemv(a, x, alpha=2, beta=-1, y=y)", blas.gemv(a, x, alpha=2, beta=-1, y=y), 2 * a @ x - y
    )
    compare("gemv(a, z)", blas.gemv(a, z), a @ z)
    compare("gemv_f(b.T, x)", blas.gemv_f(b.T, x), b.T @ x)
    compare("gemm(a, b)", blas.gemm(a, b), a @ b)
    compare("gemm(a, b, beta=1, c=c)", blas.gemm(a, b, beta=1, c=c), a @ b + c)
    a32, b32 = a.astype(np.float32), b.astype(np.float32)
    compare("gemm(a32, b32)", blas.gemm(a32, b32), a32 @ b32)
    product = blas.gemm_f(b.T, a.T)
    assert product.flags.f_contiguous
    compare("gemm_f(b.T, a.T)", product, b.T @ a.T)
    compare("solve(square, y)", blas.solve(square, y), np.linalg.solve(square, y))
    compare("solve(square, right)", blas.solve(square, right), np.linalg.solve(square, right))
    symmetric = square + square.T
    values, vectors = blas.eigh(symmetric)
    compare("eigh(symmetric)[0]", values, np.linalg.eigvalsh(symmetric))
    # Eigenvectors are unique but for their signs, so it is their product that is compared.
    compare("vectors * values @ vectors.T", vectors * values @ vectors.T, symmetric)

    print("\nWhat C refuses, and what does not get that far:")
    show_error(blas.solve, np.ones((3, 3)), np.ones(3))
    show_error(blas.gemm, a, b.T)
    show_error(blas.gemv, a, ["one", "two", "three"])


if __name__ == "__main__":
    main()
