"""C-coded types and ops, linked into one C function."""

import subprocess
import sys
import threading
from pathlib import Path

import fishplate.graph as g
import numpy as np
import pytest
from fishplate import _native
from fishplate.graph.core.graph import FunctionGraph
from fishplate.graph.link.linked import LinkedC, has_c
from test_manual import Double, double


class COp(g.Op):
    """z = an expression of x and y."""

    __props__ = ("name", "expression")
    itypes = (double, double)
    otypes = (double,)

    def __init__(self, name, expression):
        self.name = name
        self.expression = expression

    def c_code(self, node, name, inputs, outputs, sub):
        x, y = inputs
        (z,) = outputs
        return f"{z} = {self.expression};" % dict(sub, x=x, y=y)

    def c_code_cache_version(self):
        return (1,)

    def __str__(self):
        return self.name


add = COp("add", "%(x)s + %(y)s")
mul = COp("mul", "%(x)s * %(y)s")


def link(inputs, outputs, **options):
    graph = FunctionGraph(inputs, outputs)
    assert all(map(has_c, graph.nodes))
    return LinkedC(graph, "f", **options)


def call(linked):
    return linked.callable([variable.type.filter for variable in linked.graph.inputs])


def test_the_function_of_the_manual():
    x, y, z = double("x"), double("y"), double("z")
    linked = link([x, y, z], [mul(add(x, y), z)])
    assert linked.run([1.0, 2.0, 3.0]) == [9.0]
    f = call(linked)
    assert f(1.0, 2.0, 3.0) == 9.0 and f(1, 2, "3") == 9.0
    with pytest.raises(TypeError, match="expected a float") as caught:
        linked.run([1.0, 2, 3.0])
    assert caught.value.__notes__[0].startswith("In c_extract of <y: double>")
    assert "a = add" not in linked.source and "/* add.0 = add(x, y) */" not in linked.source
    assert "V3 = V0 + V1;" in linked.source


def test_inputs_are_released_when_another_one_is_refused():
    x, y = double("x"), double("y")
    f = call(link([x, y], [add(x, y)]))
    value = float("1.5")
    references = sys.getrefcount(value)
    for wrong in ("no", None):
        for _ in range(10):
            with pytest.raises((TypeError, ValueError)):
                f(value, wrong)
    assert f(value, 2) == 3.5
    assert sys.getrefcount(value) == references


def test_methods_of_an_instance():
    """The manual first assigns functions without `self` to an instance."""
    kind = g.Type()
    kind.filter = lambda x, strict=False, allow_downcast=None: float(x)
    for name in ("c_declare", "c_init", "c_extract", "c_sync", "c_cleanup"):
        setattr(kind, name, getattr(double, name))

    class Twice(g.Op):
        def make_node(self, x):
            return g.Apply(self, [x], [kind()])

        def c_code(self, node, name, inputs, outputs, sub):
            return f"{outputs[0]} = 2 * {inputs[0]};"

    x = kind("x")
    assert link([x], [Twice()(x)]).run([4.0]) == [8.0]


class Counted(Double):
    """Records the methods that are called, with and without optional arguments."""

    def __init__(self):
        self.called = []

    def c_headers(self, c_compiler):
        self.called.append("c_headers")
        return ["<math.h>"]

    def c_support_code(self):
        return ["#define TWO 2.0", "#define THREE (TWO + 1)"]

    def c_declare(self, name, sub, check_input=True):
        self.called.append(f"declare {check_input}")
        return f"double {name};"

    def c_element_type(self):
        return "double"

    def c_literal(self, data):
        return repr(data)

    def c_code_cache_version(self):
        return (3,)


class Scale(g.Op):
    check_input = False

    def make_node(self, x):
        return g.Apply(self, [x, g.Constant(x.type, 0.5)], [x.type()])

    def c_code(self, node, name, inputs, outputs, sub):
        x, half = inputs
        assert node.op is self and half == "(0.5)"
        return f"dtype_{x} three = THREE; {outputs[0]} = three * {half} * {x};"

    def c_code_cache_version_apply(self, node):
        return (1, frozenset("ab"), ("a", None))


def test_methods_that_the_linker_calls():
    kind = Counted()
    x = kind("x")
    linked = link([x], [Scale()(x)])
    assert linked.run([2.0]) == [3.0]
    assert kind.called == ["c_headers", "declare False", "declare False"]
    before = g.cache_stats()
    assert link([x], [Scale()(x)]).run([4.0]) == [6.0]
    after = g.cache_stats()
    assert (after.compiled, after.loaded) == (before.compiled, before.loaded + 1)


