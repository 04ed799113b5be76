"""Functions: arguments, results, updates, givens, and error messages."""

import re
import threading
import warnings

import fishplate.graph as g
import numpy as np
import pytest
from support import LINKERS, same

pytestmark = pytest.mark.parametrize("linker", LINKERS)


def test_forms_of_results(linker):
    x, y = g.scalar("x"), g.scalar("y")
    assert g.function([x, y], x + y, linker=linker)(1, 2) == 3.0
    assert g.function([x, y], [x + y], linker=linker)(1, 2) == [3.0]
    assert g.function([x, y], (x + y, x), linker=linker)(1, 2) == [3.0, 1.0]
    assert g.function([x, y], {"s": x + y, "x": x}, linker=linker)(1, 2) == {"s": 3.0, "x": 1.0}
    assert g.function([], [], linker=linker)() is None
    assert g.function([], None, linker=linker)() is None
    assert g.function([], 5, linker=linker)() == 5


def test_empty_lists_are_arrays_of_any_dtype(linker):
    for dtype in ["bool", "int8", "uint64", "float32", "complex128"]:
        v = g.vector("v", dtype=dtype)
        result = g.function([v], v, linker=linker)([])
        assert result.dtype == dtype and result.shape == (0,)
    m = g.matrix("m", dtype="int64")
    assert g.function([m], m.sum(axis=1), linker=linker)([[], []]).tolist() == [0, 0]


def test_results_are_pythons_numbers_or_numpys(linker):
    for dtype, kind in [
        ("float64", float), ("int64", int), ("bool", bool), ("complex128", complex),
        ("float32", np.float32), ("uint8", np.uint8),
    ]:  # fmt: skip
        x = g.scalar("x", dtype)
        f = g.function([x], [x, g.square(x) if dtype != "bool" else ~x], linker=linker)
        for given in (1, np.array(1, dtype), np.dtype(dtype).type(1)):
            if dtype == "bool" and type(given) is int:
                continue
            assert [type(value) for value in f(given)] == [kind, kind]
    m = g.matrix("m")
    assert type(g.function([m], m.sum(0), linker=linker)(np.ones((2, 2)))) is np.ndarray


def test_arguments(linker):
    x, y = g.vector("x"), g.scalar("y")
    f = g.function([x, g.In(y, value=2)], x * y, linker=linker, name="scale")
    same(f([1, 2]), [2, 4])
    same(f([1, 2], 3), [3, 6])
    same(f(y=3, x=(1.5,)), [4.5])
    same(f(np.array([1, 2], "int8"), np.float32(2)), [2, 4])
    for args, kwargs, kind, text in [
        ((), {}, TypeError, "scale(x, y=2.0) missing required argument 'x'"),
        (([1], 2, 3), {}, TypeError, "scale() takes 2 positional arguments, got 3"),
        (([1],), {"z": 1}, TypeError, "scale(x, y=2.0) got an unexpected keyword argument 'z'"),
        (([1],), {"x": 1}, TypeError, "scale(x, y=2.0) got multiple values for argument 'x'"),
        (
            (1.0,),
            {},
            TypeError,
            "scale(): argument 'x': wanted float64[?], of 1 dimension, got float",
        ),
        (("a",), {}, TypeError, "scale(): argument 'x': wanted float64[?], got str"),
        ((None,), {}, TypeError, "scale(): argument 'x': wanted float64[?], got None"),
        (([1], 1j), {}, TypeError, "scale(): argument 'y': wanted float64, got complex"),
        (([1], [1.0]), {}, TypeError, "scale(): argument 'y': wanted float64, of 0 dimensions"),
        (([1j],), {}, TypeError, "scale(): argument 'x': wanted float64[?], got list"),
        (
            ([[1], [1, 2]],),
            {},
            (TypeError, ValueError),
            "scale(): argument 'x': wanted float64[?], got list",
        ),
        ((x,), {}, TypeError, "scale(): argument 'x': wanted a value, got the variable <x: "),
    ]:
        with pytest.raises(kind, match=re.escape(text) if linker == "perform" else "scale"):
            f(*args, **kwargs)


