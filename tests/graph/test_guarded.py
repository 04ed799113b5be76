"""Wrapped functions that throw, or that return error codes, as ops: they fail as calls do."""

import decimal
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import fishplate
import fishplate.graph as g
import numpy as np
import pytest

CASES = Path(__file__).resolve().parents[1] / "cases"
LINKERS = ["c", "c-opwise", "perform"]


@pytest.fixture(scope="module")
def library():
    return fishplate.load(CASES / "cplusplus_library" / "cplusplus_library.toml")


@pytest.fixture(scope="module")
def meanings():
    return fishplate.load(CASES / "status_meanings" / "status_meanings.toml")


@pytest.fixture(scope="module")
def arguments():
    return fishplate.load(CASES / "status_arguments" / "status_arguments.toml")


def of(function, *types, linker):
    """A graph of one call, of scalars and vectors."""
    kinds = [g.scalar, g.vector]
    inputs = [kinds[ndim](dtype=dtype) for dtype, ndim in types]
    made = fishplate.op(function, *inputs)
    outputs = list(made) if isinstance(made, tuple) else [made]
    return g.function(inputs, outputs[0] if len(outputs) == 1 else outputs, linker=linker)


@pytest.mark.parametrize("linker", LINKERS)
def test_exceptions_of_cxx(library, linker: str) -> None:
    fail = of(library.fail, ("int64", 0), linker=linker)
    assert fail(99) == 0
    for what, kind, text in [
        (0, ValueError, "invalid xx"),
        (2, IndexError, "range"),
        (4, MemoryError, "std::bad_alloc"),
        (7, decimal.InvalidOperation, "parse"),
        (12, RuntimeError, "an exception that is not a std::exception"),
    ]:
        with pytest.raises(kind, match=text):
            fail(what)
    assert fail(100) == 1
    released = of(library.fail_released, ("int64", 0), ("float64", 1), linker=linker)
    x = np.zeros(3)
    with pytest.raises(IndexError, match="range"):
        released(2, x)
    changed, result = released(99, x)
    assert result == 0 and changed.tolist() == [1, 0, 0] and not x.any()


@pytest.mark.parametrize("linker", LINKERS)
def test_results_of_cxx(library, linker: str) -> None:
    area = of(library.area, ("float64", 0), linker=linker)
    assert area(2.0) == 12.0
    largest = of(library.largest, ("float64", 1), linker=linker)
    assert largest(np.array([1.0, 3.0])) == 3.0
    with pytest.raises(ValueError, match="nothing is largest of nothing"):
        largest(np.zeros(0))
    with pytest.raises(RuntimeError, match="anyway"):
        g.function([], library.op.throw_anyway(), linker=linker)()


@pytest.mark.parametrize("linker", LINKERS)
def test_meanings_of_statuses(meanings, linker: str) -> None:
    half = of(meanings.half, ("int64", 0), linker=linker)
    assert half(4) == 2
    with pytest.warns(RuntimeWarning, match="error number 30"):
        assert half(5) == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RuntimeWarning, match="error number 30"):
            half(5)
    with pytest.raises(RuntimeError, match=r"half\(\): error number 1, naïve"):
        half(-1)
    count = of(meanings.count, ("float64", 1), linker=linker)
    assert count(np.array([1.0, -1.0, 2.0])) == 2
    with pytest.raises(RuntimeError, match="returned status -1"):
        count(np.zeros(0))


@pytest.mark.parametrize("linker", LINKERS)
def test_statuses_of_cxx(library, linker: str) -> None:
    x = g.scalar("x", dtype="int64")
    y = g.vector("y", dtype="float64")
    total = y.sum() + library.op.norm(y) + library.op.fail(x)
    f = g.function([x, y], total, linker=linker)
    assert f(99, np.array([3.0, 4.0])) == 12.0
    with pytest.raises(decimal.InvalidOperation, match="parse"):
        f(7, np.array([3.0, 4.0]))
    with pytest.raises(ValueError, match="norm of NaN"):
        f(99, np.array([np.nan]))


@pytest.mark.parametrize("linker", LINKERS)
def test_return_codes_that_are_arguments(arguments, linker: str) -> None:
    count = of(arguments.count, ("float64", 1), linker=linker)
    assert count(np.array([1.0, -1.0])) == 1
    with pytest.raises(RuntimeError, match="returned status 200"):
        count(np.array([np.nan]))
    root = of(arguments.root, ("float64", 0), linker=linker)
    assert root(9.0) == 3
    with pytest.raises(ValueError, match="it has no root"):
        root(-9.0)
    with pytest.warns(RuntimeWarning, match="it is not exact"):
        assert root(2.0) == np.sqrt(2.0)
    quiet = of(arguments.quiet, ("float64", 0), linker=linker)
    with pytest.raises(RuntimeError, match="returned status 7"):
        quiet(-1.0)
    assert quiet(1.0) == 2


def test_a_graph_on_many_threads(library) -> None:
    released = of(library.fail_released, ("int64", 0), ("float64", 1), linker="c")

    def call(what: int) -> str:
        try:
            return str(released(what, np.zeros(3))[1])
        except Exception as error:
            return type(error).__name__

    whats = [99, 0, 2, 3, 100] * 100
    with ThreadPoolExecutor(8) as pool:
        outcomes = list(pool.map(call, whats))
    assert outcomes == ["0", "ValueError", "IndexError", "OverflowError", "1"] * 100
