"""Calls that update shared variables, which run without Python code.

Purpose: each form of results, threads that update the same variables, calls that fail or are
interrupted.
Invariant: a call updates all of its variables, or none; no lock remains held.
Reason: the native part holds the locks of the variables, in one order for all functions.
"""

import gc
import signal
import sys
import threading
import time
import weakref

import fishplate.graph as g
import numpy as np
import pytest


def is_native(function):
    """Whether calls are handled by the native part, as opposed to the detail."""
    detail = type(function.detail)
    called, original = [], detail.__call__
    detail.__call__ = lambda self, *args, **kw: called.append(self) or original(self, *args, **kw)
    try:
        function(1.0)
    finally:
        detail.__call__ = original
    return not called


@pytest.mark.parametrize("form", ["none", "one", "list", "several", "dict"])
def test_every_form_of_results(form):
    s, x = g.shared(0.0, "s"), g.scalar("x")
    outputs = {
        "none": None,
        "one": s,
        "list": [s],
        "several": [s, x * 2],
        "dict": {"before": s, 2: x},
    }[form]
    f = g.function([x], outputs, updates={s: s + x})
    f(1.0)
    wanted = {"none": None, "one": 1.0, "list": [1.0], "several": [1.0, 4.0]}
    assert f(x=2.0) == wanted.get(form, {"before": 1.0, 2: 2.0})
    assert s.get_value() == 3.0
    assert is_native(f)


def test_a_dict_has_its_keys_in_order():
    x = g.scalar("x")
    f = g.function([x], {"b": x, "a": x + 1})
    assert list(f(1.0).items()) == [("b", 1.0), ("a", 2.0)]
    assert is_native(f)


def test_arrays_are_swapped_and_released():
    x = g.vector("x")
    a, b = g.shared(np.zeros(3), "a"), g.shared(np.ones(3), "b")
    f = g.function([x], a.sum(), updates=[(a, b), (b, b + x)])
    old = weakref.ref(a.get_value(borrow=True))
    assert f([1, 2, 3]) == 0 and old() is None
    held = a.get_value(borrow=True)
    for _ in range(5):
        f([1, 1, 1])
    assert held.tolist() == [1, 1, 1], "an array that the caller has is not written to again"
    assert a.get_value().tolist() == [6, 7, 8] and b.get_value().tolist() == [7, 8, 9]


def test_threads_that_update_the_same_variables():
    a, b = g.shared(0, "a"), g.shared(0, "b")
    n = g.scalar("n", "int64")
    one = g.function([n], a, updates=[(a, a + n), (b, b - n)])
    two = g.function([n], None, updates=[(b, b + 2 * n), (a, a - 2 * n)])

    def work(f):
        for _ in range(2000):
            f(1)

    threads = [threading.Thread(target=work, args=[f]) for f in (one, two) * 3]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert a.get_value() == -b.get_value() == 3 * 2000 - 3 * 2000 * 2


def is_free(*variables):
    """Whether another thread can take the locks of variables."""
    taken = []

    def take():
        for variable in variables:
            taken.append(variable.lock.acquire(timeout=1))
            variable.lock.release()

    thread = threading.Thread(target=take)
    thread.start()
    thread.join()
    return all(taken)


def test_a_call_that_fails_updates_nothing_and_holds_no_lock():
    s, t, x = g.shared(np.zeros(2), "s"), g.shared(0, "t"), g.vector("x")
    f = g.function([x], t, updates=[(t, t + 1), (s, s + x)])
    for wrong, error in [([1, 2, 3], ValueError), ("no", TypeError)]:
        with pytest.raises(error):
            f(wrong)
        assert t.get_value() == 0 and is_free(s, t)
    with pytest.raises(TypeError):
        f()
    assert is_free(s, t)
    assert f([1, 2]) == 0 and t.get_value() == 1


def test_a_call_that_waits_can_be_interrupted():
    a, b = g.shared(0, "a"), g.shared(0, "b")
    f = g.function([], None, updates=[(a, a + 1), (b, b + 1)])
    held, done = threading.Event(), threading.Event()

    def hold():
        with max(a, b, key=id).lock:  # the call has the other one then
            held.set()
            time.sleep(0.2)
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
            done.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait()
    with pytest.raises(KeyboardInterrupt):
        f()
    done.set()
    thread.join()
    assert is_free(a, b) and a.get_value() == b.get_value() == 0


def test_references():
    s, x = g.shared(np.zeros(100), "s"), g.vector("x")
    f = g.function([x], s.sum(), updates={s: s + x})
    array = np.ones(100)
    f(array)
    before = [sys.getrefcount(each) for each in (array, s.lock, s.cell)]
    for _ in range(100):
        f(array)
    after = [sys.getrefcount(each) for each in (array, s.lock, s.cell)]
    assert after == before
    freed = weakref.ref(s.cell)
    del f, s
    gc.collect()
    assert freed() is None