def test_casts_of_arguments(linker):
    x = g.vector("x", "float32")
    f = g.function([x], x, linker=linker)
    assert f([1.5, 2]).dtype == "float32"
    assert f(np.array([1, 2], "int16")).dtype == "float32"
    with pytest.raises(TypeError, match="argument 'x': wanted .*float32.*, got .*float64.*2"):
        f(np.zeros(2))
    same(f([np.float64(1), np.float64(2)]), [1, 2])
    assert g.function([x], x, linker=linker, allow_input_downcast=True)(np.zeros(2)).size == 2
    assert g.function([g.In(x, allow_downcast=True)], x, linker=linker)(np.zeros(2)).size == 2
    with pytest.raises(TypeError, match="wanted exactly"):
        g.function([g.In(x, strict=True)], x, linker=linker)([1.0])
    s = g.scalar("s", "float32")
    assert g.function([s], s, linker=linker)(0.1) == np.float32(0.1)
    u = g.scalar("u", "uint8")
    h = g.function([u], u, linker=linker)
    assert h(255) == 255
    with pytest.raises(OverflowError, match="argument 'u'"):
        h(256)
    with pytest.raises(OverflowError, match="argument 'u'"):
        h(-1)
    with pytest.raises(TypeError, match="wanted .*uint8.*, got float"):
        h(1.0)
    i = g.scalar("i", "int64")
    with pytest.raises(OverflowError):
        g.function([i], i, linker=linker)(2**63)
    b = g.scalar("b", "bool")
    assert g.function([b], ~b, linker=linker)(True) is False
    with pytest.raises(TypeError, match="wanted (bool|True or False), got int"):
        g.function([b], b, linker=linker)(1)


def test_strides_and_byte_order(linker):
    m = g.matrix("m")
    f = g.function([m], m * 2, linker=linker)
    x = np.arange(24.0).reshape(4, 6)
    for array in (x, x.T, x[::-2, 1:4], np.asfortranarray(x), x.astype(">f8"), x[:0]):
        same(f(array), array * 2)


def test_missing_values_are_refused(linker):
    x, n = g.vector("x"), g.scalar("n")
    f = g.function([x, n], x * n, linker=linker, name="f")
    masked = np.ma.array([1.0, 2.0], mask=[0, 1])
    same(f(np.ma.array([1.0, 2.0]), 2.0), np.array([2.0, 4.0]))
    for value in (masked, [1.0, np.ma.masked]):
        with pytest.raises(ValueError, match=r"f\(\): argument 'x': .*has missing values"):
            f(value, 2.0)
    with pytest.raises(ValueError, match=r"f\(\): argument 'n': .*has missing values"):
        f([1.0], np.ma.array(1.0, mask=True))
    for make in (g.constant, g.shared, g.as_variable):
        make(np.ma.array([1.0, 2.0]))
        with pytest.raises(ValueError, match="has missing values"):
            make(masked)
    with pytest.raises(ValueError, match="has missing values"):
        x + masked


def test_truth_values_of_any_byte(linker):
    odd = np.array([1, 2, 0, 255], np.uint8).view(bool)
    b, n = g.vector("b", "bool"), g.vector("n", "int64")
    f = g.function([b, n], [b * n, b * g.constant(odd)], linker=linker)
    for array in (odd, np.resize(odd.view(np.uint8), 8).view(bool)[::2]):
        product, same_again = f(array, np.arange(4))
        same(product, (array.view(np.uint8) != 0) * np.arange(4))
        assert same_again.view(np.uint8).max() <= 1


def test_static_shapes_are_checked(linker):
    x = g.tensor("x", shape=(2, None))
    f = g.function([x], x, linker=linker, name="f")
    with pytest.raises(ValueError) as caught:
        f(np.zeros((3, 2)))
    assert re.fullmatch(
        r"f\(\): argument 'x': .*dimension 0 .*is 3, but must be 2", str(caught.value)
    )
    with pytest.raises(ValueError, match="wanted 2 sizes, got 1"):
        g.matrix("m", shape=(2,))


def test_inputs_that_are_missing(linker):
    x, y = g.vector("x"), g.vector("y")
    with pytest.raises(g.MissingInputError) as caught:
        g.function([x], g.exp(x * y), linker=linker, name="f")
    text = str(caught.value)
    assert text.startswith("f(): 1 variable is needed, but not among the inputs: <y: float64[?]>")
    assert 'x, y = g.vector("x"), g.vector("y")' in text
    assert "g.exp(x * y)" in text


