"""`Function` and `Cell`: arguments, results, updates, errors, and references."""

from __future__ import annotations

import copy
import gc
import inspect
import pickle
import re
import sys
import threading
import weakref

import numpy as np
import pytest
from kernels import GRAPH, HEAD, TYPES, Failed, map_text, operand, sum_text

SCALARS = f"""{HEAD}{GRAPH}
{{
    const double x = *(const double *)in[0], y = *(const double *)in[1], z = *(const double *)in[2];
    (void)rt;
    *(double *)out[0] = (x + y) * z;
    return 1;
}}
"""
FLOATS = [(name, "float64", ()) for name in "xyz"]


@pytest.fixture
def scalars(linker):
    return linker.link(SCALARS, FLOATS, [("float64", 0, None)])


def test_python_numbers(scalars):
    assert scalars(1, 2.0, 3) == 9.0
    assert type(scalars(1.0, 2.0, 3.0)) is float
    assert scalars(z=3, x=1, y=2) == scalars(1, z=3, y=2) == 9.0
    assert scalars(np.float32(1), np.array(2.0), np.int16(3)) == 9.0


@pytest.mark.parametrize(
    ("args", "keywords", "message"),
    [
        ((1,), {}, "f(x, y, z) needs argument 'y'"),
        ((1, 2, 3, 4), {}, "f(x, y, z) takes 3 positional arguments, got 4"),
        ((1, 2), {"w": 3}, "f(x, y, z) got an unexpected keyword argument 'w'"),
        ((1, 2, 3), {"x": 3}, "f(x, y, z) got two values for argument 'x'"),
        ((1, 2, "3"), {}, "f(): argument 'z': wanted a real number (float64), got str"),
        ((1, 2, 3j), {}, "f(): argument 'z': wanted a real number (float64), got complex"),
    ],
)
def test_wrong_arguments(scalars, args, keywords, message):
    with pytest.raises(TypeError, match=re.escape(message)):
        scalars(*args, **keywords)


@pytest.mark.parametrize("dtype", sorted(TYPES))
def test_scalars_of_every_type_come_back_as_they_are(linker, dtype):
    kind = TYPES[dtype][0]
    f = linker.link(
        f"{HEAD}{GRAPH}{{ (void)rt; *({kind} *)out[0] = *(const {kind} *)in[0]; return 1; }}",
        [("x", dtype, ())],
        [(dtype, 0, None)],
    )
    plain = {"float64": float, "int64": int, "bool": bool, "complex128": complex}
    result = f(np.dtype(dtype).type(1))
    assert type(result) is plain.get(dtype, np.dtype(dtype).type)
    assert result == 1


ADD = map_text([("float64", "a + b")], [("float64", 2), ("float64", 0)], 2)


def add(linker, **more):
    inputs = [("x", "float64", (None, 3)), ("y", "float64", (), 1.0)]
    return linker.link(ADD, inputs, [("float64", 2, None)], **more)


def test_arrays_are_taken_as_wrapped_functions_take_them(linker):
    f = add(linker)
    wanted = [[2.0, 3.0, 4.0]]
    for x in [
        [[1, 2, 3]],
        np.array([[1, 2, 3]], np.int8),
        np.array([[1.0, 2.0, 3.0]], ">f8"),
        np.array([[1.0, 2.0, 3.0]], np.float32),
        memoryview(np.array([[1.0, 2.0, 3.0]])),
    ]:
        np.testing.assert_array_equal(f(x), wanted)
    np.testing.assert_array_equal(f([[1, 2, 3]], 2), [[3.0, 4.0, 5.0]])
    with pytest.raises(TypeError, match="casts safely to float64, got an array of complex128"):
        f(np.ones((1, 3), complex))
    with pytest.raises(ValueError, match="wanted a 2-D array, got an array of float64 and shape"):
        f(np.ones(3))
    with pytest.raises(ValueError, match=r"dimension 1 of shape \(2, 4\) is 4, but must be 3"):
        f(np.ones((2, 4)))


