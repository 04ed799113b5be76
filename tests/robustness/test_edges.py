"""Single named cases: values beyond random calls, and regressions."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import chance
import csource
import numpy as np
import pytest
import tools
from present import Index
from test_sanitizers import environment, instrumented

EDGES = tools.HERE / "edges" / "edges.toml"


@pytest.fixture(scope="module")
def edges(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    out = tmp_path_factory.mktemp("edges")
    tools.build(EDGES, out)
    return tools.load("edges", out)


# ---- Never a silent wrap -------------------------------------------------------------------------


def test_sizes_beyond_ptrdiff(edges: ModuleType) -> None:
    for n in (2**64 - 1, 2**64 - 2, 2**63):
        with pytest.raises((OverflowError, ValueError, MemoryError), match="argument"):
            edges.more(n)


def test_products_beyond_ptrdiff(edges: ModuleType) -> None:
    for n in (2**40, 2**62, -(2**40), 2**63 - 1):
        with pytest.raises((OverflowError, ValueError, MemoryError), match="argument 'y'"):
            edges.cube(n)


@pytest.mark.parametrize("name", ["hidden", "chosen", "fill"])
def test_computed_values_out_of_range(edges: ModuleType, name: str) -> None:
    with pytest.raises(OverflowError, match=r"argument '[hy]'"):
        getattr(edges, name)(300)


def test_arithmetic_for_floating_values(edges: ModuleType) -> None:
    assert edges.plus(2**53) == 2.0**53
    with pytest.raises(OverflowError, match="argument 'h'"):
        edges.plus(2**63 - 1)


def test_list_elements_beyond_float32(edges: ModuleType) -> None:
    with pytest.raises(OverflowError, match="argument 'x'"):
        edges.single([1e300])


# ---- Nothing changes on failure ------------------------------------------------------------------


def test_a_buffer_is_not_filled_in_vain(edges: ModuleType) -> None:
    buffer = np.full(3, 7.0)
    with pytest.raises(ValueError, match="argument 'z'"):
        edges.filled([1, 2, 3], y=buffer, z=np.zeros(2))
    assert buffer.tolist() == [7, 7, 7]


# ---- One value, one answer -----------------------------------------------------------------------


def test_truth_values_are_numbers(edges: ModuleType) -> None:
    assert edges.real([True, False]) == 1
    assert edges.real(np.array([True, False])) == 1
    assert edges.whole(np.True_) == 1


def test_0d_truth_values_are_integers(edges: ModuleType) -> None:
    assert edges.whole(np.array(True)) == 1


@pytest.mark.parametrize("values", [[2**64 - 1, 1], [0, 2**63]])
def test_lists_of_all_uint64(edges: ModuleType, values: list[int]) -> None:
    assert edges.big(values) == sum(map(float, values))


def test_lists_beyond_uint64(edges: ModuleType) -> None:
    with pytest.raises(OverflowError, match="argument 'x'"):
        edges.big([-1, 2**63])


def test_overloads_take_float16(edges: ModuleType) -> None:
    assert edges.real(np.ones(2, np.float16)) == 2
    assert edges.either(np.ones(2, np.float16)) == 2


def test_overloads_take_index(edges: ModuleType) -> None:
    assert edges.whole(Index(3)) == 3
    assert edges.either(Index(3)) == 3


# ---- Calls ---------------------------------------------------------------------------------------


class Name(str):
    """A keyword that is not the interned one."""


def test_keywords_compare_by_text(edges: ModuleType) -> None:
    assert edges.whole(**{Name("x"): 4}) == 4
    with pytest.raises(TypeError, match="unexpected keyword argument 'y'"):
        edges.whole(**{Name("y"): 4})


def test_keywords_that_are_no_utf8(edges: ModuleType) -> None:
    with pytest.raises(TypeError, match="unexpected keyword"):
        edges.whole(1, **{"\ud800": 4})


def test_keywords_with_a_nul(edges: ModuleType) -> None:
    with pytest.raises(TypeError, match=r"a\\x00b"):
        edges.whole(1, **{"a\0b": 4})


def test_exceptions_of_the_caller_pass(edges: ModuleType) -> None:
    class Own(Exception):
        pass

    class Broken:
        def __index__(self) -> int:
            raise Own

        def __array__(self, dtype: object = None, copy: object = None) -> np.ndarray:
            raise Own

    for callee in (edges.whole, edges.real, edges.either):
        with pytest.raises(Own):
            callee(Broken())


# ---- The compilers -------------------------------------------------------------------------------

UNDEFINED = ["cube(2**40)", "twist(10**400)", "plus(2**63 - 1)"]


@pytest.fixture(scope="module")
def undefined(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("undefined")
    # clang, because gcc folds `x < 0 ? -x : x` before it looks at the negation.
    instrumented("clang", EDGES, out)
    return out


@pytest.mark.parametrize("call", UNDEFINED)
def test_nothing_is_undefined(undefined: Path, call: str) -> None:
    env = environment("clang", "detect_leaks=0") | {"PYTHONPATH": str(undefined)}
    script = f"import edges\ntry:\n    edges.{call}\nexcept (OverflowError, ValueError): pass"
    done = tools.run([sys.executable, "-c", script], env=env, check=False)
    assert "runtime error" not in done.stderr, done.stderr[:500]
    assert done.returncode == 0, done.stderr


WARNINGS = ["-Wall", "-Wextra", "-Werror", "-fPIC", "-fsyntax-only"]


def compile_cleanly(unit: Path, compiler: str, include: Path, *flags: str) -> None:
    includes = [f"-I{unit.parent}", f"-I{include}"]
    # Python's and NumPy's own headers are not checked here.
    includes += [flag.replace("-I", "-isystem", 1) for flag in tools.include_flags()]
    tools.run([tools.compiler(compiler), *WARNINGS, *includes, *flags, unit])


@pytest.mark.parametrize(
    ("compiler", "flags"),
    [
        ("gcc", ("-std=gnu99", "-O1")),
        ("gcc", ("-std=gnu17",)),
        ("clang", ("-std=gnu99",)),
        ("g++", ("-x", "c++", "-std=c++11")),
    ],
    ids=["gcc-99", "gcc-17", "clang-99", "g++-11"],
)
def test_random_modules_compile_without_warnings(
    compiler: str, flags: tuple[str, ...], tmp_path: Path
) -> None:
    suite = chance.random_suite("clean", 51, 60)
    unit = tools.emit(csource.write(suite, tmp_path), tmp_path / "emitted")
    compile_cleanly(unit, compiler, tmp_path, *flags)


def test_a_result_left_out_compiles_without_warnings(tmp_path: Path) -> None:
    unit = tools.emit(EDGES, tmp_path / "emitted")
    compile_cleanly(unit, "gcc", EDGES.parent)
