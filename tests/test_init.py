"""First interfaces of real libraries: guessed, built as they are, and compared with NumPy.

The headers are Debian's zlib1g-dev, libopenblas-dev, liblapacke-dev and libfftw3-dev. Whatever
`fishplate init` makes of a whole header must check; a handful of functions must also work.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

CI = os.environ.get("CI") == "true"


@pytest.fixture
def first(fishplate: Path, tmp_path: Path):
    """first(header, *options): `fishplate init` in an empty folder; skips without the header."""

    def first(header: str, *options: str) -> str:
        done = subprocess.run(
            [fishplate, "init", header, *options],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=300,
        )
        if f"there is no header `{header}`" in done.stderr:
            (pytest.fail if CI else pytest.skip)(f"{header} is not here")
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    return first


@pytest.fixture
def works(first, build, tmp_path: Path):
    """works(script, header, *options): what was guessed is built as it is, and a script passes."""

    def works(script: str, header: str, *options: str) -> None:
        file = first(header, *options)
        built = build(tmp_path, file, tmp_path / "modules")
        assert built.returncode == 0, built.stderr
        done = subprocess.run(
            [sys.executable, "-X", "dev", "-W", "error", "-c", script],
            env={**os.environ, "PYTHONPATH": str(tmp_path / "modules")},
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr

    return works


@pytest.mark.parametrize("header", ["zlib.h", "cblas.h", "lapacke.h", "fftw3.h"])
def test_whole_headers_check(header: str, first, fishplate: Path, tmp_path: Path) -> None:
    file = first(header)
    done = subprocess.run(
        [fishplate, "check", file], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_zlib(works) -> None:
    works(
        """
import zlib
import numpy as np
import firstz as m

text = np.frombuffer(b"hello, world" * 9, np.uint8)
assert m.crc32(0, text) == zlib.crc32(text)
assert m.adler32(1, text) == zlib.adler32(text)
packed, length, status = m.compress(m.compressBound(text.size), text)
assert status == 0 and zlib.decompress(packed[:length]) == text.tobytes()
same, length, status = m.uncompress(200, packed[:length])
assert same[:length].tobytes() == text.tobytes()
""",
        "zlib.h",
        "--name=firstz",
        "--library=z",
        "--only=crc32|adler32|compress|uncompress|compressBound",
    )


def test_cblas(works) -> None:
    works(
        """
import numpy as np
import cblas as m

a, b = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(3, 4)
x, y = np.array([1.0, 2, 3]), np.ones(3)
assert m.cblas_ddot(x, y) == 6
m.cblas_daxpy(2, x, y)
assert y.tolist() == [3, 5, 7]
c = np.zeros((2, 4))
m.cblas_dgemm(1, a, b, 0, c)
assert (c == a @ b).all()
v = np.zeros(2)
m.cblas_dgemv(1, a, x, 0, v)
assert (v == a @ x).all()
z = np.array([1 + 1j, 2])
assert m.cblas_zdotc_sub(z, 1j * z) == np.vdot(z, 1j * z)
assert m.cblas_dnrm2([3, 4]) == 5
""",
        "cblas.h",
        "--library=openblas",
        "--only=cblas_(d(dot|axpy|gemm|gemv|nrm2)|zdotc_sub)",
    )


def test_lapacke(works) -> None:
    works(
        """
import numpy as np
import lapacke as m

a = np.array([[2.0, 1, 0], [1, 3, 1], [0, 1, 4]])
b = np.arange(6.0).reshape(3, 2)
lu, x = a.copy(), b.copy()
pivots = m.LAPACKE_dgesv(lu, x)
assert np.allclose(a @ x, b) and pivots.dtype == np.int32
values = m.LAPACKE_dsyev(a.copy())
assert np.allclose(values, np.linalg.eigvalsh(a))
try:
    m.LAPACKE_dgesv(np.zeros((2, 2)), np.ones((2, 1)))
except RuntimeError as error:
    assert "returned status 1" in str(error)
else:
    raise AssertionError("a singular matrix has no solution")
""",
        "lapacke.h",
        "--library=lapacke",
        "--library=openblas",
        "--only=LAPACKE_d(gesv|syev)",
    )
