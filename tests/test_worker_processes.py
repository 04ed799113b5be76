"""Objects of modules are sent to other processes: of `load`, of `inline`, built, and graphs.

Everything is tried by pickle in fresh processes, by `multiprocessing` with each start method, and
on the worker processes of `dask.distributed`.
"""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from compilers import unoptimised

VEC_H = """
#include <math.h>
#include <stddef.h>
typedef struct { double x, y; } point;
enum color { RED = 1, GREEN = 2 };
typedef struct counter counter;
counter *counter_new(int start);
int counter_next(counter *c);
void counter_free(counter *c);
double dot(size_t n, const double *x, const double *y);
double length(const point *p);
enum color turned(enum color c);
"""
VEC_C = """
#include "vec.h"
#include <stdlib.h>
struct counter { int at; };
counter *counter_new(int start) { counter *c = malloc(sizeof *c); c->at = start; return c; }
int counter_next(counter *c) { return c->at++; }
void counter_free(counter *c) { free(c); }
double dot(size_t n, const double *x, const double *y)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}
double length(const point *p) { return sqrt(p->x * p->x + p->y * p->y); }
enum color turned(enum color c) { return c == RED ? GREEN : RED; }
"""
VEC = """
[module]
name      = "vec"
headers   = ["vec.h"]
sources   = ["vec.c"]
libraries = ["m"]

[struct.Point]
ctype  = "point"
fields = "double x, y"

[enum.Color]
ctype  = "enum color"
values = ["RED", "GREEN"]

[handle.Counter]
ctype = "counter *"
new   = "counter *counter_new(int start)"
free  = "counter_free"

[function.Counter.next]
proto = "int counter_next(counter *c)"

[function.length]
proto = "double length(const point *p)"

[function.dot]
proto = "double dot(size_t n, const double x[n], const double y[n])"

[function.turned]
proto = "enum color turned(enum color c)"
"""
TWICE = "double twice(double x) { return 2 * x; }"


@pytest.fixture
def vec(tmp_path: Path) -> Path:
    """The interface of vectors."""
    folder = tmp_path / "a project"
    folder.mkdir()
    for name, text in (("vec.h", VEC_H), ("vec.c", VEC_C), ("vec.toml", VEC)):
        (folder / name).write_text(text)
    return folder / "vec.toml"


