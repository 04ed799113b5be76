"""The user's memory and the graph's never alias, unless that is allowed."""

import fishplate.graph as g
import numpy as np
import pytest
from compilers import ALL
from hypothesis import given, settings
from hypothesis import strategies as st
from support import LINKERS, same

pytestmark = pytest.mark.parametrize("linker", LINKERS)


class AddInPlace(g.Op):
    """Adds its second input to its first, in the memory of the first."""

    __props__ = ()
    destroy_map = {0: [0]}

    def make_node(self, x, y):
        return g.Apply(self, [x, y], [x.type()])

    def perform(self, node, inputs, storage):
        x, y = inputs
        x += y
        storage[0][0] = x


class Rows(g.Op):
    """Every other row, as a view."""

    __props__ = ()
    view_map = {0: [0]}

    def make_node(self, x):
        return g.Apply(self, [x], [g.tensor(None, x.dtype, (None,) * x.ndim)])

    def perform(self, node, inputs, storage):
        storage[0][0] = inputs[0][::2]


add_in_place, rows = AddInPlace(), Rows()


def test_results_are_no_views_of_arguments(linker):
    x = g.matrix("x")
    outputs = [x, x.T, x[1:], x.reshape(-1), rows(x), x[None], g.broadcast_to(x, (2, 2, 2)), x.real]
    f = g.function([x], outputs, linker=linker)
    a = np.arange(4.0).reshape(2, 2)
    results = f(a)
    for result in results:
        assert not np.may_share_memory(result, a)
        result[...] = -1
    same(a, [[0, 1], [2, 3]])
    for i, one in enumerate(results):
        for two in results[:i]:
            assert not np.shares_memory(one, two)


def test_borrowed_results_may_be_views(linker):
    x = g.matrix("x")
    a = np.arange(4.0).reshape(2, 2)
    f = g.function([x], g.Out(rows(x), borrow=True), linker="perform")
    assert np.shares_memory(f(a), a)
    f = g.function([g.In(x, borrow=True)], rows(x), linker="perform")
    assert np.shares_memory(f(a), a)


def test_results_are_not_one_another(linker):
    x = g.vector("x")
    y = x + 1
    one, two, three = g.function([x], [y, y, rows(y)], linker=linker)([1.0, 2.0])
    assert not any(np.shares_memory(a, b) for a, b in [(one, two), (one, three), (two, three)])


def test_constants_do_not_change(linker):
    c = g.constant([1.0, 2.0])
    f = g.function([], [c, c.T, rows(c), add_in_place(c, c)], linker=linker)
    for _ in range(2):
        results = f()
        same(results[0], [1, 2])
        same(results[3], [2, 4])
        for result in results:
            result[...] = 0
    value = np.zeros(2)
    x = g.as_variable(value)
    value[0] = 1
    same(g.function([], x, linker=linker)(), [0, 0])


def test_arguments_are_not_destroyed(linker):
    x, y = g.vector("x"), g.vector("y")
    a, b = np.ones(2), np.ones(2)
    f = g.function([x, y], add_in_place(x, y), linker=linker)
    same(f(a, b), [2, 2])
    same(a, [1, 1])
    mutating = g.function([g.In(x, mutable=True), y], add_in_place(x, y), linker="perform")
    result = mutating(a, b)
    assert result is a and a[0] == 2


def test_destroying_a_view_of_an_argument(linker):
    x = g.vector("x")
    a = np.ones(4)
    f = g.function([x], add_in_place(rows(x), rows(x)), linker=linker)
    same(f(a), [2, 2])
    same(a, [1] * 4)


def test_inputs_that_are_read_later_are_kept(linker):
    x = g.vector("x")
    y = x * 2
    z = add_in_place(y, x)
    a = np.array([1.0, 2.0])
    same(g.function([x], z, linker=linker)(a), [3, 6])
    for outputs in ([z, y], [y, z], [z, y * 1], [rows(y), z], [add_in_place(y, y)]):
        f = g.function([x], outputs, linker=linker)
        values = f(a)
        for output, value in zip(outputs, values, strict=True):
            alone = g.function([x], output, linker=linker)(a)
            same(value, alone)
    w = add_in_place(y, x * 3)
    same(g.function([x], [z, w, y], linker=linker)(a)[2], [2, 4])
    same(g.function([x], [z, w], linker=linker)(a)[1], [5, 10])


def test_a_chain_needs_no_copies(linker):
    x = g.vector("x")
    y = x * 2
    f = g.function([x], add_in_place(add_in_place(y, x), x), linker="perform")
    assert not any(str(node.op) == "deep_copy" for node in f._linked.graph.nodes)
    same(f([1.0]), [4])


