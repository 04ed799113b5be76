"""Functions are pickled by their graphs."""

import copy
import pickle
import subprocess
import sys
import textwrap

import fishplate.graph as g
import numpy as np
import pytest
from support import LINKERS, same
from test_manual import add, double, mul

pytestmark = pytest.mark.parametrize("linker", LINKERS)


def again(function):
    return pickle.loads(pickle.dumps(function))


def test_functions_pickle(linker):
    x, y = g.matrix("x"), g.scalar("y")
    out = {"a": g.softmax(x) * y, "b": x[1:, y.astype("int64")]}
    f = g.function([x, g.In(y, value=1)], out, linker=linker, name="f")
    h = again(f)
    a = np.arange(6.0).reshape(2, 3)
    for key, value in h(a).items():
        same(value, f(a)[key])
    assert repr(h) == repr(f) and h.linker == linker
    same(h(x=a, y=2)["a"], f(a, 2)["a"])


def test_functions_keep_their_state(linker):
    x = g.vector("x")
    s = g.shared(np.zeros(2), "s")
    t = g.shared(0, "t")
    f = g.function([x], [s, None or x], updates=[(s, s + x), (t, 7)], linker=linker, profile=True)
    f([1, 2])
    h = again(f)
    same(h([0, 0])[0], [1, 2])
    assert s.get_value()[0] == 1 and len(h.shared) == 1 and h.profile().nodes
    assert [update.name for update, _ in h.updates] == ["s", "t"]
    # The place where the node was made, too.
    with pytest.raises(ValueError) as caught:
        h([1, 2, 3])
    assert "updates=[(s, s + x)" in caught.value.__notes__[0]


def test_shared_variables_stay_shared(linker):
    s = g.shared(0, "s")
    more = g.function([], None, updates={s: s + 1}, linker=linker)
    read = g.function([], s, linker=linker)
    more2, read2, s2 = again((more, read, s))
    more2()
    assert read2() == 1 and s2.get_value() == 1 and read() == 0


def test_deep_graphs_pickle(linker):
    x = g.scalar("x")
    y = x
    for _ in range(3000):
        y = y + 1
    assert again(g.function([x], y, linker=linker))(0) == 3000


def test_inputs_in_the_middle(linker):
    x = g.vector("x")
    y = x * 2
    f = g.function([y, x], y + x, linker=linker)
    same(again(f)([1], [10]), [11])


def test_copies(linker):
    s = g.shared(0)
    f = g.function([], s, updates={s: s + 1}, linker=linker)
    shallow, deep = copy.copy(f), copy.deepcopy(f)
    assert (f(), shallow(), deep()) == (0, 1, 0)


def test_types_and_ops_pickle(linker):
    # They hold lambdas, which cloudpickle supports.
    pytest.importorskip("cloudpickle")
    x, y = double("x"), double("y")
    f = g.function([x, y], mul(add(x, y), 0.5), linker="perform")
    assert again(f)(1, 2) == 1.5


def test_local_definitions_pickle(linker):
    pytest.importorskip("cloudpickle")

    class Twice(g.Op):
        __props__ = ()

        def make_node(self, x):
            return g.Apply(self, [x], [x.type()])

        def perform(self, node, inputs, storage):
            storage[0][0] = 2 * inputs[0]

    x = g.vector("x")
    f = g.function([x], Twice()(x) + 1, linker="perform")
    same(again(f)([1, 2]), [3, 5])


def test_without_cloudpickle(linker, monkeypatch):
    class Local(g.Type):
        def filter(self, data, strict=False, allow_downcast=None):
            return data

    f = g.function([x := Local()("x")], x, linker="perform")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(
        pickle.PicklingError, match=r"cannot be imported .*Local.*install cloudpickle"
    ):
        pickle.dumps(f)


def test_other_processes_run_definitions_of_main(linker, tmp_path):
    pytest.importorskip("cloudpickle")
    file = tmp_path / "f.pickle"
    script = textwrap.dedent(
        """
        import pickle, sys
        import fishplate.graph as g
        class Twice(g.Op):
            def make_node(self, x):
                return g.Apply(self, [x], [x.type()])
            def perform(self, node, inputs, storage):
                storage[0][0] = 2 * inputs[0]
        x = g.vector("x")
        f = g.function([x], Twice()(x), linker="perform")
        pickle.dump(f, open(sys.argv[1], "wb"))
        """
    )
    subprocess.run([sys.executable, "-c", script, str(file)], check=True)
    same(pickle.loads(file.read_bytes())([1, 2]), [2, 4])


def test_variables_pickle(linker):
    x = g.vector("x")
    y = (x + 1).sum()
    x2, y2 = again((x, y))
    assert g.function([x2], y2, linker=linker)([1, 2]) == 5
    assert again(g.constant([1.0, 2.0], "c")).name == "c"


DEEP = 3_000  # several times the depth of Python's stack


def chain(start, count=DEEP):
    """A chain of so many nodes."""
    one = g.constant(1.0)
    for _ in range(count):
        start = start + one
    return start


def below(variable, steps):
    for _ in range(steps):
        variable = variable.owner.inputs[0]
    return variable


@pytest.mark.parametrize("copied", [again, copy.deepcopy])
def test_deep_variables(linker, copied):
    x = g.vector("x")
    v = chain(x)
    made = copied(v)
    assert below(made, DEEP).name == "x" and made.type == v.type
    assert made.made_at == v.made_at and made.owner.op == v.owner.op
    # Shared nodes stay shared.
    middle = below(v, 700)
    start, half, end, node = copied((x, middle, v, v.owner))
    assert end.owner is node and below(end, 700) is half and below(half, DEEP - 700) is start
    # And the results are the same.
    if linker == "perform":
        same(g.function([start], half, linker=linker)([0.0]), [DEEP - 700.0])


def test_variables_pickle_with_their_ancestors(linker):
    x, y = g.vector("x"), g.scalar("y")
    s = g.shared(np.arange(2.0), "s")
    total = g.sum(x * y + s)
    total.name = "total"
    for copied in (again, copy.deepcopy):
        a, b, t, u = copied((x, y, s, total))
        assert u.name == "total" and type(u) is type(total)
        f = g.function([a, b], u, linker=linker)
        assert f([1.0, 2.0], 3.0) == 10
        t.set_value(np.array([5.0, 5.0]))
        assert f([1.0, 2.0], 3.0) == 19
    # A copy of one variable alone is of the same node.
    assert copy.copy(total).owner is total.owner
    # Nodes of several outputs, and nodes at which a pickle is split.
    both = g.divmod(x, 2.0)
    left, right = again(both)
    values = g.function([ancestor(left)], left, linker=linker)([7.0])
    same(values, [3.0])
    assert ancestor(right) is ancestor(left)
    broken = x + 1
    broken.owner.tag = lambda: None
    for _ in range(2):
        with pytest.raises((pickle.PicklingError, AttributeError, TypeError)):
            pickle.dumps(chain(broken, 10))
    del broken.owner.tag
    assert below(again(chain(broken, 10)), 11).name == "x"


def ancestor(variable):
    while variable.owner is not None:
        variable = variable.owner.inputs[0]
    return variable