def test_inputs_that_are_not_used(linker):
    x, y = g.vector("x"), g.vector("y")
    with pytest.raises(g.UnusedInputError, match="argument 'y' is not used: <y: float64"):
        g.function([x, y], x, linker=linker)
    with pytest.warns(UserWarning, match="argument 'y' is not used"):
        g.function([x, y], x, linker=linker, on_unused_input="warn")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        f = g.function([x, y], x, linker=linker, on_unused_input="ignore")
    same(f([1], [2, 3]), [1])
    with pytest.raises(ValueError, match="on_unused_input 'no'"):
        g.function([x], x, linker=linker, on_unused_input="no")


def test_wrong_inputs(linker):
    x = g.vector("x")
    for inputs, kind, text in [
        (x, TypeError, "inputs must be a list of variables, not TensorVariable"),
        ([1], TypeError, "an input must be a variable, not int"),
        ([x, x], ValueError, "twice among the inputs"),
        ([g.constant(1)], TypeError, "a constant cannot be an input"),
        ([g.shared(1, "s")], TypeError, "a shared variable is an input already: <s: int64>"),
    ]:
        with pytest.raises(kind, match=text):
            g.function(inputs, x, linker=linker)
    with pytest.raises(TypeError, match="must be variables|is not an array of numbers"):
        g.function([x], "x", linker=linker)


def test_names_that_are_taken_twice(linker):
    a, b = g.scalar("x"), g.scalar("x")
    f = g.function([a, b], a - b, linker=linker)
    assert f(3, 1) == 2
    with pytest.raises(TypeError, match="more than one argument is named 'x'"):
        f(1, x=2)
    assert g.function([g.In(a, name="a"), b], a - b, linker=linker)(a=3, x=1) == 2


def test_linkers_have_names(linker):
    with pytest.raises(ValueError, match="linker 'jit' is not one of 'c', 'c-opwise', 'perform'"):
        g.function([], 1, linker="jit")


def test_an_input_in_the_middle(linker):
    x = g.vector("x")
    y = x * 2
    z = y + 1
    same(g.function([y], z, linker=linker)([1, 2]), [2, 3])
    same(g.function([x, y], x + z, linker=linker)([1, 2], [10, 20]), [12, 23])


def test_updates(linker):
    s = g.shared(0, "s")
    x = g.scalar("x", "int64")
    f = g.function([x], s, updates={s: s + x}, linker=linker)
    assert [f(1), f(10), f(100)] == [0, 1, 11] and s.get_value() == 111
    a, b = g.shared(np.zeros(2), "a"), g.shared(np.ones(2), "b")
    swap = g.function([], None, updates=[(a, b), (b, a)], linker=linker)
    swap()
    same(a.get_value(), [1, 1])
    same(b.get_value(), [0, 0])
    a.get_value(borrow=True)[0] = 7
    same(b.get_value(), [0, 0])
    g.function([], None, updates={a: 5 * a}, linker=linker)()
    same(a.get_value(), [35, 5])


def test_wrong_updates(linker):
    s = g.shared(np.zeros(2), "s")
    x = g.vector("x")
    with pytest.raises(TypeError, match="only shared variables can be updated, not <x"):
        g.function([x], x, updates={x: x}, linker=linker)
    with pytest.raises(TypeError) as caught:
        g.function([], None, updates={s: s.sum()}, linker=linker)
    assert "the update of <s: float64[?]>, made at" in str(caught.value)
    assert "of type float64, and must be of type float64[?]" in str(caught.value)
    with pytest.raises(ValueError, match="is updated twice"):
        g.function([], None, updates=[(s, s), (s, s)], linker=linker)


def test_a_call_that_fails_updates_nothing(linker):
    s, x = g.shared(np.zeros(2), "s"), g.vector("x")
    t = g.shared(0, "t")
    f = g.function([x], None, updates={t: t + 1, s: s + x}, linker=linker)
    with pytest.raises(ValueError):
        f([1, 2, 3])
    assert t.get_value() == 0


