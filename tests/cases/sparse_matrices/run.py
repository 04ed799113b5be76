import inspect
import sys
from types import SimpleNamespace

import numpy as np
import sparse_matrices as m
from support import raises

assert "scipy" not in sys.modules, "a module needs no SciPy"

# Whatever has the attributes of SciPy's matrices.
parts = {
    "shape": (3, 4),
    "indptr": np.int32([0, 2, 2, 3]),
    "indices": np.int32([0, 3, 1]),
    "data": np.array([1.0, 2, 5]),
}
x = np.array([1.0, 10, 100, 1000])
wanted = [2001, 0, 50]


def csr(**others):
    return SimpleNamespace(**{"format": "csr", **parts, **others})


assert m.matvec(csr(), x).tolist() == wanted
assert m.matvec(x=x, a=csr()).tolist() == wanted
y = np.zeros(3)
assert m.matvec(csr(), x, y=y) is y and y.tolist() == wanted
long = csr(indptr=parts["indptr"].astype(np.int64), indices=parts["indices"].astype(np.int64))
assert m.matvec(long, x).tolist() == wanted
room = csr(indices=np.int32([0, 3, 1, 99]), data=np.array([1.0, 2, 5, np.nan]))
assert m.matvec(room, x).tolist() == wanted, "room that is not used is left out"
assert (
    m.matvec(csr(shape=(0, 4), indptr=np.int32([0]), indices=np.int32([]), data=x[:0]), x).tolist()
    == []
)

# The parts are checked as any arguments.
of = "matvec(): argument 'indices': "
raises(
    ValueError,
    of + "element 1 is 4, but an index is from 0 to 3: n is 4",
    m.matvec,
    csr(indices=np.int32([0, 4, 1])),
    x,
)
of = "matvec(): argument 'x': dimension 0 of shape (2,) is 2, but n is 4"
raises(ValueError, of, m.matvec, csr(), x[:2])
of = "matvec(): argument 'indptr': "
raises(
    ValueError,
    of + "element 3 is -3, less than the one before it, 2",
    m.matvec,
    csr(indptr=np.int32([0, 2, 2, -3])),
    x,
)
raises(ValueError, "...", m.matvec, csr(shape=(4, 4)), x)

# Other values are refused.
of = "matvec(): argument 'a': wanted a sparse matrix or array of format csr, got "
raises(TypeError, of + "numpy.ndarray", m.matvec, np.eye(3), x)
raises(TypeError, of + "NoneType", m.matvec, None, x)
raises(
    TypeError, of + "types.SimpleNamespace; convert it by .tocsr()", m.matvec, csr(format="coo"), x
)
raises(TypeError, of + "types.SimpleNamespace", m.matvec, csr(format=3), x)
raises(TypeError, of + "types.SimpleNamespace", m.matvec, csr(shape=(3,)), x)
raises(TypeError, of + "types.SimpleNamespace", m.matvec, SimpleNamespace(format="csr"), x)
raises(TypeError, of + "types.SimpleNamespace", m.matvec, csr(indptr=np.int32([])), x)


class Broken:
    @property
    def format(self):
        raise OSError("gone")


raises(OSError, "gone", m.matvec, Broken(), x)
text = "matvec(a, x, *, y=None)"
raises(TypeError, text + " needs argument 'x'", m.matvec, csr())
raises(TypeError, text + " takes 2 positional arguments, got 3", m.matvec, csr(), x, y)
explanation = str(m.explain.matvec(csr(), x))
assert "indices" in explanation and "int32" in explanation
raises(
    TypeError, text + " got an unexpected keyword argument 'indptr'", m.matvec, csr(), x, indptr=1
)
assert str(inspect.signature(m.matvec)) == "(a, x, *, y=None)"

# One type of indices: others are converted if they fit.
columns = {"ap": np.int64([0, 1, 3]), "ai": np.int64([2, 0, 1]), "ax": np.array([1.0, 2, 3])}


def csc(**others):
    made = {
        "format": "csc",
        "shape": (3, 2),
        "indptr": columns["ap"],
        "indices": columns["ai"],
        "data": columns["ax"],
    }
    return SimpleNamespace(**{**made, **others})


assert m.column_sums(csc()).tolist() == [1, 5]
assert m.column_sums(csc(), 2).tolist() == m.column_sums(a=csc(), factor=2).tolist() == [2, 10]
raises(
    TypeError,
    "column_sums(): argument 'ai': ...",
    m.column_sums,
    csc(indices=np.int64([2, 0, 2**40])),
)
raises(
    TypeError,
    "column_sums(): argument 'ai': ...",
    m.column_sums,
    csc(indices=np.array([2.5, 0, 1])),
)

# Several matrices, constructors and methods.
one, other = csr(), csr(data=np.array([10.0, 20, 30]))
assert m.trace_of_product(one, 2.0, other) == 2 * (10 + 40 + 150)
made = m.Matrix(csr())
assert made.sum() == 8 and made.add(other) == 12 and made.sum() == 68
assert m.Matrix(csr(), factor=2).sum() == 16
raises(ValueError, "...", made.add, csc(format="csr"))
counts = [sys.getrefcount(value) for value in parts.values()]
for _ in range(10):
    m.matvec(csr(), x)
    raises(ValueError, "...", m.matvec, csr(), x[:2])
assert counts == [sys.getrefcount(value) for value in parts.values()]
