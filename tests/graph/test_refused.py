"""C that cannot be compiled, linked or loaded, and invalid results of methods."""

import shutil

import fishplate.graph as g
import pytest
from fishplate import _native
from test_manual import double


def op(text="%(o)s = %(i)s;", **methods):
    """An op of one double with these methods."""

    def code(self, node, name, inputs, outputs, sub):
        return text % dict(sub, i=inputs[0], o=outputs[0])

    members = {"__props__": (), "itypes": [double], "otypes": [double], "c_code": code}
    return type("Made", (g.Op,), members | methods)()


def linked(made):
    x = double("x")
    return g.function([x], made(x), name="f")


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (op(c_libraries=lambda self: ["nothere"]), "asked for by Made.c_libraries"),
        (op(c_headers=lambda self: ["<nothere.h>"]), "asked for by Made.c_headers"),
        (op(c_compile_args=lambda self: ["-fnonsense"]), "asked for by Made.c_compile_args"),
        (op("if (%(i)s > 0) { %(o)s = 1;"), "a brace is left open"),
        (op(c_compiler=lambda self: "nothere"), "the compiler nothere"),
        (
            op("%(o)s = nowhere(%(i)s);", c_support_code=lambda self: "double nowhere(double);"),
            "defines nowhere\n  used by Made",
        ),
    ],
)
def test_compile_errors_name_their_hook(made, message):
    with pytest.raises(_native.CompileError) as caught:
        linked(made)
    assert message in str(caught.value) and len(str(caught.value).splitlines()) < 8
    if "compiler" not in message:
        assert "test_refused.py" in "".join(caught.value.__notes__)


@pytest.mark.parametrize(
    ("made", "hook", "message"),
    [
        (
            op(c_headers=lambda self: 3),
            "c_headers",
            "string or a list of strings, got int",
        ),
        (op(c_libraries=lambda self: [3]), "c_libraries", "in the list a string, got int"),
        (op(c_code=lambda self, *args: 3), "c_code", "expected a string, got int"),
        (op(c_compiler=lambda self: object), "c_compiler", "expected a string, got type"),
    ],
)
def test_answers_that_are_none(made, hook, message):
    with pytest.raises(TypeError, match=message) as caught:
        linked(made)
    assert hook in "".join(caught.value.__notes__)


def test_modules_that_do_not_load():
    made = op(c_init_code=lambda self: 'if (!PyImport_ImportModule("nothere")) return NULL;')
    with pytest.raises(ModuleNotFoundError, match="nothere") as caught:
        linked(made)
    assert "c_init_code" in "".join(caught.value.__notes__)


@pytest.mark.parametrize("value", [0, 1])
def test_return_is_not_for_fragments(value):
    with pytest.raises(RuntimeError, match="C code of a type or an op"):
        linked(op(f"return {value};"))(1.0)


def test_methods_get_the_compiler():
    """Methods receive the compiler that is used, whether one was requested or not."""
    compilers = []

    def c_headers(self, c_compiler):
        compilers.append(c_compiler)
        return []

    assert linked(op(c_headers=c_headers))(2.0) == 2.0
    assert shutil.which(compilers[0].split()[0]) is not None
    asked = shutil.which("gcc") or shutil.which("clang")
    if asked is not None:
        assert linked(op(c_headers=c_headers, c_compiler=lambda self: asked))(2.0) == 2.0
        assert compilers[1] == asked


def test_ops_without_any_implementation():
    x = double("x")

    class Nothing(g.Op):
        __props__ = ()
        itypes = (double,)
        otypes = (double,)

    with pytest.raises(NotImplementedError, match="neither C code nor perform") as caught:
        g.function([x], Nothing()(x))
    assert "Made at" in str(caught.value) and "test_refused.py" in str(caught.value)
    with pytest.raises(NotImplementedError, match="no perform"):
        g.function([x], op()(x), linker="perform")
