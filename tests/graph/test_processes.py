"""Functions in other processes: sent to fresh interpreters, and mapped over Dask's arrays there."""

import concurrent.futures
import multiprocessing
import os
import pickle
import subprocess
import sys

import fishplate.graph as g
import numpy as np
import pytest
from compilers import ALL
from support import same

X = np.arange(24.0).reshape(4, 6) / 10


def softened(**options):
    x, y = g.matrix("x"), g.matrix("y")
    total = g.exp(-x) * y + x.mean(1, keepdims=True)
    return g.function([x, g.In(y, value=np.ones((1, 6)))], total, name="softened", **options)


def wanted(x, y=1.0):
    return np.exp(-x) * y + x.mean(1, keepdims=True)


def python(script, *arguments, **environment):
    """The output of a fresh interpreter."""
    done = subprocess.run(
        [sys.executable, "-c", script, *map(str, arguments)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def call(f, *arguments):
    """Runs in a worker: the result, and the files that were compiled there."""
    return f(*arguments), g.cache_stats()


@pytest.mark.parametrize("linker", ["c", "perform"])
@pytest.mark.parametrize("start", ["spawn", "forkserver"])
def test_workers_find_compiled_functions(linker, start):
    f = softened(linker=linker)
    context = multiprocessing.get_context(start)
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as pool:
        result, stats = pool.submit(call, f, X, X).result()
        assert stats.compiled == 0 and stats.loaded == (linker == "c")
        same(result, wanted(X, X), rtol=1e-15)
        same(pool.submit(f, x=X).result(), wanted(X), rtol=1e-15)
        with pytest.raises(ValueError) as caught:
            pool.submit(f, X, X[:3]).result()
        assert "broadcast" in str(caught.value)


def test_workers_compile_missing_functions(tmp_path):
    file = tmp_path / "f.pickle"
    file.write_bytes(pickle.dumps(softened()))
    script = """
import pickle, sys
import fishplate.graph as g, numpy as np
f = pickle.load(open(sys.argv[1], "rb"))
print(f(np.zeros((1, 6))).tolist(), g.cache_stats().compiled, g.cache_stats().loaded)
"""
    ones = [[1.0] * 6]
    cache = {"FISHPLATE_CACHE_DIR": str(tmp_path / "cache of a worker")}
    assert python(script, file, **cache) == f"{ones} 1 0\n"
    assert python(script, file, **cache) == f"{ones} 0 1\n"


MAIN = """
import pickle, sys
import fishplate.graph as g
class Rounded(g.TensorType):
    pass
class Twice(g.Op):
    __props__ = ("by",)
    def __init__(self, by):
        self.by = by
    def make_node(self, x):
        return g.Apply(self, [x], [x.type()])
    def perform(self, node, inputs, storage):
        storage[0][0] = helper(inputs[0], self.by)
class Text(g.Type):
    def filter(self, value, strict=False, allow_downcast=None):
        return str(value)
class Length(g.Op):
    __props__ = ()
    def make_node(self, x):
        return g.Apply(self, [x], [g.scalar(dtype="int64")])
    def perform(self, node, inputs, storage):
        storage[0][0] = len(inputs[0])
    def c_code(self, node, name, inputs, outputs, sub):
        raise NotImplementedError
def helper(x, by):
    return by * x
x, t = g.vector("x"), Text()("t")
f = g.function([x, t], Twice(3)(g.exp(x)) + Length()(t), name="f")
pickle.dump((f, g.shared(1)), open(sys.argv[1], "wb"))
"""


def test_definitions_of_main(tmp_path):
    pytest.importorskip("cloudpickle")
    file = tmp_path / "f.pickle"
    python(MAIN, file)
    script = """
import pickle, sys
f, _ = pickle.load(open(sys.argv[1], "rb"))
print(f([0.0, 0.0], "four").tolist())
print(pickle.loads(pickle.dumps(f))([0.0], "abc").tolist())
"""
    assert python(script, file) == "[7.0, 7.0]\n[6.0]\n"


C_OP = """
import pickle, sys
import fishplate.graph as g
class Thrice(g.Op):
    __props__ = ()
    def make_node(self, x):
        return g.Apply(self, [x], [x.type()])
    def c_code(self, node, name, inputs, outputs, sub):
        return f"{outputs[0]} = 3 * {inputs[0]};"
    def c_code_cache_version(self):
        return (1,)
class Double(g.Type):
    def filter(self, value, strict=False, allow_downcast=None):
        return float(value)
    def c_declare(self, name, sub, check_input=True):
        return f"double {name};"
    def c_init(self, name, sub):
        return f"{name} = 0.0;"
    def c_extract(self, name, sub, check_input=True):
        return f"{name} = PyFloat_AsDouble(py_{name});"
    def c_sync(self, name, sub):
        return f"Py_XDECREF(py_{name}); py_{name} = PyFloat_FromDouble({name});"
    def c_cleanup(self, name, sub):
        return ""
    def c_code_cache_version(self):
        return (1,)
x = Double()("x")
f = g.function([x], Thrice()(x), name="f")
assert f(2) == 6.0
pickle.dump(f, open(sys.argv[1], "wb"))
"""


def test_c_code_that_main_defines(tmp_path):
    pytest.importorskip("cloudpickle")
    file = tmp_path / "f.pickle"
    python(C_OP, file)
    script = "import pickle, sys; print(pickle.load(open(sys.argv[1], 'rb'))(4))"
    assert python(script, file) == "12.0\n"


# ---- Dask ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def client():
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=2, processes=True, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as connected,
    ):
        yield connected


@pytest.fixture(params=["c", "c-opwise"] if ALL else ["c"])
def f(request):
    return softened(linker=request.param)


def test_map_blocks(client, f):
    da = pytest.importorskip("dask.array")
    a = da.from_array(X, chunks=(1, 6))
    # Dask determines the dtype by calling the function with empty arrays.
    lazy = da.map_blocks(f, a, a)
    assert lazy.dtype == float and lazy.shape == X.shape
    same(lazy.compute(), wanted(X, X), rtol=1e-15)
    same(a.map_blocks(f).compute(), wanted(X), rtol=1e-15)
    row = X[:1] + 1
    same(a.map_blocks(f, y=row, dtype=float).compute(), wanted(X, row), rtol=1e-15)


def test_blockwise(client, f):
    da = pytest.importorskip("dask.array")
    a = da.from_array(X, chunks=(2, 3))
    lazy = da.blockwise(f, "ij", a, "ij", a, "ij", concatenate=True, align_arrays=True)
    assert lazy.dtype == float
    same(lazy.rechunk((4, 6)).shape, X.shape)
    whole = a.rechunk((2, 6))
    same(da.blockwise(f, "ij", whole, "ij", whole, "ij").compute(), wanted(X, X), rtol=1e-15)


def test_reductions_and_several_at_once(client):
    da = pytest.importorskip("dask.array")
    x = g.matrix("x")
    total = g.function([x], (x * x).sum(1), name="total")
    largest = g.function([x], x.max(1), name="largest")
    a, squares = da.from_array(X, chunks=(2, 6)), (X * X).sum(1)
    same(da.blockwise(total, "i", a, "ij", concatenate=True).compute(), squares, rtol=1e-15)
    same(a.map_blocks(total, drop_axis=1).compute(), squares, rtol=1e-15)
    # The maximum of an empty array is an error, for Dask too, which then does not know the dtype.
    same(a.map_blocks(largest, drop_axis=1, dtype=float).compute(), X.max(1))
    futures = client.map(total, [X + k for k in range(20)])
    for k, got in enumerate(client.gather(futures)):
        same(got, ((X + k) ** 2).sum(1), rtol=1e-15)


def test_apply_gufunc(client):
    da = pytest.importorskip("dask.array")
    x, w = g.matrix("x"), g.matrix("w")
    f = g.function([x, w], g.tanh(x @ w))
    a, weights = da.from_array(X, chunks=(2, 6)), np.ones((6, 2))
    lazy = da.apply_gufunc(f, "(i),(i,j)->(j)", a, weights, output_dtypes=float)
    same(lazy.compute(), np.tanh(X @ weights), rtol=1e-14)


def test_tokens_are_the_same_for_the_same(client, f):
    tokenize = pytest.importorskip("dask.base").tokenize
    assert tokenize(f) == tokenize(f)
    assert tokenize(f) != tokenize(g.function([x := g.matrix("x")], x + 1))
