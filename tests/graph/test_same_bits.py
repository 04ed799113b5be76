"""Operations that round once give the same bits with every linker.

Purpose: the result of a graph does not depend on linker, fusing, profile, export, compiler or
processor, except as docs/graph.md states under "The same numbers everywhere".
Invariant: only operations that IEEE 754 defines are compared.
Reason: compilers may contract `a * b + c` to one operation that rounds once, where they find both
in one expression, which depends on all of these.
"""

import ctypes
import importlib.util
import subprocess
import sys
import sysconfig

import fishplate.graph as g
import numpy as np
import pytest
from compilers import ALL
from needs import real
from test_export import given

ONE = "negative absolute square sqrt floor rint reciprocal conj sign".split()
TWO = "divide maximum minimum fmax fmin copysign floor_divide mod".split()
OFTEN = "add subtract multiply".split()
REAL = set("floor rint maximum minimum fmax fmin copysign floor_divide mod sign".split())
ROUNDED = set("sqrt absolute".split())  # for complex numbers they are functions of C


def in_every_way(inputs, outputs, arrays, **options):
    """The results of each linker, with and without fusing."""
    ways = [{"linker": linker} for linker in ("perform", "c", "c-opwise")]
    ways += [{"exclude": ["fuse"]}, {"profile": True}, {"exact_math": True}]
    for way in ways:
        f = g.function(inputs, outputs, on_unused_input="ignore", **way, **options)
        yield str(way), [np.asarray(result) for result in f(*arrays)]


def bits(array):
    """The bits of an array, all NaNs being one."""
    array = np.array(array)
    parts = array.view(array.real.dtype) if array.ndim else np.array([array.real, array.imag])
    parts = np.where(np.isnan(parts), np.nan, parts)
    return parts.tobytes()


def assert_one_result(found):
    first, wanted = found[0]
    for way, results in found[1:]:
        for index, (got, want) in enumerate(zip(results, wanted, strict=True)):
            assert bits(got) == bits(want), (way, first, index, got, want)


def has_fma():
    try:
        with open("/proc/cpuinfo") as file:
            return " fma " in file.read()
    except OSError:
        return False


A = np.array([0.1, 0.3, 0.7, 1.1])


def test_zeros_are_exact():
    x, y, z = g.vector("x"), g.vector("y"), g.vector("z", dtype="complex128")
    outputs = [g.sqrt(x * x - y * y), x * x - y * y, x * x, z * g.conj(z), (z * g.conj(z)).imag]
    found = list(in_every_way([x, y, z], outputs, [A, A, A + 1j * A[::-1]]))
    for way, results in found:
        assert not results[0].any() and not results[1].any() and not results[4].any(), way
    assert_one_result(found)
    # Other outputs of the graph do not matter.
    alone = g.function([x, y], x * x - y * y)(A, A)
    assert not alone.any() and not np.signbit(alone).any()


def test_a_determinant_of_numbers():
    a, b, c, d = (g.scalar(name) for name in "abcd")
    for way, results in in_every_way([a, b, c, d], [a * d - b * c], [0.1, 0.3, 0.1, 0.3]):
        assert results == [0.0], way