def test_failures_are_made_by_on_error(linker):
    f = linker.link(
        HEAD + GRAPH + '{ return rt->fail(call, 9, "value", "no good", 1, '
        f"(const fp_operand[]){{{operand('float64', 1)}}}, in); }}",
        [("x", "float64", (None,))],
        [("float64", 0, None)],
    )
    with pytest.raises(Failed, match="no good") as failed:
        f(np.ones(4)[::2])
    error = failed.value
    assert (error.node, error.kind) == (9, "value")
    assert error.operands == (("float64", (2,), (16,)),)
    assert error.inputs == (((2,), (16,)),)


def test_cells_change_after_success_only(linker, entry):
    text = f"""{HEAD}{GRAPH}
{{
    const double by = *(const double *)in[0], now = *(const double *)in[1];
    *(double *)out[0] = now;
    *(double *)out[1] = now + by;
    return by >= 0 || rt->fail(call, 1, "value", "negative", 0, 0, 0);
}}
"""
    cell = entry.Cell(10.0)
    f = linker.link(
        text,
        [("by", "float64", (), 1.0), (cell, "float64", ())],
        [("float64", 0, None), ("float64", 0, cell)],
    )
    assert f() == 10.0
    assert cell.value == 11.0
    assert f(5) == 11.0
    with pytest.raises(Failed):
        f(-1)
    assert cell.value == 16.0
    del cell.value
    with pytest.raises(ValueError, match="the cell is empty"):
        f()
    cell.value = "text"
    with pytest.raises(TypeError, match="argument 'a shared variable': wanted a real number"):
        f()
    only = linker.link(
        text, [("by", "float64", ()), ("x", "float64", ())], [("float64", 0, cell)] * 2
    )
    assert only(1, 2) is None
    assert cell.value == 3.0


def test_a_default_may_be_in_a_cell(linker, entry):
    cell = entry.Cell(np.ones((2, 3)))
    f = linker.link(
        ADD, [("x", "float64", (None, 3), cell), ("y", "float64", (), 1.0)], [("float64", 2, None)]
    )
    np.testing.assert_array_equal(f(), 2 * np.ones((2, 3)))
    np.testing.assert_array_equal(f([[0, 0, 0]]), np.ones((1, 3)))
    assert repr(f) == "<fishplate graph f(x=..., y=...)>"


@pytest.mark.parametrize("count", [1, 3, 20])
def test_several_results_are_a_list(linker, count):
    body = "".join(f"*(double *)out[{k}] = *(const double *)in[{k}] + 1; " for k in range(count))
    f = linker.link(
        f"{HEAD}{GRAPH}{{ (void)rt; {body}return 1; }}",
        [(f"x{k}", "float64", ()) for k in range(count)],
        [("float64", 0, None)] * count,
        listed=True,
    )
    assert f(*range(count)) == [k + 1.0 for k in range(count)]
    with pytest.raises(TypeError, match="needs argument|takes"):
        f(*range(count + 1))


SHARE = f"""{HEAD}
static const fp_operand to = {operand("float64", 2)};
{GRAPH}
{{
    const fp_view *x = (const fp_view *)in[0];
    FP_VIEW(2) t = {{x->data, {{x->dims[1], x->dims[0]}}, {{x->dims[3], x->dims[2]}}}};
    return rt->share_input(call, 0, to, 0, (const fp_view *)(const void *)&t);
}}
"""


def test_a_shared_view_keeps_its_memory(linker):
    f = linker.link(SHARE, [("x", "float64", (None, None))], [("float64", 2, None)])
    x = np.array([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]])
    view = f(x)
    assert view.base is x and np.shares_memory(view, x)
    view[0, 1] = 7
    assert x[1, 0] == 7
    before = sys.getrefcount(x)
    del view
    assert sys.getrefcount(x) == before - 1
    x.flags.writeable = False
    assert not f(x).flags.writeable
    for made in ([[1, 2], [3, 4]], np.arange(4, dtype="i4").reshape(2, 2), np.ones((2, 2), ">f8")):
        np.testing.assert_array_equal(f(made), np.asarray(made).T)