@pytest.fixture
def python(tmp_path: Path):
    """python(script, *arguments): runs a script that must pass; returns its output."""

    def run(script: str, *arguments: str | Path, cache: str = "cache", **environment: str) -> str:
        file = tmp_path / "script.py"
        file.write_text("import pickle, sys, fishplate\n" + textwrap.dedent(script))
        own = {"FISHPLATE_CACHE_DIR": str(tmp_path / cache), **environment}
        done = subprocess.run(
            [sys.executable, "-W", "error", file, *arguments],
            env=unoptimised({**os.environ, **own}),
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


# Pickles objects of `vec` and modules of `inline`.
SEND = f"""
    vec = fishplate.load(sys.argv[1])
    twice = fishplate.inline({TWICE!r}).twice
    p = vec.Point(3, 4)
    sent = [vec.dot, twice, p, vec.Color.GREEN, vec.turned, vec.Counter.next, vec]
    with open(sys.argv[2], "wb") as file:
        pickle.dump(sent, file, protocol=int(sys.argv[3]))
"""
RECEIVE = """
    with open(sys.argv[2], "rb") as file:
        dot, twice, p, green, turned, method, vec = pickle.load(file)
    assert dot([1, 2], [3, 4]) == 11 and twice(4) == 8
    assert p == vec.Point(3, 4) and type(p) is vec.Point
    assert green is vec.Color.GREEN and turned(green) is vec.Color.RED
    assert method(vec.Counter(7)) == 7
    # It is all of one module.
    assert dot is vec.dot and method is vec.Counter.next
    print(fishplate.load(sys.argv[1]) is vec)
"""


def test_everything_arrives_in_a_fresh_process(vec, python, tmp_path):
    place = tmp_path / "sent.pickle"
    for protocol in (2, pickle.HIGHEST_PROTOCOL):
        python(SEND, vec, place, str(protocol))
        assert python(RECEIVE, vec, place) == "True\n"


def test_workers_build_missing_modules(vec, python, tmp_path):
    place = tmp_path / "sent.pickle"
    python(SEND, vec, place, "5")
    shutil.rmtree(tmp_path / "cache")
    assert python(RECEIVE, vec, place, cache="another") == "True\n"


def test_workers_load_the_sent_module(vec, python, tmp_path):
    place = tmp_path / "sent.pickle"
    python(SEND, vec, place, "5")
    vec.with_name("vec.c").write_text(VEC_C.replace("sum = 0", "sum = 1000"))
    # The library as it was, not the current one.
    assert python(RECEIVE, vec, place) == "False\n"


REFUSED = """
    try:
        pickle.load(open(sys.argv[1], "rb"))
    except ImportError as error:
        print(error)
"""


@pytest.mark.parametrize("file", ["vec.c", "vec.h"])
def test_changed_sources_do_not_build_old_modules(vec, python, tmp_path, file):
    place, changed = tmp_path / "sent.pickle", vec.with_name(file)
    python(SEND, vec, place, "5")
    shutil.rmtree(tmp_path / "cache")
    changed.write_text(changed.read_text() + "\n")
    output = python(REFUSED, place, cache="another")
    assert output.startswith("module 'vec' was pickled, and cannot be built here as it was")
    assert f"{changed} has changed since" in output
    changed.unlink()
    output = python(REFUSED, place, cache="another")
    assert f"{changed}, of which it was made, cannot be read (No such file or directory)" in output
    assert "FISHPLATE_CACHE_DIR" in output


def test_a_library_that_others_could_write_is_not_loaded(vec, python, tmp_path):
    place = tmp_path / "sent.pickle"
    python(SEND, vec, place, "5")
    for library in (tmp_path / "cache").glob("entries/*/*.so"):
        library.chmod(0o777)
    vec.unlink()
    output = python(REFUSED, place, cache="another")
    assert "cannot be read" in output


def test_handles_do_not_travel(vec, python):
    python(
        """
        vec = fishplate.load(sys.argv[1])
        try:
            pickle.dumps(vec.Counter(1))
        except TypeError as error:
            assert "cannot pickle or copy a vec.Counter" in str(error), error
        else:
            raise AssertionError
        """,
        vec,
    )


def test_copies(vec, python):
    python(
        """
        import copy
        vec = fishplate.load(sys.argv[1])
        p = vec.Point(1, 2)
        assert copy.copy(vec.dot) is copy.deepcopy(vec.dot) is vec.dot
        assert copy.deepcopy({"c": vec.Color.RED})["c"] is vec.Color.RED
        assert copy.deepcopy(p) == p and copy.deepcopy(p) is not p
        assert copy.copy(vec) is vec
        """,
        vec,
    )


POOL = """
    import multiprocessing

    vec = None

    def call(arguments):
        function, values = arguments
        return function(*values)

    if __name__ == "__main__":
        vec = fishplate.load(sys.argv[1])
        twice = fishplate.inline({code!r}).twice
        work = [(vec.dot, ([1, 2], [3, 4])), (twice, (4,)), (vec.length, (vec.Point(3, 4),))] * 3
        with multiprocessing.get_context({method!r}).Pool(2) as pool:
            assert pool.map(call, work) == [11, 8, 5] * 3
"""


def test_pools(vec, python):
    # Python warns of forks in processes with threads; here there are none.
    for method in ("fork", "spawn", "forkserver"):
        python(POOL.format(code=TWICE, method=method), vec)


# ---- Dask ----------------------------------------------------------------------------------------


DASK = """
    import numpy as np

    def main():
        import distributed
        import fishplate.graph as g

        vec = fishplate.load(sys.argv[1])
        sys.path.append(sys.argv[2])
        import built
        twice = fishplate.inline({code!r}).twice
        x, y = g.vector("x"), g.vector("y")
        graph = g.function([x, y], vec.op.dot(x, y) * g.exp(x - x))
        cluster = distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        )
        with cluster, distributed.Client(cluster) as client:
            a = np.arange(3.0)
            assert client.submit(vec.dot, a, a).result() == 5
            assert client.gather(client.map(twice, [1.0, 2.0])) == [2, 4]
            assert client.submit(vec.length, vec.Point(3, 4)).result() == 5
            assert client.submit(vec.turned, vec.Color.RED).result() is vec.Color.GREEN
            # A function of the script's, which names the module.
            turn = lambda p: vec.Point(p.y, vec.dot(a, a))
            assert client.submit(turn, vec.Point(1, 2)).result() == vec.Point(2, 5)
            assert client.submit(built.dot, a, a).result() == 5
            assert client.submit(graph, a, a).result().tolist() == [5, 5, 5]

    if __name__ == "__main__":
        main()
"""


def test_workers_of_dask(vec, python, build, tmp_path):
    pytest.importorskip("distributed")
    interface = vec.with_name("built.toml")
    interface.write_text(VEC.replace('name      = "vec"', 'name      = "built"'))
    done = build(interface.parent, interface.name, tmp_path / "modules")
    assert done.returncode == 0, done.stderr
    python(
        "import warnings\nwarnings.simplefilter('default')\n"
        + textwrap.dedent(DASK).format(code=TWICE),
        vec,
        tmp_path / "modules",
        PYTHONPATH=os.pathsep.join([os.environ["PYTHONPATH"], str(tmp_path / "modules")]),
    )
