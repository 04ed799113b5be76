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


class Sum(g.Op):
    """The sum of two vectors, in C."""

    __props__ = ()

    def make_node(self, x, y):
        return g.Apply(self, [g.as_variable(x), g.as_variable(y)], [g.vector()])

    def c_code(self, node, name, inputs, outputs, sub):
        x, y = inputs
        (z,) = outputs
        return f"""
        if (PyArray_DIM({x}, 0) != PyArray_DIM({y}, 0)) {{
            PyErr_SetString(PyExc_ValueError, "lengths differ");
            {sub["fail"]}
        }}
        Py_XDECREF({z});
        {z} = (PyArrayObject *)PyArray_SimpleNew(1, PyArray_DIMS({x}), NPY_DOUBLE);
        if (!{z}) {{
            {sub["fail"]}
        }}
        for (npy_intp i = 0; i < PyArray_DIM({x}, 0); i++) {{
            *(double *)PyArray_GETPTR1({z}, i) =
                *(double *)PyArray_GETPTR1({x}, i) + *(double *)PyArray_GETPTR1({y}, i);
        }}
        """

    def c_code_cache_version(self):
        return (1,)


@pytest.fixture(params=["built in", "in C"])
def add(request):
    """The sum of two vectors: a built-in op, or one with C code of the user's own."""
    return (lambda x, y: x + y) if request.param == "built in" else Sum()


def is_native(function, *arguments):
    """Whether a call is handled by the native part, as opposed to the detail."""
    detail = type(function.detail)
    called, original = [], detail.__call__
    detail.__call__ = lambda self, *args, **kw: called.append(self) or original(self, *args, **kw)
    try:
        function(*arguments)
    finally:
        detail.__call__ = original
    return not called


@pytest.mark.parametrize("form", ["none", "one", "list", "several", "dict", "empty"])
def test_every_form_of_results(form, add):
    s, x = g.shared(np.zeros(1), "s"), g.vector("x")
    outputs = {
        "none": None,
        "one": s,
        "list": [s],
        "several": [s, add(x, x)],
        "dict": {"before": s, 2: x},
        "empty": {},
    }[form]
    f = g.function([x], outputs, updates={s: add(s, x)}, on_unused_input="ignore")
    one, two = np.ones(1), np.full(1, 2.0)
    f(one)
    wanted = {"none": None, "one": one, "list": [one], "several": [one, 2 * two], "empty": {}}
    got = f(x=two)
    assert got == wanted.get(form, {"before": one, 2: two})
    assert s.get_value() == 3.0
    assert is_native(f, one)


def test_many_results_and_variables(add):
    x = g.vector("x")
    variables = [g.shared(np.full(2, float(k))) for k in range(12)]
    sums = [add(each, x) for each in variables]
    f = g.function([x], sums, updates=list(zip(variables, reversed(sums), strict=True)))
    for _ in range(3):
        before = [each.get_value() for each in variables]
        got = f([1.0, 2.0])
        np.testing.assert_array_equal(got, np.add(before, [1, 2]))
        np.testing.assert_array_equal([each.get_value() for each in variables], got[::-1])
    assert is_native(f, np.ones(2))


def test_a_dict_has_its_keys_in_order(add):
    x = g.vector("x")
    f = g.function([x], {"b": x, "a": add(x, x)})
    assert list(f([1.0]).items()) == [("b", 1.0), ("a", 2.0)]
    assert is_native(f, np.ones(1))


@pytest.mark.parametrize("options", [{"strict": True}, {"allow_downcast": True}])
def test_inputs_with_rules_for_conversions(options):
    s, x, m = g.shared(0.0, "s"), g.scalar("x"), g.matrix("m", "float32")
    scaled = g.function([g.In(x, **options), g.In(m, **options)], m * 2, updates={s: s + x})
    only = g.function([g.In(x, **options)], x * 2)
    assert only(1.5) == 3.0 and is_native(only, 1.5)
    array = np.ones((2, 3), "float32")
    for given in (array, array[::-1, ::2], array.T):
        np.testing.assert_array_equal(scaled(1.0, given), given * 2)
    assert s.get_value() == 3.0
    wrong = [array.astype("float64"), array.astype(">f4"), array.tolist()]
    for given in wrong:
        if "strict" in options:
            with pytest.raises(TypeError, match="argument 'm': wanted exactly float32"):
                scaled(1.0, given)
        else:
            np.testing.assert_array_equal(scaled(x=1.0, m=given), array * 2)
    for given in (array[0], None):
        with pytest.raises(TypeError, match="argument 'm': wanted"):
            scaled(1.0, given)
    assert s.get_value() == (3.0 if "strict" in options else 6.0)


def test_arrays_are_swapped_and_released(add):
    x = g.vector("x")
    a, b = g.shared(np.zeros(3), "a"), g.shared(np.ones(3), "b")
    f = g.function([x], a.sum(), updates=[(a, b), (b, add(b, x))])
    old = weakref.ref(a.get_value(borrow=True))
    assert f([1, 2, 3]) == 0 and old() is None
    held = a.get_value(borrow=True)
    for _ in range(5):
        f([1, 1, 1])
    assert held.tolist() == [1, 1, 1], "an array that the caller has is not written to again"
    assert a.get_value().tolist() == [6, 7, 8] and b.get_value().tolist() == [7, 8, 9]


def test_threads_that_update_the_same_variables(add):
    a, b = g.shared(np.zeros(1), "a"), g.shared(np.zeros(1), "b")
    n = g.vector("n")
    one = g.function([n], a, updates=[(a, add(a, n)), (b, add(b, -n))])
    two = g.function([n], None, updates=[(b, add(b, 2 * n)), (a, add(a, -2 * n))])
    array = np.ones(1)

    def work(f):
        for _ in range(2000):
            f(array)

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


def test_a_call_that_fails_updates_nothing_and_holds_no_lock(add):
    s, t, x = g.shared(np.zeros(2), "s"), g.shared(0, "t"), g.vector("x")
    f = g.function([x], t, updates=[(t, t + 1), (s, add(s, x))])
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


def test_references(add):
    s, x = g.shared(np.zeros(100), "s"), g.vector("x")
    f = g.function([x], [s.sum(), s, x], updates={s: add(s, x)})
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
