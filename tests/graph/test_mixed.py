"""Built-in ops, C-coded ops and ops in Python in one graph."""

import fishplate.graph as g
import numpy as np
import pytest
from fishplate.graph.link.compiled import Compiled
from fishplate.graph.link.linked import LinkedC
from fishplate.graph.link.segments import Segments
from test_linked import Axpy, Counter
from test_manual import double


def axpy(a, x, y):
    a = a if isinstance(a, g.Variable) else g.Constant(g.TensorType("float64"), a)
    return Axpy()(a, x, y)


def linked(f):
    return f.detail._linked


def test_one_c_function():
    """Built-in ops are native functions inside the one function."""
    a, x, y = g.scalar("a"), g.vector("x"), g.vector("y")
    z = axpy(2 * a, g.exp(x), y * 2)
    f = g.function([a, x, y], [z.sum(), z[::2] + 1], name="f")
    parts = linked(f).parts
    assert isinstance(linked(f), LinkedC)
    assert sum(isinstance(part, Compiled) for part in parts) == len(parts) - 1 == 2
    data = np.array([1.0, 2.0, 3.0])
    wanted = 6 * np.exp(data) + 2 * data
    total, some = f(3.0, data, data)
    np.testing.assert_allclose(total, wanted.sum())
    np.testing.assert_allclose(some, wanted[::2] + 1)
    assert "Axpy" in f.explain() and f.c_source().count("fp_kind = ") == 1


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float32", "complex64"])
def test_numbers_cross_to_native_functions(dtype):
    class Same(g.Op):
        __props__ = ()

        def make_node(self, x):
            return g.Apply(self, [x], [x.type()])

        def c_code(self, node, name, inputs, outputs, sub):
            return f"{outputs[0]} = {inputs[0]};"

    x = g.scalar("x", dtype=dtype)
    f = g.function([x], g.where(g.eq(Same()(g.abs(x)), 3), Same()(x), x + x))
    assert isinstance(linked(f), LinkedC)
    for value in (0, 1, 3):
        given = np.dtype(dtype).type(value)
        assert f(given) == (given if value == 3 else given + given)


def test_failures_name_nodes_and_shapes():
    x, y = g.vector("x"), g.vector("y")
    for linker in ("c", "c-opwise"):
        f = g.function([x, y], axpy(1.0, x[1:], y * 2).sum(), name="f", linker=linker)
        with pytest.raises(ValueError) as caught:
            f(np.ones(3), np.ones(5))
        (note,) = caught.value.__notes__
        assert "of f(): Axpy(" in note and "shape (2,), strides (8,)" in note
        assert "shape (5,), strides (8,)" in note and "test_mixed.py" in note
        assert not hasattr(caught.value, "__fishplate_operands__")
    f = g.function([x, y], axpy(1.0, x + y, y), name="f")
    with pytest.raises(ValueError, match="broadcast") as caught:
        f(np.ones(3), np.ones(5))
    assert caught.value.__notes__[0].startswith("In node 0 of f(): add(x, y)")


class Offset(g.Op):
    """Only in Python."""

    __props__ = ()

    def make_node(self, x):
        return g.Apply(self, [x], [x.type()])

    def perform(self, node, inputs, output_storage):
        output_storage[0][0] = inputs[0] + 100


def test_python_is_a_border():
    x = g.vector("x")
    f = g.function([x], axpy(1.0, Offset()(g.exp(axpy(2.0, x, x))), x * 2).sum())
    parts = linked(f).parts
    assert isinstance(linked(f), Segments) and len(parts) == 3
    assert f(np.zeros(2)) == 202.0
    assert "in Python" in f.explain() and "Offset" in f.explain()


def test_an_op_that_refuses_when_asked():
    """Only that op runs in Python."""

    class Refuses(Offset):
        def c_code(self, node, name, inputs, outputs, sub):
            raise NotImplementedError("not for this one")

    x = g.vector("x")
    f = g.function([x], axpy(1.0, Refuses()(g.exp(x)), x))
    assert f(np.zeros(1)).tolist() == [101.0] and len(linked(f).parts) == 3

    class Cannot(Refuses):
        perform = g.Op.perform

    with pytest.raises(NotImplementedError, match="Cannot"):
        g.function([x], Cannot()(x))


def test_calls_of_every_form_share_the_state():
    x, y = double("x"), double("y")
    f = g.function([x, y], Counter("counter", "")(x, y))
    assert [f(1.0, 1.0), f(1, y=2), f(x=1, y=1), f(1.0, 1.0)] == [0.0, 1.0, 2.0, 3.0]


def test_an_exception_that_nobody_noticed():
    class Quiet(Counter):
        def c_code(self, node, name, inputs, outputs, sub):
            return 'PyErr_SetString(PyExc_KeyError, "quiet");'

    x, y = double("x"), double("y")
    f = g.function([x, y], Quiet("quiet", "")(x, y), name="f")
    with pytest.raises(KeyError, match="quiet") as caught:
        f(1.0, 2.0)
    assert "In f(): " in caught.value.__notes__[0]


def test_equal_nodes_of_users_are_computed_once():
    class Counted(Offset):
        def perform(self, node, inputs, output_storage):
            counts.append(node)
            super().perform(node, inputs, output_storage)

    counts = []
    x = g.vector("x")
    twice = [Counted()(g.exp(x)), Counted()(g.exp(x))]
    f = g.function([x], twice)
    first, second = f(np.zeros(1))
    assert len(counts) == 1 and first == second == 101.0
    assert not np.shares_memory(first, second)
    assert "merge: exp(x) is computed once" in f.explain()
    g.function([x], twice, exclude=["merge"])(np.zeros(1))
    assert len(counts) == 3
    # Of constants only those of one value.
    x = double("x")
    f = g.function([x], [Counter("counter", "")(x, g.Constant(double, k)) for k in (0, 1, 1)])
    assert f(1.0) == [0.0, 0.0, 0.0] and f.explain().count("merge") == 1


def test_an_output_that_was_not_made():
    class Nothing(Offset):
        def c_code(self, node, name, inputs, outputs, sub):
            return ""

    x = g.vector("x")
    f = g.function([x], Nothing()(x) * 2, name="f")
    with pytest.raises(RuntimeError, match="did not make its output") as caught:
        f(np.zeros(1))
    (note,) = caught.value.__notes__
    assert "mul" in note and "Nothing" in note and "test_mixed.py" in note
