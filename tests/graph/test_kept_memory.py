"""Memory of temporaries: kept for the next call, freed when it is not needed, and by `free()`.

Each measurement has a process of its own, whose allocator returns large blocks at once.
"""

import os
import subprocess
import sys
import threading

import fishplate.graph as g
import numpy as np
import pytest

LARGE = 4_000_000  # elements, of which a temporary takes 32 MB


def resident():
    """The bytes of memory that this process has."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def normalised(x):
    """With a temporary for the whole array."""
    e = g.exp(x)
    return (e / e.max()).sum()


def compiled():
    x = g.vector("x")
    return g.function([x], normalised(x), exclude=["rows", "reduce"])


def kept_after_a_large_call(function):
    x = np.ones(LARGE)
    before = resident()
    assert function(x) == LARGE
    kept = resident() - before
    assert kept > 6 * LARGE, "the call keeps no memory: the test tests nothing"
    return before - x.nbytes  # which is freed here


def free(function, before):
    function.free()
    assert resident() - before < LARGE
    assert function([0.0, 0.0]) == 2
    function.free()
    function.free()


def decay(function, before, n):
    """Also if calls need some memory, and if their temporaries are in the call itself."""
    x = np.ones(n)
    for _ in range(8):
        function(x)
    assert resident() - before > 6 * LARGE
    for _ in range(9):
        function(x)
    assert resident() - before < LARGE


def now_and_then(function, before):
    """Memory is kept for calls that need it from time to time."""
    small, large = np.ones(1000), np.ones(LARGE)
    for _ in range(4):
        for _ in range(12):
            function(small)
        assert resident() - before - large.nbytes > 6 * LARGE
        function(large)


MEASURED = {
    "free": free,
    "decay": lambda function, before: decay(function, before, 2),
    "decay of much": lambda function, before: decay(function, before, 1000),
    "now and then": now_and_then,
}


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="there is no /proc/self/statm")
@pytest.mark.parametrize("name", MEASURED)
def test_memory_of_a_process(name):
    own = {**os.environ, "MALLOC_MMAP_THRESHOLD_": "100000"}
    command = [sys.executable, __file__, name]
    done = subprocess.run(command, env=own, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("linker", ["perform", "c", "c-opwise"])
def test_every_function_can_be_freed(linker):
    x = g.vector("x")
    f = g.function([x], {"sum": normalised(x), "x": x + 1}, linker=linker)
    assert f(np.ones(3))["sum"] == 3
    f.free()
    assert f(np.ones(3))["sum"] == 3


def test_free_during_calls():
    """Calls that are running keep their memory."""
    function, x, results = compiled(), np.ones(30_000), []

    def work():
        results.extend(function(x) for _ in range(300))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        function.free()
    assert set(results) == {30_000}


if __name__ == "__main__":
    made = compiled()
    MEASURED[sys.argv[1]](made, kept_after_a_large_call(made))
