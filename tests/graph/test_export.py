"""Functions as files that need neither Fishplate nor a compiler."""

import ctypes
import os
import subprocess
import sys
import threading
from pathlib import Path

import fishplate
import fishplate.graph as g
import numpy as np
import pytest
from compilers import ALL
from needs import program
from support import DTYPES, same, values

STRICT = ["-Wall", "-Wextra", "-Werror", "-pedantic"]
UNIT = (
    "-std=gnu11 -fno-math-errno -fno-trapping-math -fwrapv -fno-strict-aliasing -fopenmp-simd"
).split()


def run(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, **options)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def model():
    """exp(x) @ w * scale + b, and the sum of squares."""
    x, w, scale = g.vector("x"), g.matrix("w", shape=(None, 3)), g.scalar("scale")
    b = g.shared(np.arange(3.0), "b")
    outputs = [g.exp(x) @ w * scale + b, (x * x).sum()]
    return g.function([x, w, g.In(scale, value=2.0)], outputs, name="model")


X, W = np.array([0.0, 1.0]), np.array([[1.0, 2, 3], [4, 5, 6]])
WANTED = np.exp(X) @ W * 2 + np.arange(3.0)

PROGRAM = r"""
#include "model.h"
#include "model.h"
#include <stdio.h>
#include <string.h>

int
main(void)
{
    const double x[] = {0, 1};
    double w[2][3] = {{1, 2, 3}, {4, 5, 6}}, sum, own[3] = {0, 0, 0};
    fp_float64_1d in = fp_float64_1d_of(x, 2), out;
    fp_float64_2d matrix = fp_float64_2d_of(&w[0][0], 2, 3);
    int k, status;
    if (model(in, matrix, 2.0, &out, &sum) != 0) {
        puts(model_error());
        return 1;
    }
    printf("%d", (int)out.shape[0]);
    for (k = 0; k < 3; k++) {
        printf(" %.17g", out.data[k]);
    }
    printf(" %g\n", sum);
    model_free(out.data);
    out = fp_float64_1d_of(own, 3);
    if (model_into(in, matrix, 1.0, out, &sum) != 0 || model_error()[0] != 0) {
        return 1;
    }
    printf("%.17g\n", own[2]);
    in.shape[0] = 1;
    status = model(in, matrix, 2.0, &out, &sum);
    printf("%d %d\n", status, out.data == NULL);
    printf("%s\n", model_error());
    return 0;
}
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """A folder with the library, static and shared, and a program that uses it."""
    folder = tmp_path_factory.mktemp("with spaces and é")
    for name in ("libmodel.so", "libmodel.a"):
        written = model().export(folder / name)
        assert [path.name for path in written] == [name, "model.h", "model.c"]
        assert all(path.is_file() for path in written)
    assert sorted(os.listdir(folder)) == ["libmodel.a", "libmodel.so", "model.c", "model.h"]
    for name in ("main.c", "main.cpp"):
        (folder / name).write_text(PROGRAM)
    return folder


def check_program(program, **options):
    """The program's output, checked against NumPy."""
    lines = run([program], **options).splitlines()
    size, *numbers = lines[0].split()
    assert size == "3"
    np.testing.assert_allclose([float(n) for n in numbers], [*WANTED, 1.0], rtol=1e-15)
    np.testing.assert_allclose(float(lines[1]), (np.exp(X) @ W + np.arange(3.0))[2], rtol=1e-15)
    assert lines[2] == "-1 1"
    assert lines[3] == (
        "model(): shapes (1,) and (2, 3) do not multiply: "
        "axis 0 of the first is 1, axis 0 of the second 2"
    )
    text = "\n".join(lines)
    assert "operand 1: float64, shape (2, 3)" in text
    assert "of model(): matmul(exp.0, w)" in text and "test_export.py" in text


