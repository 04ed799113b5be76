"""Decomposes by Eigen, and compares with NumPy; fails if the two differ."""

from __future__ import annotations

from collections.abc import Callable

import eigen
import numpy as np


def show_error(call: str, function: Callable[[], object]) -> None:
    """Makes a call that must be refused, and shows how."""
    try:
        function()
    except Exception as error:
        print(f"    {call:<34} {type(error).__name__}: {error}")
    else:
        raise AssertionError(f"{call} was not refused")


def main() -> None:
    random = np.random.default_rng(1)
    a, b = random.normal(size=(5, 5)), random.normal(size=(5, 2))

    np.testing.assert_allclose(eigen.solve(a, b), np.linalg.solve(a, b))
    np.testing.assert_allclose(eigen.solve(a, b[:, 0]), np.linalg.solve(a, b[:, 0]))
    single = eigen.solve(a.astype(np.float32), b.astype(np.float32))
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, np.linalg.solve(a, b), rtol=1e-3)

    # Many matrices in one call, on all threads where that pays.
    many = random.normal(size=(200, 8, 5))
    values = eigen.singular_values(many)
    np.testing.assert_allclose(values, np.linalg.svd(many, compute_uv=False))
    print(f"singular values of 200 matrices: from {values.max():.6f} to {values.min():.6f}")
    squares = many.transpose(0, 2, 1) @ many
    np.testing.assert_allclose(eigen.cholesky(squares), np.linalg.cholesky(squares))

    # Factored once, used for one right side after another.
    lu = eigen.Lu(a)
    np.testing.assert_allclose(lu.determinant(), np.linalg.det(a))
    for side in b.T:
        np.testing.assert_allclose(lu.solve(side), np.linalg.solve(a, side))
    print(f"a determinant: {lu.determinant():.6f}")

    print("\nWhat Eigen cannot do is an exception:")
    squares[7] -= 100 * np.eye(5)
    show_error("solve(ones, b)", lambda: eigen.solve(np.ones((5, 5)), b))
    show_error("cholesky(squares)", lambda: eigen.cholesky(squares))
    show_error("lu.solve(b[:3, 0])", lambda: lu.solve(b[:3, 0]))
    show_error("Lu(zeros).solve(...)", lambda: eigen.Lu(np.zeros((2, 2))).solve(np.ones(2)))


if __name__ == "__main__":
    main()
