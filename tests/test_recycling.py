"""Results that are arrays of earlier calls: without another reference, and as they were made."""

from __future__ import annotations

import gc
import importlib
import importlib.util
import sys
import sysconfig
import threading
import weakref
from pathlib import Path

import fishplate.graph as g
import numpy as np
import pytest

CODE = """
#include <stddef.h>
static inline void ramp(size_t n, double start, double *y)
{
    for (size_t i = 0; i < n; i++) y[i] = start + (double)i;
}
static inline void grid(size_t m, size_t n, int start, int *y)
{
    for (size_t i = 0; i < m * n; i++) y[i] = start + (int)i;
}
static inline int fails(size_t n, int code, double *y)
{
    for (size_t i = 0; i < n; i++) y[i] = 0;
    return code;
}
static inline void two(size_t n, double start, double *y, double *z)
{
    ramp(n, start, y);
    ramp(n, -start, z);
}
"""
INTERFACE = """
[module]
name = "{name}"
header-code = '''{code}'''
{key}
[function.ramp]
proto = "void ramp(size_t n, double start, out double y[n])"
[function.grid]
proto = "void grid(size_t m, size_t n, int start, out int y[m][n])"
[function.turned]
proto = {{ Fortran = "void grid(size_t m, size_t n, int start, out int y[m][n])" }}
[function.fails]
proto = "status int fails(size_t n, int code, out double y[n])"
[function.two]
proto = "void two(size_t n, double start, out double y[n], out double z[n])"
"""


def made(build, folder: Path, name: str, key: str):
    (folder / f"{name}.toml").write_text(INTERFACE.format(name=name, code=CODE, key=key))
    done = build(folder, f"{name}.toml", folder)
    assert done.returncode == 0, done.stderr
    path = folder / (name + sysconfig.get_config_var("EXT_SUFFIX"))
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def module(build, tmp_path_factory):
    return made(build, tmp_path_factory.mktemp("recycling"), "recycled", "")


@pytest.fixture(scope="module")
def plain(build, tmp_path_factory):
    folder = tmp_path_factory.mktemp("recycling")
    return made(build, folder, "unrecycled", "recycle-outputs = false")


def graph(**options):
    """A function that computes `ramp` as a graph."""
    x, start = g.vector("x"), g.scalar("start")
    function = g.function([x, start], x + start, **options)
    return lambda n, value: function(np.arange(float(n)), value)


@pytest.fixture(scope="module", params=["function", "graph"])
def ramps(request, module, plain):
    """`ramp` with recycled results, and with new ones."""
    if request.param == "graph":
        return graph(), graph(recycle_outputs=False)
    return module.ramp, plain.ramp


@pytest.fixture
def ramp(ramps):
    return ramps[0]


WORKS = sys.implementation.name == "cpython" and not sysconfig.get_config_var("Py_GIL_DISABLED")


def address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]


def is_retained(function, *arguments) -> bool:
    """Whether a result that the caller has dropped still exists."""
    alive = weakref.ref(function(*arguments))
    return alive() is not None


@pytest.mark.skipif(not WORKS, reason="references are not counted so in this Python")
def test_small_results_are_used_again(ramps) -> None:
    ramp, plain = ramps
    assert is_retained(ramp, 4, 0.0)
    assert not is_retained(plain, 4, 0.0)
    assert not is_retained(ramp, 1000, 0.0)  # more than 4096 bytes
    seen = {id(ramp(7, float(i))) for i in range(100)}
    assert len(seen) <= 2
    y, seen = None, set()
    for i in range(100):  # the caller has the last one
        y = ramp(7, float(i))
        seen.add(id(y))
    assert len(seen) == 2


# Whatever refers to the memory of a result.
HOLDERS = {
    "itself": lambda y: y,
    "a view": lambda y: y[1:],
    "another type": lambda y: y.view("int64"),
    "a subclass": lambda y: y.view(np.matrix),
    "a buffer": memoryview,
    "bytes in place": lambda y: np.frombuffer(memoryview(y), "uint8"),
    "dlpack": np.from_dlpack,
    "an iterator": iter,
    "flat": lambda y: y.flat,
    "its interface": lambda y: np.asarray(
        type("Lent", (), {"__array_struct__": y.__array_struct__})
    ),
    "ctypes": lambda y: y.ctypes,
    "a list": lambda y: [y],
    "an object array": lambda y: np.array([y, None], dtype=object),
}


@pytest.mark.parametrize("holder", HOLDERS)
def test_what_somebody_has_is_not_used_again(holder: str, ramp) -> None:
    for _ in range(3):
        y = ramp(5, 1.0)
        at = address(y)
        held = HOLDERS[holder](y)
        del y
        others = [ramp(5, 50.0) for _ in range(5)]
        assert at not in [address(other) for other in others]
        del held, others


def test_a_weak_reference_does_not_come_back(ramp) -> None:
    dead, references = [], []
    for i in range(20):
        y = ramp(5, float(i))
        weak = weakref.ref(y, lambda _, i=i: dead.append(i))
        references.append(weak)
        before = address(y)
        del y
        new = ramp(5, -1.0)
        assert weak() is None or weak() is not new
        assert weak() is None or address(new) != before
        del new
    for _ in range(40):
        ramp(5, 0.0)
    assert len(dead) == len(set(dead)) >= 18


