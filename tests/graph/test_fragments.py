"""The values that C fragments see, and the messages about mistakes in them."""

import subprocess
import sys
import textwrap
from pathlib import Path

import fishplate.graph as g
import numpy
import numpy as np
import pytest
from fishplate import _native
from support import same

CompileError = _native.CompileError


class VectorTimesScalar(g.Op):
    """The op of Theano's manual, "Extending Theano with a C Op", as it is printed there."""

    __props__ = ()

    def make_node(self, x, y):
        # Validate the inputs' type
        if x.type.ndim != 1:
            raise TypeError("x must be a 1-d vector")
        if y.type.ndim != 0:
            raise TypeError("y must be a scalar")

        # Create an output variable of the same type as x
        output_var = x.type()

        return g.Apply(self, [x, y], [output_var])

    def c_code_cache_version(self):
        return (1, 0)

    def c_code(self, node, name, inp, out, sub):
        x, y = inp
        (z,) = out

        # Extract the dtypes of the inputs and outputs storage to
        # be able to declare pointers for those dtypes in the C
        # code.
        dtype_x = node.inputs[0].dtype
        dtype_y = node.inputs[1].dtype
        dtype_z = node.outputs[0].dtype

        itemsize_x = numpy.dtype(dtype_x).itemsize
        itemsize_z = numpy.dtype(dtype_z).itemsize

        fail = sub["fail"]

        c_code = """
        // Validate that the output storage exists and has the same
        // dimension as x.
        if (NULL == %(z)s ||
            PyArray_DIMS(%(x)s)[0] != PyArray_DIMS(%(z)s)[0])
        {
            /* Reference received to invalid output variable.
            Decrease received reference's ref count and allocate new
            output variable */
            Py_XDECREF(%(z)s);
            %(z)s = (PyArrayObject*)PyArray_EMPTY(1,
                                                PyArray_DIMS(%(x)s),
                                                PyArray_TYPE(%(x)s),
                                                0);

            if (!%(z)s) {
                %(fail)s;
            }
        }

        // Perform the vector multiplication by a scalar
        {
            /* The declaration of the following variables is done in a new
            scope to prevent cross initialization errors */
            npy_%(dtype_x)s* x_data_ptr =
                            (npy_%(dtype_x)s*)PyArray_DATA(%(x)s);
            npy_%(dtype_z)s* z_data_ptr =
                            (npy_%(dtype_z)s*)PyArray_DATA(%(z)s);
            npy_%(dtype_y)s y_value =
                            ((npy_%(dtype_y)s*)PyArray_DATA(%(y)s))[0];
            int x_stride = PyArray_STRIDES(%(x)s)[0] / %(itemsize_x)s;
            int z_stride = PyArray_STRIDES(%(z)s)[0] / %(itemsize_z)s;
            int x_dim = PyArray_DIMS(%(x)s)[0];

            for(int i=0; i < x_dim; i++)
            {
                z_data_ptr[i * z_stride] = (x_data_ptr[i * x_stride] *
                                            y_value);
            }
        }
        """

        return c_code % locals()


def test_the_op_of_the_manual():
    for dtype in ("float64", "float32", "int64"):
        x, y = g.vector("x", dtype=dtype), g.scalar("y", dtype=dtype)
        a = np.arange(5).astype(dtype)
        f = g.function([x, y], VectorTimesScalar()(x, y))
        same(f(a, 3), a * 3)
        same(f(a[::-2], 2), a[::-2] * 2)
        # With a constant, with a computed value, and among built-in ops.
        same(g.function([x], VectorTimesScalar()(x, g.as_variable(2, dtype)))(a), a * 2)
        h = g.function([x, y], VectorTimesScalar()(x + 1, y * y).sum())
        assert h(a, 3) == ((a + 1) * 9).sum()


class Total(g.Op):
    """A rank-0 result as an array, and an input of rank 0 that may be either."""

    __props__ = ("numbers_as_arrays",)

    def __init__(self, numbers_as_arrays=None):
        self.numbers_as_arrays = numbers_as_arrays

    def make_node(self, x, y):
        return g.Apply(self, [x, y], [x.type(), g.vector().type()])

    def c_code_cache_version(self):
        return (1,)

    def c_code(self, node, name, inputs, outputs, sub):
        (x, y), (z, w) = inputs, outputs
        return f"""
            npy_intp dims[1] = {{2}};
            if ({z} == NULL) {{
                {z} = (PyArrayObject*)PyArray_ZEROS(0, NULL, NPY_FLOAT64, 0);
                if ({z} == NULL) {sub["fail"]}
            }}
            *(double *)PyArray_DATA({z}) = 1 + *(double *)PyArray_DATA({x});
            Py_XDECREF({w});
            {w} = (PyArrayObject*)PyArray_ZEROS(1, dims, NPY_FLOAT64, 0);
            *(double *)PyArray_GETPTR1({w}, 1) = *(double *)PyArray_DATA({y});
        """


