"""Child process: eight threads use a module at once, with objects of their own and shared ones.

Argument: the name of an example or a case, whose module is on the path. Prints `done`.
"""

from __future__ import annotations

import importlib
import sys
import tempfile
import threading
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

THREADS, ROUNDS = 8, 10
# So many numbers that the GIL is released for them.
MANY = 6000

Work = Callable[[int, int], None]


def refused(function: Callable[..., object], *arguments: object) -> None:
    """A call that fails, by an exception of any kind."""
    try:
        function(*arguments)
    except Exception:
        return
    raise AssertionError(f"{function} was not refused")


# ---- Examples ----------------------------------------------------------------------------------


def stats(m: Any) -> Work:
    shared = np.arange(float(MANY))

    def work(index: int, round_: int) -> None:
        own = np.full(MANY, float(index))
        own[0] = round_ + 100
        m.standardize(own)
        assert abs(m.mean(own)) < 1e-9
        assert m.mean(shared[::-1]) == shared.mean()
        assert m.minmax(shared) == (0, MANY - 1)
        assert m.cumulative_sum(shared)[-1] == shared.sum()
        assert m.histogram(shared, [0.0, 10.0, MANY]).sum() == MANY
        refused(m.minmax, [])

    return work


def deflate(m: Any) -> Work:
    text = b"the best of times, the worst of times, " * 400
    packed = m.compress(text)
    path = str(Path(tempfile.mkdtemp(), "shared.gz"))
    written = m.File(path, "wb1")
    closers = threading.Barrier(THREADS)

    def work(index: int, round_: int) -> None:
        assert m.decompress(m.compress(text, round_ % 10), len(text)) == text
        assert m.crc32(text) == zlib.crc32(text)
        refused(m.decompress, packed, 10)
        refused(m.File, "nowhere/x")
        if round_ < ROUNDS - 1:
            written.write(text)
            return
        closers.wait()
        written.close()
        refused(written.write, text)
        with m.File(path) as file:
            assert file.read(len(text)) == text

    return work


def fourier(m: Any) -> Work:
    x, y = m.array(256), np.empty(256, complex)
    x[:] = 1
    shared = m.Plan(x, y)

    def work(index: int, round_: int) -> None:
        own, other = m.array(64 + index), np.empty(64 + index, complex)
        own[:] = 1
        with m.Plan(own, other) as plan:
            plan.execute()
            assert "dft" in plan.text()
        assert abs(other[0]) == 64 + index
        shared.execute()
        assert shared.flops()[0] > 0
        refused(m.Plan, own, other[:3])

    return work


def gsl(m: Any) -> Work:
    rng, room = m.Rng(), m.Workspace()
    x = np.linspace(0, 6, 20)
    spline = m.Spline(m.CUBIC, x.size)
    spline.through(x, x)
    at = np.linspace(0, 6, MANY)

    def broken(x: float) -> float:
        return 1 / (x - x)

    def work(index: int, round_: int) -> None:
        rng.gaussian(np.ones(MANY))
        with rng.clone() as own:
            assert own.name() == rng.name()
        inner = m.Workspace()
        area, _ = m.integrate(lambda y: m.integrate(lambda x: x, 0, y, inner)[0], 0, 1, room)
        assert abs(area - 1 / 6) < 1e-9
        refused(m.integrate, broken, 0, 1, room)
        with m.Solver(m.BRENT) as solver:
            solver.set(lambda x: x - 0.3, 0, 1)
            while solver.high() - solver.low() > 1e-6:
                solver.iterate()
            assert abs(solver.root() - 0.3) < 1e-6
        assert np.allclose(spline.at(at), at)
        refused(spline.at, 7)

    return work


def sqlite(m: Any) -> Work:
    database = m.Database()

    def run(sql: str, *values: object) -> int:
        with database.prepare(sql)[0] as statement:
            for k, value in enumerate(values, 1):
                statement.bind(k, value)
            count = 0
            while statement.step() == m.ROW:
                count += 1
                assert statement.text(1) == f"thread {statement.integer(0)}"
            return count

    run("create table t(who integer, name text)")

    def named(context: Any, values: Any) -> None:
        context.result(f"thread {values[0].integer()}")

    def broken(context: Any, values: Any) -> None:
        raise KeyError

    def work(index: int, round_: int) -> None:
        if round_ == 0:  # SQLite replaces none while a statement runs
            database.create_function(f"named{index}", 1, named)
            database.create_function(f"broken{index}", 1, broken)
        database.on_update(lambda how, database, table, row: None)
        rows: list[Any] = []
        database.exec(f"select named{index}({index})", lambda values, names: rows.append(values))
        assert rows == [[f"thread {index}"]]
        refused(database.exec, f"select broken{index}(1)", rows.append)
        run("insert into t values (?, ?)", index, f"thread {index}")
        assert run("select who, name from t where who = ?", index) == round_ + 1
        refused(database.prepare, "selct 1")
        assert database.changes() >= 0
        with m.Database() as own:
            own.prepare("select 1")[0].step()

    return work


