"""Solves sparse systems by UMFPACK, and compares with SciPy; fails if the two differ."""

from __future__ import annotations

import numpy as np
import umfpack
from scipy import sparse
from scipy.sparse import linalg


def main() -> None:
    rng = np.random.default_rng(1)
    matrix = sparse.random(500, 500, 0.01, random_state=1, format="csc") + 10 * sparse.eye(500)
    matrix = sparse.csc_matrix(matrix)
    columns = (matrix.indptr, matrix.indices, matrix.data)
    b = rng.standard_normal(500)

    with umfpack.Symbolic(*columns) as symbolic:
        numeric = umfpack.Numeric(*columns, symbolic)
    x = umfpack.solve(*columns, b, numeric)
    error = np.abs(x - linalg.spsolve(matrix, b)).max()
    assert error < 1e-12
    print(f"500 equations, {matrix.nnz} entries: differs from SciPy by {error:.1e}")

    try:
        umfpack.Symbolic(matrix.indptr, matrix.indices[::-1].copy(), matrix.data)
    except ValueError as refused:
        print(f"entries out of order: {refused}")
    else:
        raise AssertionError("a wrong matrix was not refused")
    numeric.close()
    assert numeric.closed


if __name__ == "__main__":
    main()
