"""Memory of temporaries: kept for the next call, freed when it is not needed, and by `free()`."""

import threading

import fishplate.graph as g
import numpy as np
import pytest

LARGE = 4_000_000  # elements, of which a temporary takes 32 MB


def resident():
    """The bytes of memory that this process has."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * 4096
    except OSError:
        pytest.skip("there is no /proc/self/statm")


def normalised(x):
    """With a temporary for the whole array."""
    e = g.exp(x)
    return (e / e.max()).sum()


@pytest.fixture
def function():
    x = g.vector("x")
    return g.function([x], normalised(x), exclude=["rows", "reduce"])


def kept_after_a_large_call(function):
    x = np.ones(LARGE)
    before = resident()
    assert function(x) == LARGE
    kept = resident() - before
    assert kept > 6 * LARGE, "the call keeps no memory: the test tests nothing"
    return before


def test_free(function):
    before = kept_after_a_large_call(function)
    function.free()
    assert resident() - before < LARGE
    assert function([0.0, 0.0]) == 2
    function.free()
    function.free()


@pytest.mark.parametrize("n", [2, 1000])
def test_memory_is_freed_after_calls_that_do_not_need_it(function, n):
    """Also if they need some, and if their temporaries are in the call itself."""
    before = kept_after_a_large_call(function)
    x = np.ones(n)
    for _ in range(8):
        function(x)
    assert resident() - before > 6 * LARGE
    for _ in range(9):
        function(x)
    assert resident() - before < LARGE


def test_memory_is_kept_for_calls_that_need_it_now_and_then(function):
    before = kept_after_a_large_call(function)
    small, large = np.ones(1000), np.ones(LARGE)
    for _ in range(4):
        for _ in range(12):
            function(small)
        assert resident() - before > 6 * LARGE
        function(large)


@pytest.mark.parametrize("linker", ["perform", "c", "c-opwise"])
def test_every_function_can_be_freed(linker):
    x = g.vector("x")
    f = g.function([x], {"sum": normalised(x), "x": x + 1}, linker=linker)
    assert f(np.ones(3))["sum"] == 3
    f.free()
    assert f(np.ones(3))["sum"] == 3


def test_free_during_calls(function):
    """Calls that are running keep their memory."""
    x, results = np.ones(30_000), []

    def work():
        results.extend(function(x) for _ in range(300))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        function.free()
    assert set(results) == {30_000}
