"""The manual's own types and ops run as they are printed there."""

import fishplate.graph as g
import pytest


class Double(g.Type):
    def filter(self, x, strict=False, allow_downcast=None):
        if strict and not isinstance(x, float):
            raise TypeError("Expected a float!")
        return float(x)

    def values_eq_approx(self, x, y, tolerance=1e-4):
        return abs(x - y) / (x + y) < tolerance

    def __str__(self):
        return "double"

    def c_declare(self, name, sub):
        return """
           double %(name)s;
           """ % dict(name=name)

    def c_init(self, name, sub):
        return """
           %(name)s = 0.0;
           """ % dict(name=name)

    def c_extract(self, name, sub):
        return """
           if (!PyFloat_Check(py_%(name)s)) {
               PyErr_SetString(PyExc_TypeError, "expected a float");
               %(fail)s
           }
           %(name)s = PyFloat_AsDouble(py_%(name)s);
           """ % dict(sub, name=name)

    def c_sync(self, name, sub):
        return """
           Py_XDECREF(py_%(name)s);
           py_%(name)s = PyFloat_FromDouble(%(name)s);
           if (!py_%(name)s) {
               printf("PyFloat_FromDouble failed on: %%f\\n", %(name)s);
               Py_XINCREF(Py_None);
               py_%(name)s = Py_None;
           }
           """ % dict(name=name)

    def c_cleanup(self, name, sub):
        return ""


double = Double()


class BinaryDoubleOp(g.Op):
    __props__ = ("name", "fn")

    def __init__(self, name, fn):
        self.name = name
        self.fn = fn

    def make_node(self, x, y):
        if isinstance(x, (int, float)):
            x = g.Constant(double, x)
        if isinstance(y, (int, float)):
            y = g.Constant(double, y)
        if x.type != double or y.type != double:
            raise TypeError(f"{self.name} only works on doubles")
        return g.Apply(self, [x, y], [double()])

    def perform(self, node, inp, out):
        x, y = inp
        (z,) = out
        z[0] = self.fn(x, y)

    def __str__(self):
        return self.name


add = BinaryDoubleOp("add", lambda x, y: x + y)
sub = BinaryDoubleOp("sub", lambda x, y: x - y)
mul = BinaryDoubleOp("mul", lambda x, y: x * y)
div = BinaryDoubleOp("div", lambda x, y: x / y)


def test_the_function_of_the_manual():
    x, y, z = double("x"), double("y"), double("z")
    a = add(x, y)
    b = mul(a, z)
    f = g.function([x, y, z], b, linker="perform")
    assert f(1.0, 2.0, 3.0) == 9.0
    assert f(1, 2, 3) == 9.0
    assert f(z=1, x=2, y=5) == 7.0


def test_constants():
    x = double("x")
    f = g.function([x], mul(add(x, 2), 0.5), linker="perform")
    assert f(6.0) == 4.0


def test_types():
    assert str(double) == "double"
    assert double("x").name == "x" and double("x").type is double
    assert double.is_valid_value(1.0) and not double.is_valid_value(1)
    assert double.values_eq_approx(1.0, 1.00001)
    assert repr(double("x")) == "<x: double>"
    # Without properties, two types are two types.
    assert Double() != Double()


def test_ops_are_equal_by_properties():
    again = BinaryDoubleOp("add", add.fn)
    assert again == add and hash(again) == hash(add)
    assert BinaryDoubleOp("add", sub.fn) != add


def test_functions_put_into_a_type():
    """The manual defines the methods of an instance, first."""
    made = g.Type()

    def c_declare(name, sub):
        return "double %s;" % name

    made.c_declare = c_declare
    made.filter = lambda x, strict=False, allow_downcast=None: x
    assert made.c_declare("V1", {}) == "double V1;"
    f = g.function([x := made("x")], x, linker="perform")
    assert f([1]) == [1]


def test_undefined_methods():
    with pytest.raises(g.MethodNotDefined, match=r"double \(Double\) does not define c_literal"):
        double.c_literal(1.0)
    with pytest.raises(AttributeError):
        add.c_code(None, "name", [], [], {})
    with pytest.raises(NotImplementedError):
        g.Type().filter(1)
    assert double.c_headers() == [] and double.c_code_cache_version() == ()
    assert "Py_None" in double.c_extract_out("V1", {"fail": "goto fail;"})


def test_the_op_refuses():
    with pytest.raises(TypeError, match="add only works on doubles"):
        add(double("x"), g.scalar("y"))


class Both(g.Op):
    """Two outputs."""

    itypes = (double, double)
    otypes = (double, double)

    def perform(self, node, inputs, storage):
        storage[0][0] = inputs[0] + inputs[1]
        storage[1][0] = inputs[0] - inputs[1]


class First(Both):
    default_output = 0


def test_several_outputs():
    x, y = double("x"), double("y")
    a, b = Both()(x, y)
    assert g.function([x, y], [a, b], linker="perform")(5, 3) == [8.0, 2.0]
    named = First()(x, 1.5, name="first")
    assert named.name == "first" and named.owner.out is named
    assert g.function([x], named, linker="perform")(5) == 6.5
    assert [v.index for v in Both()(x, y, return_list=True)] == [0, 1]
    assert len(First()(x, y, return_list=True)) == 1


def test_the_number_and_types_of_inputs():
    with pytest.raises(TypeError, match="Both takes 2 inputs, got 1"):
        Both()(double("x"))
    with pytest.raises(TypeError, match="Both: input 1: .* is of type float64, and must be of"):
        Both()(double("x"), g.scalar("y"))


class Silent(g.Op):
    itypes = (double,)
    otypes = (double,)

    def perform(self, node, inputs, storage):
        pass


def test_an_op_that_sets_nothing():
    x = double("x")
    f = g.function([x], Silent()(x), linker="perform", name="f")
    with pytest.raises(ValueError, match="perform of Silent has not set output 0"):
        f(1.0)


def test_an_op_that_cannot_be_performed():
    class Nothing(g.Op):
        itypes = (double,)
        otypes = (double,)

    x = double("x")
    with pytest.raises(NotImplementedError, match="nor perform"):
        g.function([x], Nothing()(x), linker="perform")


def test_apply_checks_its_variables():
    x, y = double("x"), double("y")
    with pytest.raises(TypeError, match="the inputs of add must be variables, not float"):
        g.Apply(add, [x, 1.0], [double()])
    with pytest.raises(ValueError, match="an output of add must be a new variable"):
        g.Apply(add, [x, y], [add(x, y)])
    with pytest.raises(TypeError, match="the outputs of an Apply are a list"):
        g.Apply(add, [x, y], double())