def change_dtype(y):
    y.dtype = np.dtype(">f8")


def change_shape(y):
    y.shape = (2, 3)


def change_flags(y):
    y.flags.writeable = False


def change_strides(y):
    with np.testing.suppress_warnings() as quiet:
        quiet.filter(DeprecationWarning)
        y.shape = (6, 1)
        y.shape = (1, 6)


def change_metadata(y):
    y.dtype = np.dtype("f8", metadata={"unit": "m"})


def change_size(y):
    y.resize(60, refcheck=False)


CHANGES = [change_dtype, change_shape, change_flags, change_strides, change_metadata, change_size]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_changed_results_are_made_anew(change, ramp) -> None:
    for _ in range(6):
        y = ramp(6, 1.0)
        change(y)
        del y
        y = ramp(6, 1.0)
        assert y.dtype == np.dtype("f8") and y.dtype.metadata is None and y.dtype.isnative
        assert y.shape == (6,) and y.strides == (8,) and y.flags.writeable and y.flags.owndata
        np.testing.assert_array_equal(y, np.arange(1.0, 7.0))
        del y


def test_each_shape_and_order(module, plain) -> None:
    shapes = [(2, 3), (3, 2), (1, 6), (6, 1), (0, 3), (3, 0), (1, 1), (2, 3)]
    for _ in range(3):
        for start, (m, n) in enumerate(shapes):
            for name in ("grid", "turned"):
                got, wanted = (getattr(one, name)(m, n, start) for one in (module, plain))
                np.testing.assert_array_equal(got, wanted)
                assert (got.shape, got.strides) == (wanted.shape, wanted.strides)
                assert str(got.flags) == str(wanted.flags)


def test_outputs_of_one_call_differ(module) -> None:
    for i in range(20):
        y, z = module.two(3, float(i))
        assert not np.shares_memory(y, z)
        np.testing.assert_array_equal(y, i + np.arange(3.0))
        np.testing.assert_array_equal(z, -i + np.arange(3.0))


def test_a_buffer_is_the_caller_s(module) -> None:
    mine = np.empty(4)
    for _ in range(5):
        assert module.ramp(4, 2.0, y=mine) is mine
        assert module.ramp(4, 9.0) is not mine
    np.testing.assert_array_equal(mine, [2, 3, 4, 5])


def test_failing_calls_lose_nothing(module) -> None:
    gc.collect()
    held = module.fails(4, 0)
    for _ in range(50):
        with pytest.raises(RuntimeError):
            module.fails(4, 1)
        with pytest.raises((ValueError, OverflowError)):
            module.fails(-4, 1)
    assert not held.any()
    if WORKS:
        assert is_retained(module.fails, 4, 0)


def test_threads_have_results_of_their_own(ramp) -> None:
    wrong = []

    def work(number: int) -> None:
        kept = []
        for i in range(3000):
            y = ramp(1 + i % 3, float(number))
            kept.append(y)
            if i % 7 == 0:
                kept.clear()
            if any(one[0] != number for one in kept) or len(y) != 1 + i % 3:
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_kept_results_are_independent(ramp) -> None:
    kept = [ramp(3, float(i)) for i in range(1000)]
    assert [y[0] for y in kept] == list(range(1000))
    del kept
    seen = {id(ramp(3, 0.0)) for _ in range(100)}
    assert not WORKS or len(seen) < 20


def test_outputs_of_graphs(tmp_path: Path) -> None:
    """Several outputs, updates, views of inputs, exported functions, and `free`."""
    x = g.matrix("x")
    total = g.shared(np.zeros((2, 2)), "total")
    f = g.function([x], [x + 1, x - 1, x.T, g.exp(x).T], updates={total: total + x})
    for i in range(30):
        held = total.get_value(borrow=True)
        old = held.copy()
        arrays = f(np.full((2, 2), float(i)))
        for k, array in enumerate(arrays):
            assert not any(np.shares_memory(array, other) for other in [*arrays[:k], held])
        np.testing.assert_array_equal(held, old)
        for array, wanted in zip(arrays, [i + 1, i - 1, i, np.exp(i)], strict=True):
            np.testing.assert_allclose(array, wanted)
    np.testing.assert_array_equal(total.get_value(), sum(range(30)))

    y = g.vector("y")
    f = g.function([y], y * 2, name="twice")
    f.export(tmp_path / "twice_again.so", kind="python")
    f = g.function([y], y * 2, name="twice", recycle_outputs=False)
    f.export(tmp_path / "twice_anew.so", kind="python")
    sys.path.insert(0, str(tmp_path))
    try:
        again, anew = (importlib.import_module(f"twice_{one}").twice for one in ("again", "anew"))
    finally:
        sys.path.remove(str(tmp_path))
    assert is_retained(again, [1.0]) == WORKS
    assert not is_retained(anew, [1.0])


@pytest.mark.skipif(not WORKS, reason="references are not counted so in this Python")
def test_retained_results_are_freed() -> None:
    y = g.vector("y")
    f = g.function([y], y * 2)
    alive = weakref.ref(f([1.0]))
    assert alive() is not None
    f.free()
    assert alive() is None
    alive = weakref.ref(f([1.0]))
    assert alive() is not None
    del f
    gc.collect()
    assert alive() is None