@pytest.mark.parametrize(
    "compiler, source",
    [
        (["gcc", "-std=c99"], "main.c"),
        (["clang", "-std=c99"], "main.c"),
        (["g++", "-std=c++11"], "main.cpp"),
        (["clang++", "-std=c++11"], "main.cpp"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else None,
)
def test_programs(library, compiler, source):
    program(compiler[0])
    shared = ["-L.", "-lmodel", "-Wl,-rpath,$ORIGIN"]
    run([*compiler, *STRICT, source, *shared, "-o", "dynamic"], cwd=library)
    check_program(library / "dynamic")
    static = ["libmodel.a", "-lmvec", "-lm", "-ldl", "-lpthread"]
    run([*compiler, *STRICT, source, *static, "-o", "static"], cwd=library)
    check_program(library / "static")


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_the_source_is_complete_and_clean(library, compiler):
    flags = ["-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    run([compiler, *UNIT, *flags, "model.c", "-o", "own.so", "-lm"], cwd=library)


def test_sanitized(library):
    flags = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
    run(["gcc", *UNIT, *flags, "main.c", "model.c", "-o", "sane", "-lm", "-ldl"], cwd=library)
    check_program(library / "sane", env={**os.environ, "ASAN_OPTIONS": "detect_leaks=1"})


def test_only_its_own_names_are_seen(library):
    own = {"model", "model_into", "model_free", "model_error", "model_set_threads"}
    for command in (["nm", "-D", "libmodel.so"], ["nm", "libmodel.a"]):
        names = run(command, cwd=library).splitlines()
        seen = {line.split()[2] for line in names if len(line.split()) == 3}
        public = {line.split()[2] for line in names if line.split()[1:2] in (["T"], ["D"], ["B"])}
        assert own <= seen and public == own, public


# ---- From Python, by ctypes ----------------------------------------------------------------------


def array(ndim):
    class Array(ctypes.Structure):
        _fields_ = [
            ("data", ctypes.c_void_p),
            ("shape", ctypes.c_ssize_t * ndim),
            ("strides", ctypes.c_ssize_t * ndim),
        ]

    return Array


def given(x):
    kind = array(x.ndim)
    sizes = ctypes.c_ssize_t * x.ndim
    return kind(x.ctypes.data, sizes(*x.shape), sizes(*x.strides))


def loaded(f, folder, name="f"):
    f.export(folder / f"lib{name}.so")
    library = ctypes.CDLL(str(folder / f"lib{name}.so"))
    getattr(library, f"{name}_error").restype = ctypes.c_char_p
    return library


def result(structure, dtype, free):
    shape, strides = tuple(structure.shape), tuple(structure.strides)
    assert min(strides) >= 0
    last = sum((n - 1) * s for n, s in zip(shape, strides, strict=True))
    size = 0 if 0 in shape else last + np.dtype(dtype).itemsize
    buffer = ctypes.string_at(structure.data, size)
    free(ctypes.c_void_p(structure.data))
    return np.ndarray(shape, dtype, buffer, strides=strides).copy()


def number(dtype):
    """A number as it is passed by value, and NumPy's result for it."""
    kind, size = np.dtype(dtype).kind, np.dtype(dtype).itemsize
    if kind != "c":
        return np.ctypeslib.as_ctypes_type(np.dtype(dtype))(1), np.array(1, dtype)
    part = ctypes.c_float if size == 8 else ctypes.c_double
    pair = type("Pair", (ctypes.Structure,), {"_fields_": [("real", part), ("imag", part)]})
    return pair(1, 2), np.array(1 + 2j, dtype)


def test_every_dtype(tmp_path):
    inputs, outputs, arguments, places, wanted, kept = [], [], [], [], [], []
    for dtype in DTYPES:
        x, s = g.vector(f"x_{dtype}", dtype=dtype), g.scalar(f"s_{dtype}", dtype=dtype)
        data, (scalar, value) = values(dtype, 5), number(dtype)
        inputs += [x, s]
        outputs += [g.eq(x[::-1], s), g.concatenate([x, x[:1]]), s]
        arguments += [given(data), scalar]
        kept.append(data)
        places += [array(1)(), array(1)(), np.empty((), dtype)]
        wanted += [data[::-1] == value, np.concatenate([data, data[:1]]), value]
    library = loaded(g.function(inputs, outputs), tmp_path)
    pointers = [
        ctypes.c_void_p(place.ctypes.data) if isinstance(place, np.ndarray) else ctypes.byref(place)
        for place in places
    ]
    assert library.f(*arguments, *pointers) == 0, library.f_error()
    for place, expected in zip(places, wanted, strict=True):
        if not isinstance(place, np.ndarray):
            place = result(place, expected.dtype, library.f_free)
        assert place.dtype == expected.dtype
        same(place, expected)


@pytest.fixture(scope="module")
def scale(tmp_path_factory):
    x, s = g.matrix("x"), g.scalar("s")
    f = g.function([x, s], g.exp(x.T) * s + x[:1, :1])
    library = loaded(f, tmp_path_factory.mktemp("scale"), "scale")
    return lambda x, s: np.exp(x.T) * s + x[:1, :1], library


ROOM = np.arange(200.0).reshape(10, 20) / 100


@pytest.mark.parametrize("view", [ROOM[:4, :6], ROOM[::-2, ::3], ROOM.T[:3, 2:], ROOM[:1, :0]])
def test_arguments_lie_as_they_lie(scale, view):
    expected, library = scale
    out = array(2)()
    number = ctypes.c_double(3)
    assert library.scale(given(view), number, ctypes.byref(out)) == 0, library.scale_error()
    same(result(out, float, library.scale_free), expected(view, 3.0), rtol=1e-14)


@pytest.mark.parametrize(
    "place",
    [
        lambda: np.full((6, 4), np.nan),
        lambda: np.full((4, 6), np.nan).T,
        lambda: np.full((12, 8), np.nan)[::-2, ::2],
    ],
    ids=["plain", "fortran", "strided"],
)
def test_results_in_memory_of_ours(scale, place):
    expected, library = scale
    x, out = ROOM[:4, :6], place()
    done = library.scale_into(given(x), ctypes.c_double(3), given(out))
    assert done == 0, library.scale_error()
    same(out, expected(x, 3.0), rtol=1e-14)


@pytest.mark.parametrize("shift", [0, 1, 5])
def test_results_where_arguments_are(scale, shift):
    expected, library = scale
    room = np.arange(50.0) / 100
    x, out = room[:24].reshape(4, 6), room[shift : 24 + shift].reshape(6, 4)
    wanted = expected(x.copy(), 3.0)
    assert library.scale_into(given(x), ctypes.c_double(3), given(out)) == 0
    same(out, wanted, rtol=1e-14)


def test_arguments_are_checked(scale, library):
    _, exported = scale
    x, three, out = given(ROOM), ctypes.c_double(3), given(np.zeros((20, 10)))

    def refused(x=x, out=out):
        assert exported.scale_into(x, three, out) == -1
        return exported.scale_error().decode()

    nothing = array(2)(None, x.shape, x.strides)
    assert refused(nothing) == "scale(): argument 'x' is NULL"
    assert refused(out=array(2)(None, out.shape, out.strides)).endswith("'out' is NULL")
    negative = array(2)(x.data, (-1, 3), x.strides)
    assert refused(negative) == "scale(): argument 'x' has a negative size: -1 on axis 0"
    for odd in (array(2)(x.data + 4, x.shape, x.strides), array(2)(x.data, x.shape, (160, 9))):
        assert "is not aligned" in refused(odd)
    small = given(np.zeros((20, 9)))
    text = "scale(): output 'out' has shape (20, 9), its result has (20, 10)"
    assert refused(out=small).startswith(text)
    model = ctypes.CDLL(str(library / "libmodel.so"))
    model.model_error.restype = ctypes.c_char_p
    made, total = array(1)(1), ctypes.c_double()
    arguments = given(X), given(W[:, :2]), three, ctypes.byref(made), ctypes.byref(total)
    assert model.model(*arguments) == -1 and made.data is None
    assert model.model_error() == b"model(): argument 'w' has shape (2, 2), wanted (?, 3)"


def test_threads_each_have_their_call_and_their_error(scale):
    expected, library = scale
    wrong = []

    def work(number):
        x = np.random.default_rng(number).random((30 + number, 40))
        for _ in range(50):
            out = array(2)()
            done = library.scale(given(x), ctypes.c_double(number), ctypes.byref(out))
            got = result(out, float, library.scale_free)
            if done != 0 or not np.allclose(got, expected(x, number), rtol=1e-14):
                wrong.append(number)
            bad = array(2)(None, (number + 1, 1), (8, 8))
            library.scale(bad, ctypes.c_double(1), ctypes.byref(out))
            if library.scale_error() != b"scale(): argument 'x' is NULL":
                wrong.append(library.scale_error())

    threads = [threading.Thread(target=work, args=(k,)) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_names_that_c_does_not_have(tmp_path):
    a, b = g.scalar("double"), g.scalar("double")
    names = [
        a,
        b,
        g.scalar("λ"),
        g.scalar("fp_last_error"),
        g.scalar(),
        g.scalar("V0"),
        g.scalar("linux"),
    ]
    total = sum(names[1:], names[0])
    f = g.function(names, {"some thing": total, 2: total * 2, "V1": total + 1})
    library = loaded(f, tmp_path)
    outs = [ctypes.c_double() for _ in range(3)]
    assert library.f(*map(ctypes.c_double, range(7)), *map(ctypes.byref, outs)) == 0
    assert [out.value for out in outs] == [21, 42, 22]
    header = (tmp_path / "f.h").read_text()
    for name in (
        "double_,",
        "double_2,",
        "x_,",
        "fp_last_error_,",
        "x4,",
        "*some_thing,",
        "*x2,",
        "*V1)",
    ):
        assert name in header


def test_large_graphs_and_large_constants(tmp_path):
    x, y = g.vector("x"), g.vector("V3")
    table = np.random.default_rng(0).random(1 << 19)  # 4 MiB
    total = x[: 1 << 19] * table
    for k in range(90):
        total = (total + g.exp(y).sum() * k)[::-1]
    f = g.function([x, y], total)
    library = loaded(f, tmp_path)
    data, out = values("float64", 1 << 19), array(1)()
    assert library.f(given(data), given(X), ctypes.byref(out)) == 0, library.f_error()
    wanted = (data * table)[::1] + np.exp(X).sum() * sum(range(90))
    same(result(out, float, library.f_free), wanted, rtol=1e-12)


# ---- Modules -------------------------------------------------------------------------------------

SCRIPT = """
import importlib.util, inspect, pickle, sys
import numpy as np
import {module} as m
f = m.model
result, total = f([0, 1], [[1, 2, 3], [4, 5, 6]])
np.testing.assert_allclose(result, np.exp([0, 1]) @ [[1, 2, 3], [4, 5, 6]] * 2 + np.arange(3.0))
assert total == 1.0 and type(total) is float
np.testing.assert_allclose(f(x=[0.0], w=np.ones((1, 3)), scale=1)[0], 1 + np.arange(3.0))
def refused(error, *args, **kwargs):
    try:
        f(*args, **kwargs)
    except error as raised:
        return str(raised), getattr(raised, "__notes__", [])
    raise AssertionError("nothing was raised")
assert refused(TypeError, [1]) == ("model(x, w, scale=...) needs argument 'w'", [])
assert "argument 'x'" in refused(TypeError, "abc", [[1, 2, 3]])[0]
assert "argument 'w'" in refused(ValueError, [1], [[1, 2]])[0]
text, notes = refused(ValueError, [1], np.ones((2, 3)))
assert text.startswith("shapes (1,) and (2, 3) do not multiply")
assert "of model(): matmul(exp.0, w)" in notes[0]
assert str(inspect.signature(f)).startswith("(x, w, scale=")
assert "model(x, w, scale=2.0) -> float64[3], float64" in f.__doc__
assert repr(f) == "<fishplate graph model(x, w, scale=...)>"
assert pickle.loads(pickle.dumps(f)) is f
assert not any(name.startswith("fishplate") for name in sys.modules)
"""


# Run before a script: hides a Fishplate that is installed in the environment of the tests.
HIDE = """
import sys
class Hidden:
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] == "fishplate":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Hidden)
"""


def alone(script, folder, **environment):
    """Runs a script without a compiler, and without Fishplate unless PYTHONPATH is given."""
    if "PYTHONPATH" not in environment:
        script = HIDE + script
    kept = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "CC", "PATH")}
    return run(
        [sys.executable, "-c", script],
        cwd=folder,
        env={**kept, "PATH": str(folder / "nothing"), **environment},
    )


@pytest.mark.parametrize("native", [False, True])
def test_modules(tmp_path, native):
    module = tmp_path / "new folder" / "numbers_"
    written = model().export(module, native=native)
    assert [path.suffix for path in written] == [".so", ".pyi"]
    assert sorted(os.listdir(module.parent)) == sorted(path.name for path in written)
    alone(SCRIPT.format(module=module.name), module.parent)
    stub = (module.parent / f"{module.name}.pyi").read_text()
    assert "def model(x: ArrayLike, w: ArrayLike, scale: float = ...) -> list[Any]: ..." in stub


def test_modules_of_every_dtype(tmp_path):
    inputs = [g.vector(f"x_{dtype}", dtype=dtype) for dtype in DTYPES]
    numbers = [
        g.In(g.scalar(f"s_{dtype}", dtype=dtype), value=np.array(1, dtype)) for dtype in DTYPES
    ]
    table = g.In(g.matrix("table", dtype="int8"), value=np.arange(6, dtype="int8").reshape(2, 3).T)
    outputs = [
        g.where(g.eq(x, s.variable), x, s.variable) for x, s in zip(inputs, numbers, strict=True)
    ]
    f = g.function([*inputs, *numbers, table], [*outputs, table.variable, numbers[5].variable])
    f.export(tmp_path / "dtypes")
    alone(
        f"""
import numpy as np, dtypes
names = {DTYPES}
arrays = [np.array([0, 1, 1], name) for name in names]
*results, table, number = dtypes.function(*arrays)
for name, got in zip(names, results):
    assert got.dtype == name and (got == np.array([1, 1, 1], name)).all(), (name, got)
assert table.dtype == np.int8 and (table == np.arange(6).reshape(2, 3).T).all()
assert type(number) is np.uint8 and number == 1
""",
        tmp_path,
    )


def test_modules_pass_a_type_checker(tmp_path):
    pytest.importorskip("mypy")
    model().export(tmp_path / "numbers_")
    (tmp_path / "use.py").write_text(
        "import numbers_\n\nvalues: list[float] = numbers_.model([0.0], [[1, 2, 3]], scale=2)\n"
    )
    run([sys.executable, "-m", "mypy", "--strict", "use.py"], cwd=tmp_path)


@pytest.mark.parametrize("compiler", ["gcc", "clang"] if ALL else ["gcc"])
def test_modules_are_clean(tmp_path, monkeypatch, compiler):
    monkeypatch.setenv("CC", f"{compiler} -Wall -Wextra -Werror")
    model().export(tmp_path / "numbers_")
    alone(SCRIPT.format(module="numbers_"), tmp_path)


def test_another_compiler(tmp_path, monkeypatch):
    monkeypatch.setenv("CC", "clang")
    model().export(tmp_path / "libmodel.so")
    (tmp_path / "main.c").write_text(PROGRAM)
    run(["clang", "main.c", "-L.", "-lmodel", "-Wl,-rpath,$ORIGIN", "-o", "main"], cwd=tmp_path)
    check_program(tmp_path / "main")


# ---- What is exported ----------------------------------------------------------------------------


def test_shared_variables_become_constants(tmp_path):
    total = g.shared(np.array([1.0, 2.0]), "total")
    x = g.vector("x")
    f = g.function([x], total * x)
    f.export(tmp_path / "frozen")
    total.set_value([5.0, 5.0])
    script = "import frozen; print(frozen.function([1.0, 1.0]).tolist())"
    assert alone(script, tmp_path) == "[1.0, 2.0]\n"


def test_functions_of_any_linker(tmp_path):
    x = g.vector("x")
    for linker in ("perform", "c-opwise"):
        g.function([x], x + 1, linker=linker, name=linker.replace("-", "")).export(tmp_path)
    script = "import {0}; print({0}.{0}([1.0]).tolist())"
    for name in ("perform", "copwise"):
        assert alone(script.format(name), tmp_path) == "[2.0]\n"


class Twice(g.Op):
    __props__ = ()

    def make_node(self, x):
        return g.Apply(self, [x], [x.type()])

    def perform(self, node, inputs, storage):
        storage[0][0] = 2 * inputs[0]


def test_refused_exports(tmp_path):
    x, total = g.vector("x"), g.shared(0.0, "total")
    with pytest.raises(ValueError, match="only built-in ops and tensors can, and it has op Twice"):
        g.function([x], Twice()(x) + 1, linker="perform").export(tmp_path / "a")
    wrapped = fishplate.inline("double thrice(double x) { return 3 * x; }").thrice
    with pytest.raises(ValueError, match="it has op .*thrice"):
        g.function([x], fishplate.op(wrapped, x.sum())).export(tmp_path / "a")
    with pytest.raises(
        ValueError, match="it updates total, and an exported function keeps nothing"
    ):
        g.function([], total, updates={total: total + 1}).export(tmp_path / "a")
    with pytest.raises(ValueError, match="a dict or nothing"):
        g.function([x], {"a": x}).export(tmp_path / "a")
    with pytest.raises(ValueError, match="two inputs are named 'x'"):
        g.function([x, g.vector("x")], x, on_unused_input="ignore").export(tmp_path / "a")
    f = g.function([x], x)
    for path in ("a b", "class", "3d.so", "double.so", "libfloat.a"):
        with pytest.raises(ValueError, match="cannot be the name|is a word of C"):
            f.export(tmp_path / path)
    with pytest.raises(ValueError, match="kind 'rust' is not one of"):
        f.export(tmp_path / "a", "rust")
    with pytest.raises(ValueError, match="cannot be a static library"):
        f.export(tmp_path / "a.a", "python")
    with pytest.raises(ValueError, match="cannot be the name of a function in a module"):
        g.function([x], x, name="a-b").export(tmp_path / "a")
    assert os.listdir(tmp_path) == []


def test_folders_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    f = g.function([], g.ones(3))
    for path in ("file/a", "file/liba.so"):
        with pytest.raises((OSError, RuntimeError), match="file"):
            f.export(tmp_path / path)


def test_no_compiler(tmp_path):
    script = """
import warnings
import fishplate.graph as g
from pathlib import Path
warnings.simplefilter("ignore")
f = g.function([], g.ones(3))
for path in ("liba.so", "liba.a", "a"):
    try:
        f.export(path)
    except RuntimeError as error:
        assert "ziglang" in str(error), error
    else:
        raise AssertionError(path)
assert list(Path.cwd().iterdir()) == []
"""
    alone(script, tmp_path, PYTHONPATH=os.environ["PYTHONPATH"])


def test_loaded_modules_survive_replacement(tmp_path):
    x = g.vector("x")
    library = loaded(g.function([x], x + 1), tmp_path)
    before = Path(tmp_path / "libf.so").stat().st_ino
    g.function([x], x + 2).export(tmp_path / "libf.so")
    assert Path(tmp_path / "libf.so").stat().st_ino != before
    out = array(1)()
    assert library.f(given(X), ctypes.byref(out)) == 0
    same(result(out, float, library.f_free), X + 1)
