"""Wrapped functions as ops, compared with calls of the function itself."""

import itertools
import os
import pickle
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import fishplate
import fishplate.graph as g
import numpy as np
import pytest
from compilers import ALL
from support import same, values, variable

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"
# `--all`: also the linker that makes a function of each op, as `c` does of a graph that is one op.
LINKERS = ["c", "perform", *(["c-opwise"] if ALL else [])]


@pytest.fixture(scope="module")
def stats():
    return fishplate.load(EXAMPLES / "stats" / "stats.toml")


@pytest.fixture(scope="module")
def kinds():
    return fishplate.load(HERE / "kinds" / "kinds.toml")


@pytest.fixture(scope="module")
def blas():
    openblas = pytest.importorskip("scipy_openblas32")
    variables = {
        "OPENBLAS_INCLUDE": openblas.get_include_dir(),
        "OPENBLAS_LIB": openblas.get_lib_dir(),
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in variables.items():
            patch.setenv(name, value)
        return fishplate.load(EXAMPLES / "blas" / "blas.toml")


turns = itertools.count()


def tupled(result):
    return result if isinstance(result, tuple) else (result,)


def agree(function, *arguments, expected=None, **keywords):
    """The op returns the function's result, by every linker, whichever arguments are variables."""
    if expected is None:
        expected = tupled(function(*arguments, **keywords))
    given = [*arguments, *keywords.values()]
    inputs = [variable(value) for value in given]
    made = fishplate.op(
        function,
        *inputs[: len(arguments)],
        **dict(zip(keywords, inputs[len(arguments) :], strict=True)),
    )
    constant = tupled(fishplate.op(function, *arguments, **keywords))
    for linker in LINKERS:
        f = g.function(inputs, list(tupled(made)), linker=linker)
        copies = [np.array(value) for value in given]
        found = [f(*given)]
        # Constants take long to compile: of three functions one has them, unless `--all`.
        if ALL or linker == "perform" or next(turns) % 3 == 0:
            found.append(g.function([], list(constant), linker=linker)())
        for results in found:
            assert len(results) == len(expected)
            for result, wanted in zip(results, expected, strict=True):
                same(result, wanted, 1e-13)
                assert isinstance(result, np.ndarray) == isinstance(wanted, np.ndarray)
        for value, copy in zip(given, copies, strict=True):
            same(value, copy)  # no argument has changed
    return f


def strided(array):
    """The same values, with gaps."""
    wide = np.zeros([2 * size for size in array.shape], array.dtype)
    view = wide[tuple(slice(None, None, 2) for _ in array.shape)]
    view[...] = array
    return view


X = values("float64", 50)
Y = values("float64", 50, seed=1)
M = values("float64", (8, 3))
Z = values("complex128", 6)


def test_examples_of_stats(stats):
    for x in X, strided(X), X[::-1]:
        agree(stats.mean, x)
        agree(stats.variance, x)
        agree(stats.variance, x, ddof=2)
        agree(stats.minmax, x)
        agree(stats.cumulative_sum, x)
        agree(stats.linear_fit, x, Y)
        agree(stats.histogram, x, np.linspace(-2, 2, 9))
        changed = x.copy()
        stats.standardize(changed)
        agree(stats.standardize, x, expected=(changed,))
    for m in M, strided(M), M.T:
        agree(stats.covariance, m)
    agree(stats.rms, X.astype("float32"))
    agree(stats.rms, X)


def test_examples_of_blas(blas):
    square = M.T @ M + np.eye(3)
    for a in M, strided(M), np.asfortranarray(M):
        agree(blas.gemv, a=a, x=X[:3])
        agree(blas.gemv, alpha=2.0, a=a, x=X[:3], beta=0.5, y=Y[:8])
        agree(blas.gemv_f, a=a, x=X[:3])
        agree(blas.gemm, a=a, b=square)
        agree(blas.gemm_f, a=a, b=square, beta=2.0, c=M)
        agree(blas.gemm, a=a.astype("float32"), b=square.astype("float32"))
    agree(blas.vdot, X, Y)
    agree(blas.vdot, X[::2], Y[::-2])
    agree(blas.vdot, Z, 2 * Z)
    agree(blas.solve, square, X[:3])
    agree(blas.solve, square, M.T)
    agree(blas.eigh, square)


def test_complex_numbers_that_are_structs():
    m = fishplate.load(HERE.parent / "cases" / "complex_structs" / "complex_structs.toml")
    agree(m.turn, 1 + 2j, 3j)
    agree(m.turn, np.complex64(1 + 2j), np.complex64(3j))
    agree(m.swap, 1 + 2j)
    agree(m.split, 1 + 2j)
    agree(m.sum, Z, 2j)
    agree(m.scaled, Z[::2], 2j)
    agree(m.outer, Z, Z[:3])
    agree(m.gather, Z)
    agree(m.mean, Z)


def test_scalars(kinds):
    agree(kinds.power, 3.0)
    agree(kinds.power, 3.0, 5, True)
    agree(kinds.power, 3.0, negate=True)
    agree(kinds.defaults)
    agree(kinds.conjugate, 1 + 2j)
    agree(kinds.which)
    agree(kinds.which, np.uint32(3))
    total = np.array(0.5)
    counter = np.array(4, "int32")
    x = g.scalar("x", "int32")
    out = kinds.op.increment(x, total[()], 0.25)
    for linker in LINKERS:
        total_of, counter_of = sorted(g.function([x], list(out), linker=linker)(4))
        assert (total_of, counter_of) == (0.75, 5)
    assert kinds.increment(counter, 0.5, 0.25) == 0.75


def test_arrays(kinds):
    agree(kinds.scale, X, expected=(X * 2.5,))
    agree(kinds.scale, X, 0.5, expected=(X * 0.5,))
    agree(kinds.scaled, strided(X), 3.0)
    agree(kinds.swap, X, Y, expected=(Y, X))
    agree(kinds.table)
    agree(kinds.table, first=2.0)
    agree(kinds.moments, X, 4)
    agree(kinds.weighted, X)
    agree(kinds.weighted, X, Y)
    agree(kinds.weighted_or, X)
    agree(kinds.weighted_or, X, Y)
    agree(kinds.shifted, X)
    agree(kinds.shifted, X, 2.0)
    agree(kinds.rotate, Z, 1j)
    agree(kinds.flags, np.array([-1, 0, 3], "int8"))
    agree(kinds.flags, np.array([], "int8"))
    agree(kinds.halves, X)
    agree(kinds.small, X)
    for a in M[:3], M[:3].T, strided(M[:3]):
        agree(kinds.trace, a)
        agree(kinds.trace_f, a)
    for m in M.astype("float32"), M.T.astype("float32"):
        agree(kinds.transposed, m)
        f = agree(kinds.doubled_f, m)
        assert f(m)[0].flags.f_contiguous
    agree(kinds.mapped, X)


def test_overloads_are_chosen_exactly_first(stats, kinds):
    x = g.vector("x", "float32")
    assert stats.op.rms(x).dtype == "float32"
    assert stats.op.rms(g.vector("i", "int32")).dtype == "float64"
    assert stats.op.rms([1, 2]).dtype == "float64"
    agree(stats.rms, np.array([3, 4], "int16"))
    agree(kinds.any_of, X)
    agree(kinds.any_of, 2.0)


def test_sizes_that_the_interface_gives(stats, kinds):
    x = g.tensor("x", "float64", (8, 3))
    assert stats.op.covariance(x).type.shape == (3, 3)
    assert kinds.op.halves(g.tensor("y", "float64", (9,))).type.shape == (4,)
    assert kinds.op.table().type.shape == (7,)
    assert kinds.op.moments(g.vector("x"), 4).type.shape == (4,)
    with pytest.raises(ValueError, match="'y': dimension 0 is 3, but n is 2"):
        stats.op.linear_fit(np.ones(2), np.ones(3))


@pytest.mark.parametrize("linker", LINKERS)
def test_among_other_ops(stats, linker):
    x, y = g.vector("x"), g.vector("y")
    z = stats.op.mean(x) * x + stats.op.cumulative_sum(g.exp(y)[::-1])
    f = g.function([x, y], z, linker=linker)
    wanted = stats.mean(X) * X + stats.cumulative_sum(np.exp(Y)[::-1])
    same(f(X, Y), wanted, 1e-12)


def test_exports_have_no_other_module_to_call(stats, tmp_path):
    x = g.vector("x")
    f = g.function([x], stats.op.mean(x))
    with pytest.raises(ValueError, match="only built-in ops.*op stats.mean"):
        f.export(tmp_path / "mean.so")


class Doubled(g.Op):
    """An op without C."""

    itypes = otypes = (g.TensorType("float64", (None,)),)

    def perform(self, node, inputs, output_storage):
        output_storage[0][0] = inputs[0] * 2


def test_among_ops_without_c(stats):
    x = g.vector("x")
    z = stats.op.cumulative_sum(Doubled()(stats.op.mean(x) * x))
    same(g.function([x], z)(X), np.cumsum(2 * stats.mean(X) * X), 1e-12)


def test_equal_calls_are_one(stats):
    x = g.vector("x")
    twice = g.function([x], stats.op.mean(x) + stats.op.mean(x))
    assert twice.c_source().count("pointers[0])(") == 1
    both = g.function([x], stats.op.mean(x) + stats.op.variance(x))
    assert "pointers[1])(" in both.c_source()
    same(both(X), stats.mean(X) + stats.variance(X), 1e-13)


def test_an_input_is_used_again_after_a_call_that_changes_it(stats):
    x = g.vector("x")
    y = g.exp(x)
    f = g.function([x], [stats.op.standardize(y), y])
    same(f(X)[1], np.exp(X), 1e-15)


def test_large_graphs(stats):
    x = g.vector("x")
    y = x
    for _ in range(70):
        y = stats.op.cumulative_sum(y * 0.5)
    wanted = X
    for _ in range(70):
        wanted = np.cumsum(wanted * 0.5)
    same(g.function([x], y)(X), wanted, 1e-9)


def test_values_that_do_not_fit(stats, kinds):
    x, y, n = g.vector("x"), g.vector("y"), g.scalar("n", "int64")
    fit = g.function([x, y], stats.op.linear_fit(x, y), name="fit")
    with pytest.raises(ValueError, match=r"stats.linear_fit\(\): argument 'y'") as caught:
        fit(np.ones(2), np.ones(3))
    assert "stats.linear_fit(x, y)" in caught.value.__notes__[0]
    for f, arguments in (
        (g.function([x, n], stats.op.variance(x, n)), (X, -1)),
        (g.function([x, n], kinds.op.moments(x, n)), (X, -1)),
        (g.function([x], kinds.op.small(x)), (np.zeros(40000),)),
        (g.function([x], stats.op.histogram(X, x)), (np.zeros(0),)),
    ):
        with pytest.raises((OverflowError, ValueError), match="out of range|negative"):
            f(*arguments)
    with pytest.raises(RuntimeError, match=r"kinds.checked\(\): halves returned status 1"):
        g.function([x], kinds.op.checked(x))(np.ones(3))
    with pytest.raises(OverflowError):
        stats.op.variance(x, -1)


def test_batches(kinds, tmp_path):
    many, few = values("float64", (4, 3, 50)), values("float64", (3, 50), seed=2)
    agree(kinds.mapped, many)
    agree(kinds.weighted_items, many, few)
    agree(kinds.weighted_items, many.T[::2].T, Y[:25])
    agree(kinds.weighted_items, Y, few)
    agree(kinds.halved_items, many)
    agree(kinds.power_or_count, X)  # an item of `counted` rather than a batch of `power`
    agree(kinds.power_or_count, many)
    rotated = np.array(values("complex128", (3, 6)))
    kinds.rotated_items(rotated, [1j, 2, 3])
    by = np.array([1j, 2, 3])
    agree(kinds.rotated_items, values("complex128", (3, 6)), by, expected=(rotated,))

    def sized(*shape):
        return g.tensor(None, "float64", shape)

    op = kinds.op.weighted_items
    assert op(sized(4, 1, None), sized(3, 50)).type.shape == (4, 3)
    assert op(sized(None, 7, 50), sized(1, 50)).type.shape == (None, 7)
    assert kinds.op.halved_items(sized(2, 6)).type.shape == (2, 3)
    with pytest.raises(ValueError, match=r"loop dimensions \[2, 3\] do not broadcast"):
        op(sized(2, 50), sized(3, 50))
    x, y = g.matrix("x"), g.matrix("y")
    f = pickle.loads(pickle.dumps(g.function([x, y], g.exp(op(2 * x, y)).sum())))
    same(f(few, few), np.exp(kinds.weighted_items(2 * few, few)).sum(), 1e-13)
    with pytest.raises(ValueError, match=r"leading dimensions \(2,\) do not broadcast with \(3,\)"):
        f(few, few[:2])
    with pytest.raises(RuntimeError, match=r"halves returned status 1 \(item \(0,\)\)"):
        g.function([x], kinds.op.halved_items(x))(few[:, 1:])
    with pytest.raises(ValueError, match="cannot be exported.*weighted_items"):
        f.export(tmp_path / "exported")


def test_functions_that_are_no_ops(stats, kinds):
    x, m = g.vector("x"), g.matrix("m")
    for call, text in (
        (lambda: stats.op.mean(), "'x' is missing"),
        (lambda: stats.op.mean(x, x), "at most 1 argument, got 2"),
        (lambda: stats.op.variance(x, 1, 2), "at most 2 arguments, got 3"),
        (lambda: stats.op.mean(x, y=1), "no argument 'y'"),
        (lambda: stats.op.mean(x, x=x), "given twice|at most"),
        (lambda: stats.op.mean(m), r"has no batches \(`ellipses`\)"),
        (lambda: kinds.op.weighted_items(m, [[1.0, 2.0], [1.0]]), "got list"),
        (lambda: kinds.op.rotated_items(g.vector("z", "complex128"), Z), "all 1 loop dimensions"),
        (lambda: stats.op.mean(g.vector("c", "complex128")), "wanted float64"),
        (lambda: stats.op.mean(2.0), "wanted float64"),
        (lambda: stats.op.mean("text"), "got str"),
        (lambda: stats.op.rms(g.vector("c", "complex64")), "no overload takes these"),
        (lambda: kinds.op.nothing(1.0), "returns nothing"),
        (lambda: kinds.op.refuse(1), "returns nothing"),
        (lambda: kinds.op.around(1.0, 2), "pre-call"),
        (lambda: kinds.op.device(x), "graph_kinds.device cannot be an op"),
        (lambda: kinds.op.called(1.0), "`which\\(RIGHT\\)`.*headers only"),
    ):
        with pytest.raises(TypeError, match=text):
            call()


def test_many_threads(stats):
    x = g.vector("x")
    f = g.function([x], stats.op.mean(x) * x)
    arrays = [values("float64", size, seed=size) for size in (1, 10, 5000, 20000)] * 8
    with ThreadPoolExecutor(8) as pool:
        for array, result in zip(arrays, pool.map(f, arrays), strict=True):
            same(result, stats.mean(array) * array, 1e-13)


def test_others_run_while_calls_take_long(kinds):
    for size in 5, 5000:
        x = values("float64", size)
        for function in kinds.lock, kinds.held, kinds.released:
            agree(function, x)
    assert kinds.held(x) == 1
    assert kinds.released(x) == kinds.lock(x) == 0


def test_without_the_package(stats, monkeypatch):
    monkeypatch.setitem(sys.modules, "fishplate.graph.wrapped", None)
    with pytest.raises(ImportError, match=r"op.mean\(\) makes a node.*needs the Python package"):
        stats.op.mean(2.0)


def test_functions_pickle_with_the_modules_they_call(tmp_path):
    path = os.environ.get("PYTHONPATH", "")
    command = [sys.executable, "-m", "fishplate", "build", EXAMPLES / "stats" / "stats.toml"]
    command += ["--python", sys.executable, "--out", tmp_path]
    subprocess.run(command, check=True, capture_output=True)
    script = textwrap.dedent("""
        import pickle, sys
        import stats
        import fishplate.graph as g
        x = g.vector("x")
        f = g.function([x], stats.op.mean(x) * x)
        sys.stdout.buffer.write(pickle.dumps(f))
    """)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), path])}
    made = subprocess.run(
        [sys.executable, "-c", script], env=environment, check=True, capture_output=True
    )
    read = textwrap.dedent("""
        import pickle, sys
        import fishplate.graph as g
        f = pickle.loads(sys.stdin.buffer.read())
        assert f([1.0, 3.0]).tolist() == [2.0, 6.0]
        # The text is the same, wherever the module was loaded to.
        assert g.cache_stats().compiled == 0, g.cache_stats()
    """)
    subprocess.run([sys.executable, "-c", read], env=environment, check=True, input=made.stdout)