class Expressions:
    """Random outputs of two inputs of a dtype."""

    def __init__(self, dtype, shape, seed):
        random = np.random.default_rng(seed)
        self.inputs = [g.tensor(name, dtype, (None,) * len(shape)) for name in "xy"]
        self.arrays = [self.values(dtype, shape, random) for _ in "xy"]
        known = list(self.inputs)
        is_complex = np.dtype(dtype).kind == "c"
        while len(known) < 14:
            name = random.choice([*ONE, *TWO, *(OFTEN * 12)])
            if is_complex and (name in REAL or name in ROUNDED):
                continue
            count = 1 if name in ONE else 2
            # Preferably a recent one, so that expressions grow deep.
            chosen = [known[-1 - int(random.integers(0, min(4, len(known))))] for _ in range(count)]
            known.append(getattr(g, name)(*chosen))
        self.outputs = [known[int(k)] for k in random.choice(range(2, 14), 3, replace=False)]
        self.outputs.append(known[-1])

    @staticmethod
    def values(dtype, shape, random):
        array = random.normal(size=shape)
        if np.dtype(dtype).kind == "c":
            array = array + 1j * random.normal(size=shape)
        return np.asarray(array, dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_random_expressions(dtype):
    for seed, shape in enumerate([(), (5,), (1003,), (3, 17)]):
        made = Expressions(dtype, shape, seed)
        with np.errstate(all="ignore"):
            found = list(in_every_way(made.inputs, made.outputs, made.arrays))
        assert_one_result(found)
        if has_fma() and shape == (1003,):
            # It would be detected.
            f = g.function(made.inputs, made.outputs, fp_contract=True, on_unused_input="ignore")
            contracted = zip(f(*made.arrays), found[0][1], strict=True)
            assert any(bits(got) != bits(want) for got, want in contracted)


# ---- What is exported ----------------------------------------------------------------------------


def exported(f, path, **options):
    """The function of an exported module."""
    f.export(path, **options)
    file = path.with_name(path.name + sysconfig.get_config_var("EXT_SUFFIX"))
    spec = importlib.util.spec_from_file_location(path.name, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.f


# Where the processor has fused operations, compilers may use them with `native`.
@pytest.mark.parametrize("native", [False, True] if ALL else [True])
def test_exported_modules(native, tmp_path):
    made = Expressions("float64", (1003,), 7)
    f = g.function(made.inputs, made.outputs, name="f", on_unused_input="ignore")
    module = exported(f, tmp_path / f"bits{native:d}", native=native)
    assert_one_result([("c", f(*made.arrays)), ("exported", module(*made.arrays))])


# Below -O2 clang does not vectorise the marked loops, and warns.
FLAGS = "-std=gnu11 -Wall -Wextra -Werror -Wno-pass-failed -shared -fPIC -march=native".split()


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """The C of random expressions, and its expected results."""
    folder = tmp_path_factory.mktemp("source")
    made = Expressions("float64", (257,), 11)
    f = g.function(made.inputs, made.outputs, name="f", on_unused_input="ignore")
    f.export(folder / "libf.so")
    return folder, made, f(*made.arrays)


LEVELS = ["-O0", "-O1", "-O3"]
OTHERS = [(compiler, level) for level in LEVELS for compiler in ("gcc", "clang")]


@pytest.mark.parametrize(
    ("compiler", "optimise"), OTHERS if ALL else [("clang", "-O0"), ("gcc", "-O3")]
)
def test_exported_c_compiled_by_others(source, compiler, optimise, tmp_path):
    """Without the flags that the source requires: its code alone prevents contraction."""
    folder, made, wanted = source
    own = str(tmp_path / "own.so")
    subprocess.run([compiler, *FLAGS, optimise, "f.c", "-o", own, "-lm"], cwd=folder, check=True)
    results = [np.full(257, np.nan) for _ in made.outputs]
    assert ctypes.CDLL(own).f_into(*map(given, [*made.arrays, *results])) == 0
    assert_one_result([("c", wanted), (compiler + optimise, results)])


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_exported_c_refuses_fast_math(source, compiler):
    command = [real(compiler), *FLAGS, "-Ofast", "f.c", "-o", "never.so"]
    done = subprocess.run(command, cwd=source[0], capture_output=True, text=True)
    assert done.returncode != 0 and "without -ffast-math" in done.stderr


# ---- If it is requested -----------------------------------------------------------------------


@pytest.mark.skipif(not has_fma(), reason="this processor has no fused multiply-add")
def test_contraction_is_asked_for(tmp_path):
    x, y = g.vector("x"), g.vector("y")
    plain = g.function([x, y], x * x - y * y)
    fused = g.function([x, y], x * x - y * y, fp_contract=True, name="f")
    # One source, two libraries.
    assert not plain(A, A).any() and fused(A, A).any()
    assert not plain(A, A).any()
    import pickle

    assert pickle.loads(pickle.dumps(fused))(A, A).tobytes() == fused(A, A).tobytes()
    assert exported(fused, tmp_path / "fused", native=True)(A, A).any()
    assert sys.modules.get("fused") is None


class Determinant(g.Op):
    """`x*x - y*y`, in C of its own."""

    __props__ = ("flags",)

    def __init__(self, flags=()):
        self.flags = flags

    def make_node(self, x, y):
        return g.Apply(self, [x, y], [x.type()])

    def c_code(self, node, name, inputs, outputs, sub):
        (x, y), (z,) = inputs, outputs
        return f"{z} = {x}*{x} - {y}*{y};"

    def c_compile_args(self):
        return list(self.flags)

    def c_code_cache_version(self):
        return (1,)


@pytest.mark.skipif(not has_fma(), reason="this processor has no fused multiply-add")
def test_the_c_of_ops():
    x, y = g.scalar("x"), g.scalar("y")

    def call(op, **options):
        return g.function([x, y], op(x, y), **options)(0.1, 0.1)

    assert call(Determinant()) == 0
    assert call(Determinant(), fp_contract=True) != 0
    # The flags of an op come last.
    assert call(Determinant(("-ffp-contract=fast",))) != 0
