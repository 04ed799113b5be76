"""Wrapped functions as objects: how Python, its tools and other libraries use functions."""

from __future__ import annotations

import copy
import doctest
import functools
import gc
import importlib
import inspect
import pickle
import pydoc
import subprocess
import sys
import weakref
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import tools

HEADER = "static inline double cube(double x) { return x * x * x; }\n"
INTERFACE = '''
[module]
name = "{name}"
headers = ["objects.h"]
[function.cube]
proto = "double cube(double x)"
ellipses = "..."
doc = """
The third power of `x`.

>>> cube(3.0)
27.0
>>> cube(2.0)
9.0
"""
[function.bare]
proto = "double cube(double x)"
'''


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder to import `objects` and `package.inside` from."""
    folder = tmp_path_factory.mktemp("objects")
    (folder / "objects.h").write_text(HEADER)
    out = folder / "out"
    for name in ("objects", "package.inside"):
        interface = folder / f"{name}.toml"
        interface.write_text(INTERFACE.format(name=name))
        tools.build(interface, out)
    (out / "package" / "__init__.py").write_text("")
    return out


@pytest.fixture
def module(folder: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(folder))
    return importlib.import_module("objects")


def test_names(module: ModuleType) -> None:
    assert module.cube.__name__ == module.cube.__qualname__ == "cube"
    assert module.cube.__module__ == "objects"
    inside = importlib.import_module("package.inside")
    assert inside.cube.__module__ == "package.inside"
    assert "package.inside.cube" in repr(inside.cube)
    assert module.cube.signature == "()->()"
    assert hash(module.cube) == hash(module.cube)
    assert module.cube == module.cube != module.bare


def test_it_goes_by_name(module: ModuleType) -> None:
    inside = importlib.import_module("package.inside")
    for function in (module.cube, inside.cube):
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            assert pickle.loads(pickle.dumps(function, protocol)) is function
        assert copy.copy(function) is function
        assert copy.deepcopy([function])[0] is function
    partial = pickle.loads(pickle.dumps(functools.partial(inside.cube, 2.0)))
    assert partial() == 8


def test_another_process_unpickles_it(module: ModuleType, folder: Path) -> None:
    code = "import pickle, sys; print(pickle.load(sys.stdin.buffer)(2.0))"
    process = subprocess.run(
        [sys.executable, "-c", code],
        input=pickle.dumps(importlib.import_module("package.inside").cube),
        env={"PYTHONPATH": str(folder)},
        capture_output=True,
        check=True,
    )
    assert process.stdout.strip() == b"8.0"


def test_weak_references(module: ModuleType) -> None:
    assert weakref.ref(module.cube)() is module.cube
    assert weakref.WeakKeyDictionary({module.cube: 1})[module.cube] == 1


def test_inspect(module: ModuleType) -> None:
    signature = inspect.signature(module.cube)
    assert str(signature).startswith("(x")
    signature.bind(1.0)
    with pytest.raises(TypeError):
        signature.bind()
    assert inspect.isroutine(module.cube)
    assert callable(module.cube)
    assert inspect.getdoc(module.cube).startswith("The third power")
    assert str(inspect.signature(module.cube.explain)) == "(*args, **kwargs)"


def test_help(module: ModuleType) -> None:
    one = pydoc.render_doc(module.cube, renderer=pydoc.plaintext)
    assert "cube(x" in one
    assert "The third power" in one
    whole = pydoc.render_doc(module, renderer=pydoc.plaintext)
    functions = whole[whole.index("FUNCTIONS") :]
    assert "cube(x" in functions
    assert "bare(x" in functions


def test_doctest_finds_it(module: ModuleType) -> None:
    found = {test.name: test for test in doctest.DocTestFinder().find(module)}
    runner = doctest.DocTestRunner(verbose=False)
    assert runner.run(found["objects.cube"], out=lambda _: None) == (1, 2)


def test_wrappers(module: ModuleType) -> None:
    @functools.wraps(module.cube)
    def wrapper(*args: object) -> object:
        return module.cube(*args)

    assert wrapper.__name__ == "cube"
    assert wrapper.__wrapped__ is module.cube
    assert wrapper(2.0) == 8
    assert functools.lru_cache(module.cube)(2.0) == 8
    assert list(map(module.cube, [1.0, 2.0])) == [1, 8]
    assert np.vectorize(module.cube)([1.0, 2.0]).tolist() == [1, 8]


def test_it_binds_to_nothing(module: ModuleType) -> None:
    class Owner:
        cube = module.cube

    assert Owner().cube(2.0) == 8
    assert Owner.cube is Owner().cube is module.cube


@pytest.mark.parametrize(
    "name", ["__name__", "__doc__", "__module__", "__qualname__", "signature", "explain", "new"]
)
def test_nothing_can_be_set(module: ModuleType, name: str) -> None:
    with pytest.raises(AttributeError):
        setattr(module.cube, name, "other")
    with pytest.raises(AttributeError):
        delattr(module.cube, name)
    with pytest.raises(TypeError):
        setattr(type(module.cube), name, "other")


def test_the_type_is_closed(module: ModuleType) -> None:
    kind = type(module.cube)
    with pytest.raises(TypeError):
        kind()
    with pytest.raises(TypeError):
        type("Sub", (kind,), {})
    with pytest.raises(TypeError):
        object.__new__(kind)
    for odd in (None, 3, "x"):
        with pytest.raises(TypeError):
            kind.explain(odd)  # of an object that is not a function


def test_calls_by_every_way(module: ModuleType) -> None:
    assert module.cube.__call__(2.0) == 8
    assert module.cube(*[2.0], **{}) == module.cube(**{"x": 2.0}) == 8
    with pytest.raises(TypeError):
        module.cube(**{1: 2.0})  # type: ignore[misc]


def test_modules_that_are_loaded_again_leave_nothing(folder: Path) -> None:
    path = folder
    before = weakref.ref(tools.load("objects", path).cube)
    gc.collect()
    assert before() is None, "a function outlives its module"

    def blocks() -> int:
        for _ in range(50):
            tools.load("objects", path)
        gc.collect()
        sys._clear_type_cache()
        return sys.getallocatedblocks()

    # Allocations by the rest of the process fluctuate.
    after = [blocks() for _ in range(5)]
    assert min(after[4] - after[3], after[3] - after[2], after[2] - after[1]) < 25, after


def test_a_function_outlives_its_module(folder: Path) -> None:
    cube = tools.load("objects", folder).cube
    gc.collect()
    assert cube(2.0) == 8
    assert cube([2.0]).tolist() == [8]
    assert cube.explain(2.0).startswith("cube(x, *, result=None)")
    assert cube.__module__ == "objects"