def test_shared_variables(linker):
    value = np.arange(3.0)
    s = g.shared(value, "s")
    value[0] = 9
    same(s.get_value(), [0, 1, 2])
    s.get_value()[0] = 9
    same(s.get_value(), [0, 1, 2])
    kept = g.shared(value, borrow=True)
    assert kept.get_value(borrow=True) is value
    f = g.function([], s * 2, linker=linker)
    s.set_value([5, 6])
    same(f(), [10, 12])
    with pytest.raises(TypeError, match=r"wanted float64\[\?\]"):
        s.set_value(1.0)
    with pytest.raises(TypeError, match="not the variable"):
        g.shared(g.vector("x"))
    assert g.function([], g.shared(2.5) + 1, linker=linker)() == 3.5


def test_givens(linker):
    x, y = g.vector("x"), g.vector("y")
    same(g.function([y], x * 2, givens={x: y + 1}, linker=linker)([1, 2]), [4, 6])
    # All are replaced at once: the replacements themselves are unchanged.
    same(g.function([x], x * 2, givens=[(x, x + 1)], linker=linker)([1, 2]), [4, 6])
    same(g.function([x, y], x - y, givens={x: y, y: x}, linker=linker)([1, 2], [10, 20]), [9, 18])
    z = x * 2
    same(g.function([y], z + 1, givens={z: y}, linker=linker)([1, 2]), [2, 3])
    same(g.function([], x + 1, givens={x: np.zeros(2)}, linker=linker)(), [1, 1])
    s = g.shared(np.zeros(2))
    g.function([y], None, updates={s: s + x}, givens={x: y}, linker=linker)([1, 2])
    same(s.get_value(), [1, 2])
    # A known shape propagates.
    f = g.function([t := g.tensor("t", shape=(2,))], x + 1, givens={x: t}, linker=linker)
    assert f.graph.outputs[0].type.shape == (2,)
    with pytest.raises(TypeError, match="must be of type"):
        g.function([y], x, givens={x: y.sum()}, linker=linker)


def test_errors_name_the_node(linker):
    x, y = g.vector("x"), g.vector("y")
    z = g.exp(x) * y
    f = g.function([x, y], z, linker=linker, name="f")
    with pytest.raises(ValueError) as caught:
        f([1, 2], [1, 2, 3])
    (note,) = caught.value.__notes__
    assert re.search(r"In node \d+ of f\(\): mul\(exp.0, y\)", note)
    assert "input 1 (y): float64[?], got float64, shape (3,), strides (8,)" in note
    assert "z = g.exp(x) * y" in note and "test_errors_name_the_node" in note


def test_an_error_of_an_op_keeps_its_type(linker):
    class Wrong(Exception):
        pass

    class Fails(g.Op):
        def make_node(self, x):
            return g.Apply(self, [x], [x.type()])

        def perform(self, node, inputs, storage):
            raise Wrong("no")

    x = g.vector("x")
    f = g.function([x], Fails()(x), linker=linker)
    with pytest.raises(Wrong, match="no") as caught:
        f([1.0])
    assert "Fails(x)" in caught.value.__notes__[0]
    # The line where the op was applied, not one inside of its make_node.
    assert "f = g.function([x], Fails()(x)" in caught.value.__notes__[0]


def test_cycles(linker):
    x = g.vector("x")
    y = g.exp(x)
    z = g.log(y)
    y.owner.inputs[0] = z
    with pytest.raises(ValueError, match="the graph has a cycle"):
        g.function([x], z, linker=linker)


def test_deep_graphs(linker):
    x = g.scalar("x")
    y = x
    for _ in range(5000):
        y = y + 1
    f = g.function([x], y, linker=linker)
    assert f(0.0) == 5000.0
    assert len(f.dprint("str").splitlines()) == 10001
    assert f.to_dot().count("ellipse") == 5000
    assert len(f._repr_svg_()) > 5000


def test_threads(linker):
    x, s = g.vector("x"), g.shared(0, "s")
    f = g.function([x], [g.exp(x).sum(), x * 2], updates={s: s + 1}, linker=linker)
    wrong = []

    def work(number):
        value = np.full(50, number / 10)
        for _ in range(50):
            total, double = f(value)
            if abs(total - 50 * np.exp(number / 10)) > 1e-9 or (double != 2 * value).any():
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and s.get_value() == 200


def test_variables_have_no_value(linker):
    x = g.vector("x")
    for wrong in (bool, len, list, float, int, complex, lambda v: 1 in v, lambda v: range(v)):
        with pytest.raises(TypeError, match="has no"):
            wrong(x)
    with pytest.raises(TypeError, match="has no value yet"):
        np.asarray(x)
    assert (x == x) is True and (x == g.vector("x")) is False and x in {x}


