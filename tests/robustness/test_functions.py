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

import fishplate
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
    assert repr(inside.cube) == "<built-in function cube>"
    assert type(module.cube) is type(len), "the interpreter has a shortcut for these"
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
    assert inspect.signature(module.explain.cube) == signature == inspect.signature(module.op.cube)


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
    "name", ["__name__", "__doc__", "__qualname__", "signature", "explain", "new"]
)
def test_nothing_can_be_set(module: ModuleType, name: str) -> None:
    with pytest.raises(AttributeError):
        setattr(module.cube, name, "other")
    with pytest.raises(AttributeError):
        delattr(module.cube, name)
    with pytest.raises(TypeError):
        setattr(type(module.cube), name, "other")


NAMESPACES = """
[module]
name = "{name}"
headers = ["objects.h"]
[handle.Cell]
ctype = "cell *"
new = "own cell *cell_new(double value)"
free = "cell_free"
[function.Cell.value]
proto = "double cell_value(cell *c, double factor)"
[function.add]
proto = "double cell_add(cell *c, double other)"
[function.{taken}]
proto = "double cube(double x)"
"""
CELLS = (
    HEADER
    + """
#include <stdlib.h>
typedef struct cell { double value; } cell;
static inline cell *cell_new(double value)
{
    cell *c = (cell *)malloc(sizeof(cell));
    if (c != NULL) c->value = value;
    return c;
}
static inline void cell_free(cell *c) { free(c); }
static inline double cell_value(cell *c, double factor) { return c->value * factor; }
static inline double cell_add(cell *c, double other) { return c->value + other; }
"""
)


def cells(tmp_path: Path, name: str, taken: str) -> ModuleType:
    (tmp_path / "objects.h").write_text(CELLS)
    interface = tmp_path / f"{name}.toml"
    interface.write_text(NAMESPACES.format(name=name, taken=taken))
    tools.build(interface, tmp_path / "out")
    return tools.load(name, tmp_path / "out")


def test_methods_are_method_descriptors(tmp_path: Path) -> None:
    m = cells(tmp_path, "cells", "plain")
    assert type(m.Cell.value) is type(m.Cell.add) is type(str.join)
    cell = m.Cell(2.0)
    assert m.Cell.value(cell, 3.0) == cell.value(3.0) == cell.value(factor=3.0) == 6
    assert m.add(cell, 1.0) == m.add(c=cell, other=1.0) == cell.add(1.0) == cell.add(other=1.0) == 3
    bound = cell.value
    del cell
    gc.collect()
    assert bound(1.5) == bound.__self__.value(1.5) == 3
    assert str(inspect.signature(m.Cell.value)) == "(self, /, factor)"
    assert str(inspect.signature(bound)) == "(factor)"
    assert str(inspect.signature(m.add)) == "(c, other)"
    with pytest.raises(TypeError, match=r"Cell.value\(c, factor\) takes 2 positional.*got 21"):
        bound(*range(20))
    with pytest.raises(TypeError, match=r"Cell.value\(c, factor\) got two values for argument 'c'"):
        bound(1.0, c=2)
    with pytest.raises(TypeError, match="unexpected keyword argument 'x19'"):
        bound(**{f"x{k}": 0 for k in range(19, 40)})
    for change in (lambda: setattr(m.Cell, "value", 1), lambda: delattr(m.Cell, "add")):
        with pytest.raises(TypeError, match="immutable"):
            change()


def test_namespaces(tmp_path: Path) -> None:
    """They have the names of the functions, and methods within those of their classes."""
    m = cells(tmp_path, "asked", "plain")
    assert dir(m.explain) == ["Cell", "add", "plain"] == dir(m.op) == dir(m.signature)
    assert dir(m.explain.Cell) == ["add", "value"]
    cell = m.Cell(2.0)
    assert m.signature.add == "(),()->()" == m.signature.Cell.value
    assert m.explain.plain(2.0).startswith("plain(x)\n  calls  double cube(double x)")
    assert m.explain.Cell.value(cell, 2.0) == m.explain.Cell.value(cell, factor=2.0)
    assert "calls  double cell_value" in fishplate.explain(m.plain, 2.0) + m.explain.Cell.value(
        cell, 2
    )
    assert (
        m.explain.Cell.add(cell, 1.0)
        == m.explain.add(cell, 1.0)
        == m.explain.add(c=cell, other=1.0)
    )
    assert m.explain.plain.__wrapped__ is m.plain
    assert m.explain.Cell.value.__wrapped__ is m.Cell.value
    assert repr(m.explain.Cell) == "<asked.explain.Cell>" and repr(m.op) == "<asked.op>"
    assert repr(m.op.Cell.value) == "<asked.op.Cell.value>"
    with pytest.raises(TypeError, match=r"explain.Cell.value\(\) needs the object"):
        m.explain.Cell.value()
    with pytest.raises(TypeError, match="wanted a Cell, got int"):
        m.explain.Cell.value(3, 1.0)
    with pytest.raises(TypeError, match=r"asked.explain is a namespace.*write asked.explain.NAME"):
        m.explain(m.plain, 2.0)
    for odd in ("Cel", "Cell.value", "plai", "plain2", "valu\udc80", ""):
        with pytest.raises((AttributeError, UnicodeEncodeError)):
            getattr(m.explain, odd)
    for member in (m.explain, m.op.plain):
        with pytest.raises(TypeError):
            pickle.dumps(member)
        with pytest.raises(TypeError):
            type(member)()
        with pytest.raises(AttributeError):
            member.new = 1
    assert "self" not in m.__dict__


@pytest.mark.parametrize("taken", ["explain", "op", "signature"])
def test_names_of_the_interface_come_first(tmp_path: Path, taken: str) -> None:
    m = cells(tmp_path, f"taken_{taken}", taken)
    assert getattr(m, taken)(2.0) == 8
    answer = fishplate.signature(m.add), fishplate.explain(m.add, m.Cell(1), 2)
    explain = m.__explain__ if taken == "explain" else m.explain
    assert answer == ("(),()->()", explain.add(m.Cell(1), 2))
    assert (
        f"__{taken}__" in vars(m) and repr(getattr(m, f"__{taken}__")) == f"<taken_{taken}.{taken}>"
    )


def test_the_package_finds_the_namespace(module: ModuleType) -> None:
    assert fishplate.explain(module.cube, 2.0) == module.explain.cube(2.0)
    assert fishplate.signature(module.cube) == module.signature.cube == "()->()"
    for odd in (len, str.join, 3, print, lambda: 0):
        with pytest.raises(TypeError, match=r"explain\(\) wants a function of a module that Fish"):
            fishplate.explain(odd)


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
    assert fishplate.explain(cube, 2.0).startswith("cube(x, *, result=None)")
    assert cube.__module__ == "objects"
