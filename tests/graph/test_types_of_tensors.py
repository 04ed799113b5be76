"""Types made of `TensorType`: subclasses that extend its methods, and types that call them."""

import fishplate.graph as g
import numpy as np
import pytest

LINKERS = ["c", "c-opwise", "perform"]


class Positive(g.TensorType):
    """No C of its own."""

    def filter(self, data, strict=False, allow_downcast=None):
        data = super().filter(data, strict, allow_downcast)
        if np.any(np.less(data, 0)):
            raise ValueError("a value is negative")
        return data


class Short(g.TensorType):
    """Examined in C."""

    def c_extract(self, name, sub, check_input=True):
        extract = super().c_extract(name, sub, check_input)
        return f"""{extract}
            if (PyArray_SIZE({name}) > 4) {{
                PyErr_SetString(PyExc_ValueError, "more than 4");
                {sub["fail"]}
            }}"""

    def c_code_cache_version(self):
        return (1, super().c_code_cache_version())


class Below(g.TensorType):
    """A number, examined in C."""

    def c_extract(self, name, sub, check_input=True):
        extract = super().c_extract(name, sub)
        return f"""{extract}
            if ({name} >= 100) {{
                PyErr_SetString(PyExc_ValueError, "100 or more");
                {sub["fail"]}
            }}"""

    def c_code_cache_version(self):
        return (1, super().c_code_cache_version())


class Counted(g.TensorType):
    """In other variables in C: the array and its size."""

    def c_declare(self, name, sub, check_input=True):
        return super().c_declare(name, sub) + f"\nnpy_intp count_{name};"

    def c_init(self, name, sub):
        return super().c_init(name, sub) + f"\ncount_{name} = 0;"

    def c_extract(self, name, sub, check_input=True):
        return super().c_extract(name, sub) + f"\ncount_{name} = PyArray_SIZE({name});"

    def c_code_cache_version(self):
        return (1, super().c_code_cache_version())


class Double(g.Op):
    __props__ = ()

    def make_node(self, x):
        return g.Apply(self, [x], [x.type()])

    def c_code(self, node, name, inputs, outputs, sub):
        (x,), (z,) = inputs, outputs
        return f"""
            Py_XDECREF({z});
            {z} = (PyArrayObject *)PyNumber_Add((PyObject *){x}, (PyObject *){x});
            if ({z} == NULL) {{ {sub["fail"]} }}"""

    def c_code_cache_version(self):
        return (1,)

    def perform(self, node, inputs, outputs):
        outputs[0][0] = inputs[0] + inputs[0]


class Half(Double):
    def c_code(self, node, name, inputs, outputs, sub):
        return f"{outputs[0]} = {inputs[0]} / 2;"

    def perform(self, node, inputs, outputs):
        outputs[0][0] = inputs[0] / 2


class Size(Double):
    """Of a `Counted`."""

    def make_node(self, x):
        return g.Apply(self, [x], [g.TensorType("int64", ())()])

    def c_code(self, node, name, inputs, outputs, sub):
        return f"{outputs[0]} = count_{inputs[0]};"

    def perform(self, node, inputs, outputs):
        outputs[0][0] = np.size(inputs[0])


@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("shape", [(), (None,)])
def test_filter_of_a_subclass_is_called(linker, shape):
    x = Positive("float64", shape)("x")
    f = g.function([x], x * 2 + 1, linker=linker)
    given = np.array([1.0, 2.0]) if shape else 1.0
    assert np.array_equal(f(given), given * 2 + 1)
    with pytest.raises(ValueError, match=r"argument 'x': a value is negative"):
        f(-given)
    with pytest.raises(ValueError, match="a value is negative"):
        Positive("float64", shape).make_constant(-given)


@pytest.mark.parametrize("linker", LINKERS)
def test_c_of_a_subclass_is_used(linker):
    x = Short("float64", (None,))("x")
    for graph in (Double()(x), x * 2, g.exp(Double()(x * 2)) + Double()(x), x):
        f = g.function([x], graph, linker=linker)
        assert f([1.0, 2.0]).shape == (2,)
        if linker == "c":
            with pytest.raises(ValueError, match="more than 4") as raised:
                f(np.zeros(5))
            assert "c_extract of <x: float64[?]>" in raised.value.__notes__[0]
    with pytest.raises(ValueError, match=r"type float64\[\?\]"):
        g.function([x], x * 2).export("short")