def test_without_versions_it_is_for_this_process():
    x, y = double("x"), double("y")
    unlike = COp("add", "%(x)s + 1 * %(y)s")
    before = g.cache_stats().compiled
    for _ in range(2):
        assert link([x, y], [unlike(x, y)]).run([1.0, 2.0]) == [3.0]
    assert g.cache_stats().compiled == before + 1  # Double has no version
    again = (
        "import fishplate.graph as g; from test_linked import COp, link, double\n"
        "x, y = double('x'), double('y')\n"
        "link([x, y], [COp('add', '%(x)s + 1 * %(y)s')(x, y)])\n"
        "assert g.cache_stats().compiled == 1, g.cache_stats()"
    )
    subprocess.run([sys.executable, "-c", again], check=True, cwd=Path(__file__).parent)


def test_a_mistake_shows_its_fragment():
    x, y = double("x"), double("y")
    bad = COp("bad", "%(x)s + nothing")
    with pytest.raises(_native.CompileError) as caught:
        link([x, y], [bad(add(x, y), y)])
    lines = str(caught.value).splitlines()
    assert lines[:3] == [
        "f(): the C compiler refuses",
        "bad.c_code in V3 = bad(V2, y):",
        "  1 | V3 = V2 + nothing;",
    ]
    assert "nothing" in lines[3] and len(lines) < 8


def test_refused_links():
    x, y = double("x"), double("y")

    class Angry(COp):
        def c_code(self, *args):
            raise LookupError("not today")

    with pytest.raises(LookupError, match="not today") as caught:
        link([x, y], [Angry("angry", "")(x, y)])
    note, place = caught.value.__notes__
    assert note == "raised by angry.c_code in V2 = angry(x, y), asked for C code"
    assert place.startswith("angry(x, y)\nMade at File")

    class Incomplete(Double):
        def c_sync(self, name, sub):
            raise NotImplementedError

    kind = Incomplete()

    class Op(COp):
        itypes = (kind, kind)
        otypes = (kind,)

    x, y = kind("x"), kind("y")
    with pytest.raises(NotImplementedError, match="Type of V2 cannot produce C code: .* c_sync"):
        link([x, y], [Op("op", "%(x)s")(x, y)])


def test_a_failure_names_its_node():
    x, y = double("x"), double("y")

    class Positive(COp):
        def c_code(self, node, name, inputs, outputs, sub):
            return """
            if (%s < 0) {
                PyErr_SetString(PyExc_ValueError, "negative");
                %s
            }
            %s = %s;
            """ % (inputs[0], sub["fail"], outputs[0], inputs[0])

    linked = link([x, y], [mul(Positive("positive", "")(add(x, y), y), y)])
    values = [float("-1.5"), float("0.5")]
    counts = [sys.getrefcount(value) for value in values]
    for _ in range(20):
        with pytest.raises(ValueError, match="negative") as caught:
            linked.run(values)
    assert "In node 1 of f(): positive(add.0, y)" in caught.value.__notes__[0]
    assert __file__ in caught.value.__notes__[0]
    del caught
    assert counts == [sys.getrefcount(value) for value in values]
    assert linked.run([2.0, 0.5]) == [1.25]


class Axpy(g.Op):
    """As one would write it for Theano's tensors."""

    __props__ = ()

    def make_node(self, a, x, y):
        return g.Apply(self, [a, x, y], [y.type()])

    def c_code(self, node, name, inputs, outputs, sub):
        a, x, y = inputs
        (z,) = outputs
        return """
        npy_intp n = PyArray_DIMS(%(x)s)[0];
        if (PyArray_DIMS(%(y)s)[0] != n) {
            PyErr_SetString(PyExc_ValueError, "lengths differ");
            %(fail)s;
        }
        if (%(z)s == NULL || PyArray_DIMS(%(z)s)[0] != n) {
            Py_XDECREF(%(z)s);
            %(z)s = (PyArrayObject *)PyArray_SimpleNew(1, &n, NPY_FLOAT64);
            if (%(z)s == NULL) {
                %(fail)s;
            }
        }
        for (npy_intp i = 0; i < n; i++) {
            *(dtype_%(z)s *)PyArray_GETPTR1(%(z)s, i) =
                %(a)s * *(dtype_%(x)s *)PyArray_GETPTR1(%(x)s, i)
                + *(dtype_%(y)s *)PyArray_GETPTR1(%(y)s, i);
        }
        """ % dict(sub, a=a, x=x, y=y, z=z)

    def c_code_cache_version(self):
        return (1,)