def test_ops_pickle_as_their_functions_do(stats, monkeypatch):
    node = stats.op.mean(g.vector("x")).owner
    monkeypatch.setitem(sys.modules, "stats", stats)
    assert pickle.loads(pickle.dumps(node.op)) == node.op


def test_macros_have_no_address() -> None:
    """A graph calls a macro, or what may be one, through a function next to its headers."""
    cases = Path(__file__).parents[1] / "cases"
    macros = fishplate.load(cases / "macros" / "macros.toml")
    x, v = g.scalar(), g.vector()
    assert g.function([x], macros.op.plain(x) + macros.op.half(x))(3.0) == 5.5
    assert g.function([v], macros.op.add(v, v + 1))(np.ones(3)).tolist() == [3, 3, 3]
    name = "macros_in_configuration"
    listed = fishplate.load(cases / name / f"{name}-kernels.cfg")
    assert g.function([v], listed.op.dot(v, v))(np.arange(3.0)) == 5
    with pytest.raises(TypeError, match="myexp cannot be an op: it is a macro"):
        listed.op.myexp(g.vector(dtype="float32"))


def test_fields_of_structs():
    unpacked = fishplate.load(HERE.parent / "cases" / "unpacked" / "unpacked.toml")
    x, y = np.arange(4.0), np.ones(4)
    agree(unpacked.dot, x, y, expected=(6.0,))
    agree(unpacked.dot_rows, x, y, expected=(6.0,))
    agree(unpacked.total, x, expected=(6.0,))
    agree(unpacked.filter_gain, x[:3])
    agree(unpacked.scale, 1j, np.array([1 + 1j, 2.0]))