def test_shared_values_are_not_returned(linker):
    s = g.shared(np.zeros(2), "s")
    x = g.vector("x")
    f = g.function([x], [s, x], updates={s: x}, linker=linker)
    a = np.array([1.0, 2.0])
    f(a)
    a[0] = 9
    same(s.get_value(), [1, 2])
    result = f(a)[0]
    result[...] = 0
    same(s.get_value(), [9, 2])
    g.function([], add_in_place(s, s), linker=linker)()
    same(s.get_value(), [9, 2])


def test_defaults_do_not_change(linker):
    x = g.vector("x")
    f = g.function(
        [g.In(x, value=np.zeros(2), mutable=True)], add_in_place(x, g.ones(2)), linker=linker
    )
    same(f(), [1, 1])
    same(f(), [1, 1])


def test_values_of_other_types_are_copied(linker):
    class Bag(g.Type):
        def filter(self, data, strict=False, allow_downcast=None):
            return data

    bag = Bag()
    f = g.function([x := bag("x")], x, linker="perform")
    given = [[1]]
    result = f(given)
    assert result == given and result is not given and result[0] is not given[0]


class Reversed(g.Op):
    """The elements in the opposite order, as a view."""

    __props__ = ()
    view_map = {0: [0]}

    def make_node(self, x):
        return g.Apply(self, [x], [x.type()])

    def perform(self, node, inputs, storage):
        storage[0][0] = inputs[0][::-1]


class MixInPlace(g.Op):
    """The sum in the memory of the first input, the difference in that of the second."""

    __props__ = ()
    destroy_map = {0: [0], 1: [1]}

    def make_node(self, x, y):
        return g.Apply(self, [x, y], [x.type(), y.type()])

    def perform(self, node, inputs, storage):
        x, y = inputs
        difference = x - y
        x += y
        y[...] = difference
        storage[0][0], storage[1][0] = x, y


class OneOfThem(g.Op):
    """Its second input, as a view; as far as is known, it could be the first."""

    __props__ = ()
    view_map = {0: [0, 1]}

    def make_node(self, x, y):
        return g.Apply(self, [x, y], [x.type()])

    def perform(self, node, inputs, storage):
        storage[0][0] = inputs[1]


#: Functions of variables, each with an equivalent that shares no memory.
MEMORY = {
    "add": (lambda x, y: [x + y], lambda x, y: [x + y]),
    "add_in_place": (lambda x, y: [add_in_place(x, y)], lambda x, y: [x + y]),
    "mix_in_place": (lambda x, y: MixInPlace()(x, y), lambda x, y: [x + y, x - y]),
    "reversed": (lambda x, y: [Reversed()(x)], lambda x, y: [x[::-1]]),
    "one_of_them": (lambda x, y: [OneOfThem()(x, y)], lambda x, y: [y]),
}


@given(
    st.lists(st.tuples(st.sampled_from(sorted(MEMORY)), st.integers(0, 99), st.integers(0, 99))),
    st.lists(st.integers(0, 99), min_size=1, max_size=6),
    st.booleans(),
)
@settings(max_examples=150 if ALL else 60, deadline=None)
def test_memory_does_not_show(linker, steps, wanted, update):
    """Even if ops work in place or return views, results are as if all were copies."""
    arrays = [np.array([1.0, 10.0, 100.0]), np.array([2.0, 20.0, 200.0]), np.array([4.0, 0.0, 8.0])]
    x, y, s = g.vector("x"), g.vector("y"), g.shared(arrays[2], "s")
    variables, values = [x, y, s, g.constant(arrays[1])], [*arrays, arrays[1]]
    for name, i, j in steps:
        on_variables, on_values = MEMORY[name]
        i, j = i % len(values), j % len(values)
        variables.extend(on_variables(variables[i], variables[j]))
        values.extend(on_values(values[i], values[j]))
    chosen = [index % len(values) for index in wanted]
    updates = {s: variables[chosen[-1]]} if update else {}
    f = g.function(
        [x, y],
        [variables[index] for index in chosen],
        updates=updates,
        linker=linker,
        on_unused_input="ignore",
    )
    given_ = [array.copy() for array in arrays[:2]]
    results = f(*given_)
    for array, before in zip(given_, arrays, strict=False):
        same(array, before)
    for result, index in zip(results, chosen, strict=True):
        same(result, values[index])
    same(s.get_value(), values[chosen[-1]] if update else arrays[2])
    everything = [*given_, *results, s.get_value(borrow=True), variables[3].data]
    for place, one in enumerate(everything):
        for two in everything[:place]:
            assert not np.may_share_memory(one, two)
