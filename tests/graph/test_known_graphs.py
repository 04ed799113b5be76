"""Large graphs that were compiled before are loaded without rewriting and printing them."""

import shutil
from pathlib import Path

import fishplate.graph as g
import numpy as np
import pytest
from fishplate.graph.link import compiled

X = np.linspace(0.5, 1.5, 7)


def chain(x, y, factor=1.5, length=40):
    """`length` times two operations, with a constant that is folded and one that is not."""
    value = x
    for index in range(length):
        value = (value + y) * (factor if index == 3 else 0.5)
    return value + g.constant(np.arange(3.0)).sum()


def linked(factor=1.5, length=40, **options):
    x, y = g.vector("x"), g.vector("y")
    return g.function([x, y], chain(x, y, factor, length), **options)


def wanted(x, y, factor=1.5, length=40):
    value = x
    for index in range(length):
        value = (value + y) * (factor if index == 3 else 0.5)
    return value + 3.0


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """A cache for this test alone."""
    monkeypatch.setenv("FISHPLATE_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def rewrites(monkeypatch):
    """The number of rewrites so far."""
    done = []
    link = compiled.Compiled._link

    def counted(self, graph):
        done.append(self.name)
        return link(self, graph)

    monkeypatch.setattr(compiled.Compiled, "_link", counted)
    return done


def test_a_graph_is_rewritten_once(rewrites):
    first = linked()
    assert len(rewrites) == 1
    second = linked()
    assert len(rewrites) == 1
    np.testing.assert_array_equal(first(X, X), wanted(X, X))
    np.testing.assert_array_equal(second(X, X), wanted(X, X))
    # Asked for, its rewrites, nodes and source are those of the first.
    assert second.explain() == first.explain() and "add, mul" in second.explain()
    assert second.c_source() == first.c_source()
    assert len(rewrites) == 2


def test_errors_name_the_node(rewrites):
    linked()
    second = linked()
    with pytest.raises(ValueError, match="do not broadcast") as caught:
        second(X, X[:3])
    assert "In node 0 of function(): add(x, y)" in caught.value.__notes__[0]
    assert len(rewrites) == 1


def test_other_constants_and_options_are_other_graphs(rewrites):
    linked()
    np.testing.assert_array_equal(linked(2.5)(X, X), wanted(X, X, 2.5))
    for options in ({"exclude": ["fuse"]}, {"exact_math": True}, {"fp_contract": True}):
        before = len(rewrites)
        np.testing.assert_allclose(linked(**options)(X, X), wanted(X, X), rtol=1e-14)
        assert len(rewrites) == before + 1
        linked(**options)
        assert len(rewrites) == before + 1


def test_a_library_that_was_removed_is_compiled_again(cache, rewrites):
    linked()
    for library in list(Path(cache).rglob("graph.so")):
        shutil.rmtree(library.parent)
    before = g.cache_stats()
    np.testing.assert_array_equal(linked()(X, X), wanted(X, X))
    assert g.cache_stats().compiled == before.compiled + 1 and len(rewrites) == 2


def test_a_damaged_entry_is_not_used(cache, rewrites):
    linked()
    for file in list(Path(cache).rglob("constants")):
        file.write_bytes(b"0" * file.stat().st_size)
    np.testing.assert_array_equal(linked()(X, X), wanted(X, X))
    assert len(rewrites) == 2


def test_small_graphs_take_no_entry(cache):
    linked(length=4)
    assert not list(Path(cache).rglob("constants"))