@pytest.mark.parametrize("asked", [None, True])
def test_results_of_rank_0(asked):
    x, y = g.scalar("x"), g.scalar("y")
    z, w = Total(asked)(x, y)
    f = g.function([x, y], [z, w, z * 2])
    for _ in range(3):
        one, two, three = f(2.0, 5.0)
        assert (one, three) == (3.0, 6.0) and type(one) is float
        same(two, [0, 5])
    z, w = Total(asked)(x, x)
    assert g.function([x], z)(1.0) == 2.0


def test_numbers_stay_numbers():
    class Scaled(g.Op):
        __props__ = ()

        def make_node(self, x, y):
            return g.Apply(self, [x, y], [y.type()])

        def c_code(self, node, name, inputs, outputs, sub):
            # `y` through a macro, and not as an argument.
            return f"{outputs[0]} = PyArray_DIMS({inputs[0]})[0] * {inputs[1]};"

        def c_code_cache_version(self):
            return (1,)

    x, y = g.vector("x"), g.scalar("y")
    assert g.function([x, y], Scaled()(x, y))([1, 2, 3], 2.0) == 6


def test_types_of_fragments():
    kind = g.TensorType("float32", (None,))
    assert kind.dtype_specs() == (np.float32, "npy_float32", "NPY_FLOAT32")
    assert kind.c_element_type() == "npy_float32"
    assert g.TensorType("float64").dtype_specs() == (float, "npy_float64", "NPY_FLOAT64")
    assert g.Type().c_element_type() is None


# ---- Messages --------------------------------------------------------------------------------


class Coded(g.Op):
    """Returns its input, in C that a test sets."""

    __props__ = ("code",)

    def __init__(self, code="%(z)s = %(x)s;", **methods):
        self.code = code
        self.__dict__.update(methods)

    def make_node(self, x):
        return g.Apply(self, [x], [x.type()])

    def c_code(self, node, name, inputs, outputs, sub):
        return self.code % {"x": inputs[0], "z": outputs[0], "fail": sub["fail"]}

    def c_code_cache_version(self):
        return (1,)


def refuse(text="not in my house"):
    def method(*arguments):
        raise NotImplementedError(text)

    return method


def test_missing_c_has_a_reason():
    x = g.scalar("x")
    with pytest.raises(NotImplementedError, match="^only for float32") as caught:
        g.function([x], Coded(c_code=refuse("only for float32"))(x))
    notes = "\n".join(caught.value.__notes__)
    assert "c_code in" in notes and "test_fragments.py" in notes


def test_ops_that_refuse_a_node_are_performed():
    class Both(Coded):
        def perform(self, node, inputs, storage):
            storage[0][0] = inputs[0] + 1

    x = g.scalar("x")
    assert g.function([x], Both(c_code=refuse())(x))(1.0) == 2
    # Other methods do not refuse a node: their exceptions are mistakes.
    for method in ("c_support_code", "c_headers", "c_init_code", "c_code_cleanup", "c_libraries"):
        with pytest.raises(NotImplementedError, match="not in my house") as caught:
            g.function([x], Both(**{method: refuse()})(x))
        assert method in "\n".join(caught.value.__notes__)


def test_foreign_objects_that_lack_methods():
    class Bare(g.Type):
        pass

    class Nested(g.Type):
        def filter(self, value, strict=False, allow_downcast=None):
            return value

        def c_declare(self, name, sub, check_input=True):
            return Bare().c_declare(name, sub, check_input)

    n = Nested()()

    class Pass(Coded):
        def make_node(self, x):
            return g.Apply(self, [x], [g.scalar().type()])

    with pytest.raises(NotImplementedError, match="Bare.* does not define c_declare"):
        g.function([n], Pass("%(z)s = 1;")(n))


@pytest.mark.parametrize("code", ["%(z)s = %(x)s; }", "{ %(z)s = %(x)s;", "if (1) } {{"])
def test_braces_are_reported_at_their_author(code):
    x = g.scalar("x")
    y = Coded(code)(x * 2) + Coded()(x)
    with pytest.raises(CompileError, match="brace is (left open|closed that)") as caught:
        g.function([x], y)
    text = str(caught.value)
    assert "Coded" in text and "c_code in" in text and "c_extract" not in text
    assert "test_fragments.py" in "\n".join(caught.value.__notes__)


MADE = "Py_XDECREF(%(z)s); %(z)s = (PyArrayObject *){};"


