"""Steps on several threads: the same results, also from many callers and in forked processes."""

import os
import signal
import subprocess
import sys
import threading

import fishplate.graph as g
import numpy as np
import pytest
from fishplate import _native

N = 300_000


@pytest.fixture(params=[1, 2, 5])
def limit(request):
    """A number of threads, which may be more than there are processors."""
    _native.set_num_threads(request.param)
    yield request.param
    _native.set_num_threads(0)


def functions():
    """A map, a fold of all, folds of rows and of columns, and a function of rows."""
    x, a = g.vector("x"), g.matrix("a")
    rows = g.exp(a - a.max(axis=1, keepdims=True))
    return {
        "map": (g.function([x], g.exp(-(x**2)) * 2 + x), (N,)),
        "sum": (g.function([x], ((x - 1) ** 2).sum()), (N,)),
        "rows": (g.function([a], a.mean(axis=1)), (600, 500)),
        "columns": (g.function([a], a.max(axis=0)), (600, 500)),
        "softmax": (g.function([a], rows / rows.sum(axis=1, keepdims=True)), (600, 500)),
    }


@pytest.fixture(scope="module")
def expected():
    """The functions, their arguments and their results on one thread."""
    _native.set_num_threads(1)
    found = {}
    for name, (function, shape) in functions().items():
        x = np.random.default_rng(0).standard_normal(shape)
        found[name] = (function, x, np.copy(function(x)))
    _native.set_num_threads(0)
    return found


def started():
    """The number of threads of this process."""
    return len(os.listdir("/proc/self/task"))


def test_results_do_not_depend_on_threads(limit, expected):
    for _ in range(20):
        for function, x, result in expected.values():
            np.testing.assert_array_equal(function(x), result)


def test_workers_are_used_again(expected):
    _native.set_num_threads(4)
    function, x, _ = expected["map"]
    function(x)
    before = started()
    assert before >= 4
    for _ in range(50):
        function(x)
    assert started() == before
    _native.set_num_threads(0)


def test_many_callers(limit, expected):
    wrong = []

    def work(k):
        names = [*expected][k:] + [*expected][:k]
        for _ in range(30):
            for name in names:
                function, x, result = expected[name]
                if not np.array_equal(function(x), result):
                    wrong.append(name)

    callers = [threading.Thread(target=work, args=(k,)) for k in range(5)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert not wrong


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_children_have_workers_of_their_own(expected):
    """Also children that are forked while another thread is in a step."""
    _native.set_num_threads(3)
    stop = threading.Event()
    function, x, result = expected["map"]

    def work():
        while not stop.is_set():
            function(x)

    caller = threading.Thread(target=work)
    caller.start()
    try:
        for _ in range(10):
            child = os.fork()
            if child == 0:
                signal.alarm(30)  # a child that waits for ever is killed
                same = all(np.array_equal(function(x), result) for _ in range(5))
                grandchild = os.fork()
                same &= np.array_equal(function(x), result)
                if grandchild:
                    same &= os.waitpid(grandchild, 0)[1] == 0
                os._exit(0 if same and started() == 3 else 1)
            assert os.waitpid(child, 0)[1] == 0
    finally:
        stop.set()
        caller.join()
        _native.set_num_threads(0)


def test_signals_are_not_for_workers(expected):
    _native.set_num_threads(3)
    expected["map"][0](expected["map"][1])
    _native.set_num_threads(0)
    blocked = []
    for thread in os.listdir("/proc/self/task"):
        with open(f"/proc/self/task/{thread}/status") as file:
            masks = [line.split()[1] for line in file if line.startswith("SigBlk")]
        blocked.append(int(masks[0], 16) >> (signal.SIGINT - 1) & 1)
    assert sum(blocked) >= 2


def test_exported_libraries_end_their_workers(tmp_path):
    """A library may be unloaded: its threads end before its code is gone."""
    x = g.vector("x")
    g.function([x], g.exp(-(x**2)), name="bell").export(tmp_path / "libbell.so")
    script = f"""
import ctypes, os, time
import _ctypes
import numpy as np

class View(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("shape", ctypes.c_long), ("stride", ctypes.c_long)]

def threads():
    return len(os.listdir("/proc/self/task"))

x, y = np.linspace(-1, 1, {N}), np.empty({N})
views = [View(a.ctypes.data, a.size, a.itemsize) for a in (x, y)]
for _ in range(5):
    before = threads()
    library = ctypes.CDLL({str(tmp_path / "libbell.so")!r})
    library.bell_set_threads(3)
    assert library.bell_into(*views) == 0
    assert threads() == before + 2
    np.testing.assert_allclose(y, np.exp(-x**2), rtol=1e-14)
    _ctypes.dlclose(library._handle)
    for _ in range(1000):  # the kernel removes a thread a moment after its end
        if threads() == before:
            break
        time.sleep(0.01)
    assert threads() == before
    assert "libbell" not in open("/proc/self/maps").read()
print("done")
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60
    )
    assert done.stdout == "done\n", done.stderr