@pytest.mark.parametrize("linker", LINKERS)
def test_numbers_of_a_subclass(linker):
    x = Below("float64", ())("x")
    f = g.function([x], [Half()(x) + 1, x * 3], linker=linker)
    assert f(3.0) == [2.5, 9.0]
    if linker == "c":
        with pytest.raises(ValueError, match="100 or more"):
            f(100.0)


@pytest.mark.parametrize("linker", LINKERS)
def test_other_variables_in_c(linker):
    """Built-in ops do not support these: they are computed by NumPy."""
    x = Counted("float64", (None, None))("x")
    assert g.function([x], Size()(x), linker=linker)(np.ones((2, 3))) == 6
    size, doubled = g.function([x], [Size()(x) + 1, x * 2], linker=linker)(np.ones((2, 3)))
    assert size == 7 and np.array_equal(doubled, np.full((2, 3), 2.0))


class Pair(g.Type):
    """Two tensors, whose C is that of their types."""

    parts = (g.TensorType("float64", (None,)), g.TensorType("int64", ()))

    def filter(self, data, strict=False, allow_downcast=None):
        return tuple(part.filter(one) for part, one in zip(self.parts, data, strict=True))

    def names(self, name):
        return [(part, f"{name}_{k}") for k, part in enumerate(self.parts)]

    def c_declare(self, name, sub, check_input=True):
        return "\n".join(
            f"PyObject *py_{own};\n{part.c_declare(own, sub, check_input)}"
            for part, own in self.names(name)
        )

    def c_init(self, name, sub):
        return "\n".join(part.c_init(own, sub) for part, own in self.names(name))

    def c_extract(self, name, sub, check_input=True):
        return self.c_init(name, sub) + "\n".join(
            f"py_{own} = PyTuple_GET_ITEM(py_{name}, {k});\n{part.c_extract(own, sub)}"
            for k, (part, own) in enumerate(self.names(name))
        )

    def c_cleanup(self, name, sub):
        return "\n".join(part.c_cleanup(own, sub) for part, own in self.names(name))

    def c_sync(self, name, sub):
        return ""

    def c_headers(self):
        return [header for part in self.parts for header in part.c_headers()]

    def c_init_code(self):
        return self.parts[0].c_init_code()

    def c_code_cache_version(self):
        return (1, *(part.c_code_cache_version() for part in self.parts))


class Pick(g.Op):
    __props__ = ()

    def make_node(self, pair):
        return g.Apply(self, [pair], [g.TensorType("float64", ())()])

    def c_code(self, node, name, inputs, outputs, sub):
        (x,), (z,) = inputs, outputs
        return f"{z} = *(npy_float64 *)PyArray_GETPTR1({x}_0, {x}_1);"

    def c_code_cache_version(self):
        return (1,)


def test_a_type_made_of_tensors():
    pair = Pair()("pair")
    f = g.function([pair], Pick()(pair) * 2)
    assert f(([1.0, 2.0, 4.0], 2)) == 8.0
    with pytest.raises(TypeError, match="wanted float64"):
        f((["one"], 2))
    assert f.c_source().count("fp_check_array(py_") == 1


def test_texts_of_tensors():
    vector, number = g.TensorType("float32", (3,)), g.TensorType("int64", ())
    sub = {"fail": "goto out;"}
    assert vector.c_declare("x", sub) == "PyArrayObject *x;"
    assert "fp_check_dim(py_x, 0, 3)" in vector.c_extract("x", sub)
    assert "fp_check" not in vector.c_extract("x", sub, False)
    assert "goto out;" in vector.c_sync("x", sub) and vector.c_cleanup("x", sub)
    assert number.c_declare("k", sub) == "npy_int64 k;" and number.c_cleanup("k", sub) == ""
    assert number.c_literal(-3) == "(npy_int64)-3LL" and number.c_is_simple()
    with pytest.raises(NotImplementedError, match="does not define c_literal"):
        vector.c_literal(np.zeros(3))
    assert vector.has_c_code() and vector.is_built_in() and not Short().is_built_in()