def test_an_op_on_arrays():
    a, x, y = g.scalar("a"), g.vector("x"), g.vector("y")
    linked = link([a, x, y], [Axpy()(a, Axpy()(a, x, y), y)])
    f = call(linked)
    values = np.arange(5.0), np.ones(5)
    wanted = 2 * (2 * values[0] + values[1]) + values[1]
    np.testing.assert_array_equal(f(2.0, *values), wanted)
    np.testing.assert_array_equal(f(2, values[0].tolist(), values[1][::-1]), wanted)
    with pytest.raises(TypeError, match="wanted vector of float64|wanted float64"):
        f(2.0, values[0] + 1j, values[1])
    with pytest.raises(ValueError, match="lengths differ"):
        f(2.0, *np.ones((2, 5))[:1], np.ones(4))
    results = []

    def work(n):
        x = np.full(n, float(n))
        for _ in range(300):
            results.append(bool((f(2.0, x, x) == 7.0 * n).all()))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 2400 and all(results)


def test_recycled_outputs():
    a, x, y = g.scalar("a"), g.vector("x"), g.vector("y")
    z = Axpy()(a, x, y)
    ones = np.ones(3)
    for recycled in ((), (0,)):
        linked = link([a, x, y], [z], recycled=recycled)
        first = linked.run([1.0, ones, ones])[0]
        second = linked.run([2.0, ones, ones])[0]
        assert (first is second) == bool(recycled) and second.tolist() == [3.0] * 3


class Counter(COp):
    """Counts its calls, apart in each function."""

    def c_support_code_struct(self, node, name):
        return f"double counter_{name};"

    def c_init_code_struct(self, node, name, sub):
        return f"counter_{name} = 0;"

    def c_code(self, node, name, inputs, outputs, sub):
        return f"{outputs[0]} = counter_{name}++;"


def test_state_of_a_function():
    x, y = double("x"), double("y")
    linked = link([x, y], [Counter("counter", "")(x, y)])
    f, h = linked.callable(None), linked.callable(None)
    assert [f(1.0, 1.0) for _ in range(3)] == [0.0, 1.0, 2.0]
    assert h(1.0, 1.0) == 0.0


class Params(COp):
    params_type = double

    def get_params(self, node):
        return 2.5

    def c_code(self, node, name, inputs, outputs, sub):
        return f"{outputs[0]} = {sub['params']};"


def test_params():
    x, y = double("x"), double("y")
    assert link([x, y], [Params("params", "")(x, y)]).run([1.0, 1.0]) == [2.5]


def test_built_in_ops_and_registered_code():
    x = g.matrix("x", dtype="float32")
    from fishplate.graph.tensors.registered import deep_copy, view

    copy, same, size = deep_copy(x), view(x), x.shape[1]
    linked = link([x], [copy, same, size])
    array = np.ones((2, 3), "f4")
    results = linked.run([array])
    assert results[1] is array and results[2] == 3
    assert results[0].tolist() == array.tolist() and results[0] is not array

    kind = type("Kind", (Double,), {})()
    g.register_deep_copy_op_c_code(type(kind), "%(oname)s = %(iname)s; if (0) { %(fail)s }", 1)
    v = kind("v")
    assert link([v], [deep_copy(v)]).run([1.5]) == [1.5]


def test_constants_and_inputs_as_outputs():
    a, x = g.scalar("a"), g.vector("x")
    ones = g.TensorType("float64", (None,)).make_constant([1.0, 2.0, 3.0])
    z = Axpy()(a, x, ones)
    linked = link([a, x], [z, x, ones, Axpy()(g.scalar(None).type.make_constant(0.5), x, ones)])
    array = np.full(3, 10.0)
    got = linked.run([2.0, array])
    assert got[0].tolist() == [21.0, 22.0, 23.0] and got[3].tolist() == [6.0, 7.0, 8.0]
    assert got[1] is array and got[2] is ones.data
    assert "(0.5)" in linked.source


class Helped(COp):
    def c_support_code(self):
        # In C99 another unit would have to define this one.
        return "__attribute__((noinline)) inline double twice(double x) { return 2 * x; }"


class Cxx(COp):
    def c_support_code(self):
        return "#include <algorithm>"


def test_c_or_cxx():
    x, y = double("x"), double("y")
    helped, cxx = Helped("helped", "twice(%(x)s)"), Cxx("cxx", "std::max(%(x)s, %(y)s)")
    assert link([x, y], [helped(x, y)]).run([2.0, 3.0]) == [4.0]
    assert link([x, y], [cxx(x, y)]).run([2.0, 3.0]) == [3.0]
    with pytest.raises(_native.CompileError, match="cxx.c_code in V2") as caught:
        link([x, y], [Cxx("cxx", "std::max(%(x)s, nothing)")(x, y)])
    # Authors of C++ do not get the message that it is not C.
    marked = [line for line in str(caught.value).splitlines() if "^" in line]
    assert "nothing" in marked[0] and "std" not in marked[0]