@pytest.mark.parametrize(
    "made, says",
    [
        (
            "PyArray_ZEROS(2, PyArray_DIMS(%(x)s), NPY_FLOAT64, 0)",
            "and rank 1, got float64 and rank 2",
        ),
        (
            "PyArray_ZEROS(1, PyArray_DIMS(%(x)s), NPY_FLOAT32, 0)",
            "of float64 and rank 1, got float32",
        ),
        ("PyList_New(0)", "expected an ndarray, got list"),
    ],
)
@pytest.mark.parametrize("last", [True, False])
def test_outputs_of_c_are_checked(made, says, last):
    x = g.matrix("x")[0]
    y = Coded(MADE.format(made))(x)
    f = g.function([x], y if last else y + 1)
    with pytest.raises(TypeError, match=says) as caught:
        f([1.0, 2.0])
    assert "Coded" in caught.value.__notes__[0] and "test_fragments.py" in caught.value.__notes__[0]


class Performed(g.Op):
    def __init__(self, value, kind):
        self.value, self.kind = value, kind

    def make_node(self, x):
        return g.Apply(self, [x], [self.kind()])

    def perform(self, node, inputs, storage):
        storage[0][0] = self.value


VECTOR, NUMBER = g.TensorType("float64", (None,)), g.TensorType("float64")


@pytest.mark.parametrize("linker", ["perform", "c"])
def test_outputs_of_perform_are_checked(linker):
    x = g.scalar("x")
    wrong = [
        (np.zeros(2, "f4"), VECTOR, "float32\\[2\\]"),
        (np.zeros((2, 1)), VECTOR, "float64\\[2, 1\\]"),
        ([1.0], VECTOR, "list"),
        ("str", VECTOR, "str"),
        (np.float32(1), NUMBER, "float32"),
        (np.zeros(1), NUMBER, "float64\\[1\\]"),
        (np.zeros(3), g.TensorType("float64", (2,)), "float64\\[3\\]"),
    ]
    for value, kind, says in wrong:
        f = g.function([x], Performed(value, kind)(x), linker=linker)
        with pytest.raises(TypeError, match=f"gave {says} for output 0, which must be") as caught:
            f(1.0)
        assert "In node 0" in caught.value.__notes__[0]
    for value in (np.float64(2), np.array(2.0), 2.0, 2):
        got = g.function([x], Performed(value, NUMBER)(x), linker=linker)(1.0)
        assert got == 2 and type(got) is float


def test_nodes_that_are_none():
    x = g.scalar("x")

    class Same(g.Op):
        def make_node(self, x):
            return g.Apply(self, [x], [x])

    class Twice(g.Op):
        def make_node(self, x):
            y = x.type()
            return g.Apply(self, [x], [y, y])

    class Nothing(g.Op):
        def make_node(self, x):
            g.Apply(self, [x], [x.type()])

    with pytest.raises(ValueError, match="is an input and an output .* x.type()"):
        Same()(x)
    with pytest.raises(ValueError, match="twice among the outputs"):
        Twice()(x)
    with pytest.raises(TypeError, match="Nothing.make_node must return an Apply, not None"):
        Nothing()(x)


def test_folders_and_headers(tmp_path):
    (tmp_path / "own.h").write_text("#define OWN 7\n")
    x = g.scalar("x")
    op = Coded(
        "%(z)s = %(x)s + OWN + floor(0.5);",
        c_headers=lambda: ["own.h", "math.h", '"own.h"'],
        c_header_dirs=lambda: [Path(tmp_path)],
    )
    f = g.function([x], op(x))
    assert f(1.0) == 8
    source = next(line for line in f._linked.source.splitlines() if "own.h" in line)
    assert source == "#include <own.h>" and "#include <math.h>" in f._linked.source


def test_unversioned_ops_warn(tmp_path):
    script = """
        import warnings
        import fishplate.graph as g

        class Plain(g.Op):
            __props__ = ("version",)
            def __init__(self, version):
                self.version = version
            def make_node(self, x):
                return g.Apply(self, [x], [x.type()])
            def c_code(self, node, name, inputs, outputs, sub):
                return f"{outputs[0]} = {inputs[0]};"
            def c_code_cache_version(self):
                return self.version
            def __str__(self):
                return f"Plain{self.version}"

        x = g.scalar("x")
        for version, warned in [((), 1), ((1,), 0), (({},), 1), ((object(),), 1), ((), 0)]:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                g.function([x], Plain(version)(x) + len(caught))
            assert len(caught) == warned, (version, caught)
            for one in caught:
                text = str(one.message)
                assert "compiled in every process" in text and "Plain" in text
                assert one.filename == __file__, one.filename
        """
    file = tmp_path / "script.py"
    file.write_text(textwrap.dedent(script))
    subprocess.run([sys.executable, file], check=True)