def eigen(m: Any) -> Work:
    a = np.eye(6) + 0.1
    shared = m.Lu(a)
    many = np.tile(a, (300, 1, 1))
    wrong = many.copy()
    wrong[7] = -a

    def work(index: int, round_: int) -> None:
        assert np.allclose(m.solve(a, a[0]), np.linalg.solve(a, a[0]))
        assert np.allclose(shared.solve(a[index % 6]), np.eye(6)[index % 6])
        assert shared.determinant() > 0
        assert m.singular_values(many).shape == (300, 6)
        refused(m.solve, np.ones((6, 6)), a)
        refused(m.cholesky, wrong)

    return work


# ---- Cases -------------------------------------------------------------------------------------


def callbacks(m: Any) -> Work:
    source = m.Source()

    def broken(x: float) -> float:
        raise KeyError(x)

    def work(index: int, round_: int) -> None:
        heard: list[int] = []
        assert abs(m.integrate(lambda x: x * index, 0.0, 1.0) - index / 2) < 1e-12
        # C's own threads call back, while those of Python call C.
        assert m.threads(2, lambda k: k * index) == 100 * index
        refused(m.integrate, broken, 0.0, 1.0)
        refused(m.threads, 2, broken)
        assert m.sort(np.array([3.0, 1.0, 2.0]), lambda a, b: int(b - a)) is None
        assert abs(m.root(lambda x: x - 0.25, 0.0, 1.0) - 0.25) < 1e-9
        m.ode(3, lambda t, y: -y, np.ones(3))
        with m.Source() as own:
            own.listen(lambda source, what: heard.append(what))
            own.tell(index)
            source.listen(lambda source, what: None)
            source.tell(index)
        assert heard == [index, 0]

    return work


def returned_pointers(m: Any) -> Work:
    passed: list[Any] = []
    box = m.Box(100)

    def work(index: int, round_: int) -> None:
        # Another thread drops the last view.
        passed.append(m.range(float(index)))
        passed.append(m.Box(10).data())
        passed.append(box.data()[::2])
        assert m.joined("a", "b") == "ab"
        assert m.grid(index, 3).shape == (index, 3)
        refused(m.broken)
        low, high = m.split(np.arange(float(MANY)))
        assert low.size + high.size == MANY
        del passed[: len(passed) // 2]

    return work


def structs(m: Any) -> Work:
    shared = m.Point(1, 2)

    def work(index: int, round_: int) -> None:
        shared.tag = index
        shared.m[1] = round_
        assert 0 <= shared.copy().tag < THREADS
        assert m.add(shared, m.Point(index)).x == 1 + index
        own = m.Box(shared, shared)
        own.low.x = index
        assert own.low.x == index and m.box(own.low, shared).high.x == 1
        assert m.norm(shared) > 0
        refused(m.norm, 1)

    return work


def struct_arrays(m: Any) -> Work:
    shared = np.zeros(MANY, m.Point.dtype)
    shared["x"] = 1

    def work(index: int, round_: int) -> None:
        assert m.total(shared) == m.total(shared[::-1])
        own = shared[: MANY // 2].copy()
        m.move(own, 1.0)
        m.move(own[::2], 1.0)
        assert own["x"][0] == 3 and own["x"][1] == 2
        assert m.total([m.Point(1, 1), (2, 1, [0, 0])]) == 3

    return work


def cplusplus_library(m: Any) -> Work:
    def work(index: int, round_: int) -> None:
        for what in range(1, 8):
            refused(m.fail, what)
            refused(m.fail_released, what, np.zeros(6)[::2])
        values = np.full(2000, 99)
        values[1000 + index] = 2
        refused(m.fail_each, values)
        assert m.norm(np.ones(MANY)) ** 2 - MANY < 1e-6
        refused(m.check, 9)

    return work


def status_meanings(m: Any) -> Work:
    def work(index: int, round_: int) -> None:
        values = np.full(3000, 2, np.intc)
        assert (m.halves(values) == 1).all()
        values[1000 + index] = -5
        refused(m.halves, values)
        refused(m.parse, 1)
        refused(m.open_file, 2)
        refused(m.lock, 1)
        refused(m.bump_all, np.zeros(MANY)[::2])
        m.bump_all(np.zeros(4)[::2])

    return work


def main() -> None:
    name = sys.argv[1]
    work: Work = globals()[name](importlib.import_module(name))
    failures: list[BaseException] = []
    gate = threading.Barrier(THREADS)

    def body(index: int) -> None:
        gate.wait()
        try:
            for round_ in range(ROUNDS):
                work(index, round_)
        except BaseException as error:  # passed on below
            failures.append(error)

    sys.setswitchinterval(1e-4)
    # Threads of two generations: the second also examines objects of the first.
    for _ in range(1 if name in ("deflate", "sqlite") else 2):
        threads = [threading.Thread(target=body, args=(index,)) for index in range(THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if failures:
            raise failures[0]
    print("done")


if __name__ == "__main__":
    main()