class Detail:
    """An object with details."""

    doc = "A function with details."
    __signature__ = inspect.Signature([inspect.Parameter("x", inspect.Parameter.KEYWORD_ONLY)])
    answer = 42

    def __reduce__(self):
        return (_again, (7,))


def _again(value):
    return value


def test_attributes(linker):
    f = linker.link(SCALARS, FLOATS, [("float64", 0, None)], name="größe", detail=Detail())
    assert (f.__name__, f.__qualname__, f.answer) == ("größe", "größe", 42)
    assert f.__doc__ == "A function with details."
    assert str(inspect.signature(f)) == "(*, x)"
    assert "answer" in dir(f)
    assert pickle.loads(pickle.dumps(f)) == 7
    assert copy.copy(f) == 7
    with pytest.raises(AttributeError, match="nothing"):
        _ = f.nothing
    with pytest.raises(AttributeError):
        _ = f.__array__
    bare = linker.link(SCALARS, FLOATS, [("float64", 0, None)])
    with pytest.raises(AttributeError):
        _ = bare.__signature__


def test_cycles_are_collected(linker, entry):
    detail = Detail()
    f = linker.link(SCALARS, FLOATS, [("float64", 0, None)], detail=detail)
    detail.function = f
    gone = weakref.ref(f)
    del f, detail
    gc.collect()
    assert gone() is None
    cell = entry.Cell()
    cell.value = cell
    gone = weakref.ref(cell)
    del cell
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"inputs": [("x", "float16", ())]}, "'float16' is not the name of a dtype"),
        ({"inputs": [(1, "float64", ())]}, "the name of an input is a string or a Cell"),
        ({"inputs": [("x", "float64", (-1,))]}, "a size cannot be negative"),
        ({"inputs": [("x", "float64", 3)]}, "a shape is a tuple"),
        ({"inputs": [("x", "float64", (None,) * 33)]}, "at most 32"),
        ({"inputs": [("x",)]}, "an input is"),
        ({"outputs": [("float64", 1, 3)]}, "an output is returned"),
        ({"outputs": [("float64", 40, None)]}, "cannot have 40 dimensions"),
        ({"pointers": ["x"]}, "int"),
        ({"symbol": "nothing"}, "nothing is not in the library of f"),
    ],
)
def test_wrong_descriptions(linker, change, message):
    arguments = {"inputs": FLOATS, "outputs": [("float64", 0, None)], **change}
    with pytest.raises((TypeError, ValueError, OSError), match=message):
        linker.link(SCALARS, **arguments)


def test_pointers_are_passed(linker):
    constants = np.array([1.5, 2.5])
    f = linker.link(
        HEAD
        + GRAPH
        + "{ (void)rt; *(double *)out[0] = ((const double *)pointers[0])[1]; return 1; }",
        [],
        [("float64", 0, None)],
        pointers=[constants.ctypes.data],
    )
    assert f() == 2.5


def test_many_threads_call_one_function(linker):
    """Each call has its own temporaries, also if several run in the function."""
    f = linker.link(
        sum_text("float64", 2, 1), [("x", "float64", (None, None))], [("float64", 1, None)]
    )
    inputs = [np.full((3000, 400), float(k)) for k in range(8)]
    wrong = []

    def work(k):
        for _ in range(20):
            if not np.array_equal(f(inputs[k]), np.full(400, 3000.0 * k)):
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_nothing_leaks(linker, entry):
    cell = entry.Cell(np.ones((2, 3)))
    f = linker.link(
        ADD, [("x", "float64", (None, 3), cell), ("y", "float64", (), 1.0)], [("float64", 2, cell)]
    )
    x = np.ones((2, 3))
    counts = sys.getrefcount(x), sys.getrefcount(f), sys.getrefcount(cell)
    for _ in range(100):
        f()
        f(x)
        with pytest.raises(ValueError):
            f(np.ones((2, 4)))
    assert (sys.getrefcount(x), sys.getrefcount(f), sys.getrefcount(cell)) == counts