def test_numpys_functions_make_nodes(linker):
    x = g.matrix("x")
    a = np.arange(6.0).reshape(2, 3)
    both = [
        np.exp, np.sum, np.transpose, np.mean, np.ravel, np.max, np.argmax, np.ones_like,
        lambda x: np.add(x, 1), lambda x: np.add.reduce(x), lambda x: a * x, lambda x:
        np.float64(2) * x,
        lambda x: np.sum(x, axis=1, keepdims=True), lambda x: np.concatenate([x, a]),
        lambda x: np.where(x > 1, x, 0), lambda x: np.clip(x, 1, 2), lambda x: np.dot(x, a.T),
        lambda x: a @ x.T, lambda x: np.tensordot(x, a, 2), lambda x: np.reshape(x, (3, 2)),
    ]  # fmt: skip
    f = g.function([x], [function(x) for function in both], linker=linker)
    for got, function in zip(f(a), both, strict=True):
        same(got, function(a), 1e-14)
    for wrong in (np.sort, np.linalg.inv, np.minimum.accumulate, np.frexp):
        with pytest.raises(TypeError, match="has no counterpart for variables"):
            wrong(x)
    with pytest.raises(TypeError, match="takes no out="):
        np.add(x, 1, out=a)


def test_profile(linker):
    x = g.vector("x")
    f = g.function([x], g.exp(x) + g.exp(-x), linker=linker, profile=True, name="f")
    f(np.zeros(1000))
    f(np.zeros(1000))
    lines = {line.op: line for line in f.profile().by_op()}
    assert lines["exp"].nodes == 2 and lines["exp"].calls == 4
    assert lines["exp"].seconds > 0 and lines["exp"].bytes == 4 * 8000
    assert str(f.profile()).startswith("f: ") and "exp" in str(f.profile())
    assert f.profile()._repr_svg_().startswith("<svg")
    with pytest.raises(ValueError, match="profile=True"):
        g.function([x], x, linker=linker).profile()


def test_pictures(linker):
    import xml.etree.ElementTree as xml

    x = g.vector("a<b")
    f = g.function([x], [g.exp(x) * 2, x], linker=linker)
    for text in (f._repr_svg_(), x._repr_svg_(), (x * 2)._repr_svg_()):
        xml.fromstring(text)
    assert "a&lt;b" in f._repr_svg_()
    assert f.to_dot().startswith("digraph {") and 'label="exp"' in f.to_dot()


def test_trees(linker, capsys):
    x = g.vector("x")
    y = g.exp(x)
    z = (y * y).sum()
    z.name = "z"
    g.dprint(z)
    text = capsys.readouterr().out
    assert text == (
        "sum{axis=0} 'z' #2  float64\n"
        "└─ mul #1  float64[?]\n"
        "   ├─ exp #0  float64[?]\n"
        "   │  └─ x  float64[?]\n"
        "   └─ exp #0  float64[?] ...\n"
    )
    assert g.dprint([y, x], "str", types=False) == "exp #0\n└─ x\nx"
    with pytest.raises(TypeError, match="wanted variables or a function, got int"):
        g.dprint(1)


@pytest.mark.parametrize("count", range(1, 6))
def test_of_a_few_numbers(count, linker):
    inputs = [g.scalar(f"x{k}") for k in range(count)]
    f = g.function(inputs, sum((k + 2.5) * x for k, x in enumerate(inputs)), linker=linker)
    wanted = sum((k + 2.5) * (k + 1) for k in range(count))
    for make in (float, int, np.float64, np.float32, np.array):
        values = [make(k + 1) for k in range(count)]
        assert f(*values) == wanted
        assert f(**{f"x{k}": value for k, value in enumerate(values)}) == wanted
        assert type(f(*values)) is float
    with pytest.raises(TypeError, match="'x0': wanted"):
        f("1", *[1.0] * (count - 1))
    with pytest.raises(TypeError):
        f(*[1.0] * (count + 1))


def test_numbers_that_are_not_needed(linker):
    x, y = g.scalar("x"), g.scalar("y")
    for result, wanted in [(x, 1.5), (y + 1, 3.5)]:
        f = g.function([x, y], result, on_unused_input="ignore", linker=linker)
        assert f(1.5, 2.5) == wanted
