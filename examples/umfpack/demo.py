"""Solves sparse systems by UMFPACK, and compares with SciPy; fails if the two differ."""

from __future__ import annotations

import numpy as np
import umfpack
from scipy import sparse
from scipy.sparse import linalg


def main() -> None:
    rng = np.random.default_rng(1)
    random = sparse.random(500, 500, 0.01, random_state=1) + 10 * sparse.eye(500)
    b = rng.standard_normal(500)
    for matrix in (sparse.csc_matrix(random), sparse.csc_array(random)):
        with umfpack.Symbolic(matrix) as symbolic:
            numeric = umfpack.Numeric(matrix, symbolic)
        x = umfpack.solve(matrix, b, numeric)
        error = np.abs(x - linalg.spsolve(matrix, b)).max()
        assert error < 1e-12
        kind = type(matrix).__name__
        print(f"{kind}: 500 equations, {matrix.nnz} entries, differs from SciPy by {error:.1e}")

    # SciPy has long indices for some results; they are converted, since C takes int.
    matrix.indices, matrix.indptr = matrix.indices.astype(np.int64), matrix.indptr.astype(np.int64)
    assert (umfpack.solve(matrix, b, numeric) == x).all()

    refuse(TypeError, "another format", matrix.tocsr())
    wrong = matrix.copy()
    wrong.indices[-1] = 500
    refuse(ValueError, "a row out of range", wrong)
    wrong = matrix.copy()
    wrong.indices = wrong.indices[::-1].copy()
    refuse(ValueError, "rows out of order", wrong)
    numeric.close()
    assert numeric.closed


def refuse(error: type[Exception], what: str, matrix: object) -> None:
    try:
        umfpack.Symbolic(matrix)
    except error as refused:
        print(f"{what}: {refused}")
    else:
        raise AssertionError(f"{what} was not refused")


if __name__ == "__main__":
    main()
