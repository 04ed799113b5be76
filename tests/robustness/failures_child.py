"""Child process: calls of the cases that fail, with each API call that reports it failing in turn.

Arguments: the folder of a module with faults.c in it, and the case's name. Prints `done`.
"""

from __future__ import annotations

import contextlib
import importlib
import re
import sys
import tracemalloc
import warnings
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import ModuleType, SimpleNamespace

import failures_of_memory
import failures_of_objects
import fault_child
import numpy as np

folder, name = sys.argv[1:]
path = next(Path(folder).glob(f"{name}*.so"))
sys.path.insert(0, folder)
# The module that the interface names is imported, so that only the module's own API calls fail.
importlib.import_module("decimal")
faults = fault_child.Faults(path)
module = fault_child.load_under_faults(name, path, faults)

x = np.array([1.0, 2.0])
strided = np.zeros(6)[::2]
csr = SimpleNamespace(
    format="csr",
    shape=(2, 2),
    indptr=np.int64([0, 1, 2]),
    indices=np.int64([1, 0, 9]),
    data=np.array([1.0, 2, 3]),
)
csc = SimpleNamespace(**{**vars(csr), "format": "csc"})


@cache
def derived(module: object) -> type:
    """A class that overrides virtual methods of the module's."""

    class Derived(module.Shape):
        def area(self) -> float:
            return self.size * 2

        def scaled(self, by: float, times: int) -> float:
            return super().scaled(by, times)

    return Derived


def locked(module: ModuleType) -> object:
    """An archive that cannot be closed."""
    archive = module.Archive()
    archive.lock()
    return archive


def items_of(module: ModuleType) -> object:
    """A list with an item."""
    items = module.List()
    items.add("a", 1)
    return items


def stored(module: ModuleType, data: object) -> object:
    """The array of a box into which `data` was put."""
    box = module.Box()
    box.put(data)
    return box.get().tolist()


CALLS: dict[str, list[tuple[Callable[..., object], tuple[object, ...]]]] = {
    **failures_of_memory.CALLS,
    **failures_of_objects.CALLS,
    "status_meanings": [
        (lambda m: m.plain, (1,)),
        (lambda m: m.plain, (2,)),
        (lambda m: m.plain, (41,)),
        (lambda m: m.half, (5,)),
        (lambda m: m.half, ([2, 3, 5],)),
        (lambda m: m.half, ([2, 3, -5],)),
        (lambda m: m.bump_all, (x,)),
        (lambda m: m.bump_all, (strided,)),
        (lambda m: m.open_file, (2,)),
        (lambda m: m.open_file, ([0, 2],)),
        (lambda m: m.count_each, ([[1.0], [np.nan]],)),
    ],
    "status_messages": [
        (lambda m: m.root, (-1,)),
        (lambda m: m.root, ([1, -4, 9],)),
        (lambda m: m.explained, (-2,)),
        (lambda m: m.Store, ("something",)),
        (lambda m: lambda: m.Store("one").get("b"), ()),
        (lambda m: lambda: m.Store("one").put("too long a key", 1), ()),
        (lambda m: m.powers, (0,)),
        (lambda m: m.powers, (-1,)),
    ],
    "class_status": [
        (lambda m: m.Archive("a").add, (-1,)),
        (lambda m: m.Archive("a").entry, (2,)),
        (lambda m: m.Archive("a").root, ([1, -4],)),
        (lambda m: m.Archive, ("something",)),
        (lambda m: m.Archive, ("nothing",)),
    ],
    "closing": [
        (lambda m: locked(m).close, ()),
        (lambda m: lambda: m.Reader(m.Archive(), 1).close(), ()),
        (lambda m: lambda: m.Stream(0).close(), ()),
        (lambda m: lambda: m.Archive().__exit__(), ()),
        (lambda m: lambda: locked(m).__exit__(), ()),
    ],
    "status_arguments": [
        (lambda m: m.scale, (strided, 0)),
        (lambda m: m.scale_each, ([[1.0], [2.0]], [1, 0])),
        (lambda m: m.root, (-1,)),
        (lambda m: m.root, ([4, 2, -1],)),
        (lambda m: m.Box, (101,)),
        (lambda m: lambda: m.copy(m.Box(3), 1), ()),
        (lambda m: m.powers, (0,)),
    ],
    "cplusplus_library": [
        (lambda m: m.fail, (2,)),
        (lambda m: m.fail, (7,)),
        (lambda m: m.fail_each, ([[99, 2], [3, 99]],)),
        (lambda m: m.fail_released, (2, strided)),
        (lambda m: m.norm, ([np.nan],)),
        (lambda m: m.check, (3,)),
    ],
    "consumed": [
        (lambda m: lambda: m.Node(1).add(m.Node(2)), ()),
        (lambda m: lambda: m.Node(1).try_add(m.Node(2), 1), ()),
        (lambda m: lambda: m.Node(1).try_wrap(1), ()),
        (lambda m: lambda: m.Node(1).try_wrap().sum(), ()),
        (lambda m: lambda: m.Node(1).try_add_all([m.Node(2), m.Node(3)], 1), ()),
        (lambda m: lambda: m.Pair(m.Node(1), [m.Node(2)]).sum(), ()),
        (lambda m: lambda: m.Pair(m.Node(1), [m.Node(2)], 1), ()),
        (lambda m: lambda: m.Pair(m.Node(1), [None]), ()),
    ],
    "destroyed": [
        (lambda m: lambda: (lambda w: w.destroy(w.create(1)))(m.World()), ()),
        (lambda m: lambda: (lambda w, one: w.destroy(one))(m.World(), m.World().create(1)), ()),
        (
            lambda m: (
                lambda: (lambda w, one: (w.find(1), one.remove()))(
                    *(lambda w: (w, w.create(1)))(m.World())
                )
            ),
            (),
        ),
        (lambda m: lambda: (lambda w: w.stop_all([w.play(), w.play()]))(m.World()), ()),
    ],
    "cplusplus_destroyed": [
        (lambda m: lambda: (lambda w: w.destroy(w.create("a")))(m.World()), ()),
        (lambda m: lambda: (lambda w: (w.create_ball("a"), w.destroy(w.at(0))))(m.World()), ()),
        (
            lambda m: lambda: (lambda w: w.destroy_all([w.create("a"), w.create("b")]))(m.World()),
            (),
        ),
        (lambda m: lambda: (lambda w: w.destroy_checked(w.create("a"), True))(m.World()), ()),
    ],
    "retained": [
        (lambda m: lambda: m.Reader().set_data([1.0, 2.0]), ()),
        (lambda m: lambda: m.Reader().set_data(strided), ()),
        (lambda m: lambda: m.Reader().set_data(x, 2), ()),
        (lambda m: lambda: m.Reader().set_text("a"), ()),
        (lambda m: lambda: m.Reader().open_memory(bytearray(3)), ()),
        (lambda m: lambda: m.Reader().set_words(["a", "b"]), ()),
        (lambda m: lambda: m.Reader().set_words(["a"] * 50), ()),
        (lambda m: lambda: m.Reader().option(1, "a"), ()),
        (lambda m: lambda: m.Reader().set_output(2).tolist(), ()),
        (lambda m: lambda: m.Reader().prepare(2), ()),
        (lambda m: lambda: m.Reader().link(m.Reader()), ()),
        (lambda m: lambda: m.Reader().link(None), ()),
        (lambda m: lambda: (lambda r, s: r.link(s) or s.link(r))(m.Reader(), m.Reader()), ()),
        (lambda m: m.watch, ([1.0],)),
        (lambda m: lambda: (m.watch_reader(m.Reader()), m.unwatch()), ()),
    ],
    "shared_data": [
        (lambda m: m.Reader, (print, lambda n: 1)),
        (lambda m: m.Reader, (lambda w: None, lambda n: 0)),
        (lambda m: m.Reader, (lambda w: None, lambda n: 1 / 0)),
        (lambda m: lambda: m.Reader().words(None), ()),
        (lambda m: lambda: m.Reader().ends(lambda one: None), ()),
        (lambda m: lambda: m.Reader().numbers(lambda n: 1, -1), ()),
        (lambda m: lambda: m.Reader().both(lambda w: None), ()),
    ],
    "callback_sizes": [
        (lambda m: lambda: m.euler([1.0, 2.0], lambda t, y: y).tolist(), ()),
        (lambda m: m.euler, ([1.0, 2.0], lambda t, y: y[:1])),
        (lambda m: m.fill, (2, 2, lambda: np.ones((2, 3)))),
        (lambda m: lambda: m.Model(2).apply(lambda x: x.sum(), [1.0, 2.0]), ()),
    ],
    "retained_structs": [
        (
            lambda m: lambda: m.Solver(lambda t, y: (y, 0), [1.0, 2]).step(0, 1, [1.0, 2]).tolist(),
            (),
        ),
        (lambda m: lambda: m.Solver(lambda t, y: (y, 0), strided, lambda t, y: [[1.0]]), ()),
        (lambda m: m.Solver, (lambda t, y: 1 / 0, [1.0], None, "a", 7, 1)),
        (lambda m: m.Solver, (lambda t, y: (y, 0), [1.0], None, "a", 7, 0, 1)),
        (lambda m: m.open, (lambda t, y: (y, 0), strided, None, None, 7, 3)),
        (lambda m: lambda: m.named("a", [1.0], m.named("b", strided)).memory(), ()),
        (lambda m: lambda: m.named("a", []).set_system(lambda t, y: (y, 0), [1.0], None, "a"), ()),
        (lambda m: lambda: m.named("a", []).set_events(None, lambda step, value: 1), ()),
        (lambda m: lambda: m.named("a", []).add_option([1.0], "a"), ()),
        (lambda m: lambda: (m.hook(lambda x: x, [1.0]), m.unhook()), ()),
    ],
    "pointer_arrays": [
        (lambda m: m.join, (["a", "b" * 5],)),
        (lambda m: m.join, (["a" * 5] * 50,)),
        (lambda m: m.join, (["a", 1],)),
        (lambda m: m.join, (3,)),
        (lambda m: m.optional, (None,)),
        (lambda m: lambda: m.weigh([m.Part(1.0)] * 3), ()),
        (lambda m: lambda: m.weigh([m.Part(1.0), m.Part(2.0)] * 30), ()),
        (lambda m: lambda: m.weigh([m.Part(1.0), None]), ()),
        (lambda m: lambda: m.Part(1.0).heavier([m.Part(2.0)]), ()),
        (lambda m: lambda: m.Sum([m.Part(1.0)], ["a"]), ()),
        (lambda m: lambda: m.choose([m.Part(1.0)]), ()),
        (lambda m: m.choose, (["a"],)),
    ],
    "rows": [
        (lambda m: m.sum, (np.ones((3, 4)),)),
        (lambda m: m.sum, (np.ones((40, 4))[::2, 1:],)),
        (lambda m: m.sum, (np.ones((4, 40)).T,)),
        (lambda m: m.sum, ([1.0],)),
        (lambda m: lambda: m.scaled(np.ones((40, 2)), 2.0).tolist(), ()),
        (lambda m: lambda: m.fill(40, 3).tolist(), ()),
        (lambda m: lambda: m.half(40, 2).tolist(), ()),
        (lambda m: m.weighted, (np.ones((40, 2)),)),
        (lambda m: m.weighted, (np.ones((40, 2)), np.ones((2, 40)).T)),
        (lambda m: m.scratch, (50, 2, 1.5)),
        (lambda m: m.amplify, (np.ones((20, 5), np.float32),)),
        (lambda m: m.check, (-np.ones((40, 2)),)),
    ],
    "jagged": [
        (lambda m: m.sum, ([np.ones(3), [1, 2], np.ones(90)[::2]],)),
        (lambda m: m.sum, ([np.ones(3)] * 50,)),
        (lambda m: m.sum, ([np.ones(3), "x"],)),
        (lambda m: m.sum, (3.0,)),
        (lambda m: m.is_at, (0, 0)),
        (lambda m: m.scale, ([np.ones(90)[::2], np.ones(3)], 2.0)),
        (lambda m: m.scale_exactly, ([np.ones(3), np.ones(9)[::2]], 2.0)),
        (lambda m: m.longest, ([np.ones(200, np.int8)],)),
        (lambda m: m.dot, ([[1.0]], [[2.0]])),
        (lambda m: lambda: m.solve([1, 10], [[1, 2], [3]]).tolist(), ()),
        (lambda m: m.solve, ([1, 2, 3], [[1], [2], [3]])),
    ],
    "terminated": [
        (lambda m: m.product, ([2, 3],)),
        (lambda m: m.product, (np.arange(90, dtype=np.int32)[::2],)),
        (lambda m: m.sum, (None,)),
        (lambda m: m.count, ([[1, 2], np.ones(90, np.int16)],)),
        (lambda m: m.count, ([np.ones(3, np.int16)] * 50,)),
        (lambda m: m.count, ([[1], "x"],)),
        (lambda m: m.count, ([[-2]],)),
        (lambda m: m.letters, (["a", "bc"],)),
        (lambda m: lambda: m.Table([[1.0], np.ones(300)]).sum(), ()),
        (lambda m: lambda: m.Table([[1.0]]).set([np.ones(4)] * 30), ()),
    ],
    "unpacked_arrays": [
        (lambda m: lambda: m.summarize(["a"], [[1.0]], [[1, 2]], [0], [1], m.Way.SUM)[1], ()),
        (
            lambda m: (
                lambda: m.summarize(
                    ["a"] * 40, [[1.0]] * 40, np.zeros((40, 2)), [0] * 40, [1] * 40, m.Way.MEAN
                )[1]
            ),
            (),
        ),
        (lambda m: lambda: m.summarize(["a"], [[]], [[0, 0]], [0], [0], m.Way.SUM), ()),
        (lambda m: lambda: m.summarize(["a"], [[1.0]], [[0, 0]], [0, 1], [0], m.Way.SUM), ()),
        (lambda m: lambda: m.weigh([m.Part(1.0), m.Part(2.0)], np.ones((2, 3))), ()),
        (lambda m: m.scale, ([np.ones(90)[::2], np.ones(3)], 2.0)),
        (lambda m: lambda: m.areas([[0, 1], [2]], [[1, 1], [1]]).tolist(), ()),
        (lambda m: m.areas, ([[0, 1], [2]], [[1, 1], [1, 2]])),
    ],
    "any_arrays": [
        (lambda m: m.sum, (np.ones((3, 4), np.int32),)),
        (lambda m: m.sum, (np.ones((40, 40))[::2, ::2],)),
        (lambda m: m.sum, ([[1, 2], [3, 4]],)),
        (lambda m: m.sum, (memoryview(b"abc").cast("b"),)),
        (lambda m: m.sum, (np.ones(3, np.uint16),)),
        (lambda m: m.sum, ("text",)),
        (lambda m: m.digits, (np.ones((2, 3)),)),
        (lambda m: m.digits_of_three, (np.ones((2, 3)),)),
        (lambda m: m.double_inplace, (np.ones((40, 40))[::2, ::2],)),
        (lambda m: m.double_inout, (np.ones(3, np.float32),)),
        (lambda m: lambda: m.doubled([1.5] * 100).tolist(), ()),
        (lambda m: lambda: m.mean([[1, 2], [3, 4]]), ()),
        (lambda m: lambda: m.ramp([2, 3]).tolist(), ()),
        (lambda m: lambda: stored(m, np.arange(6).reshape(2, 3)), ()),
    ],
    "unpacked": [
        (lambda m: m.dot, ([1.0, 2.0], [3.0])),
        (lambda m: m.dot, ("x", [3.0])),
        (lambda m: lambda: m.resample([[1.0, 2.0]] * 3, 2.0)[0].tolist(), ()),
        (lambda m: m.resample, ([[1.0, 2.0]] * 3, 0.5)),
        (lambda m: lambda: m.filter_run([1, 2, 3], 0.5, 2)[0].tolist(), ()),
        (lambda m: m.greet, ("Ada",)),
        (lambda m: m.greet, ("",)),
        (lambda m: lambda: m.value(m.add(m.Counter(1), (0, 9), m.Counter(2))), ()),
        (lambda m: lambda: m.add(m.Counter(1), (3, 9)), ()),
        (lambda m: lambda: m.spaced(0.0, 1.0, 5).tolist(), ()),
        (lambda m: m.spaced, (0.0, 1.0, 1)),
        (lambda m: lambda: m.summarize([3.0, 1.0])[1].tolist(), ()),
        (lambda m: lambda: m.labelled(["a"], [m.Counter(2)]), ()),
    ],
    "integer_handles": [
        (lambda m: m.Node, (2,)),
        (lambda m: m.create, (-1,)),
        (lambda m: m.create, (-2,)),
        (lambda m: m.Texture, (0,)),
        (lambda m: lambda: m.Leaf(m.Node(1), 2).parent(), ()),
        (lambda m: lambda: m.sum(m.Node(1), None), ()),
        (lambda m: lambda: m.Node(1).scaled([1, 2]).tolist(), ()),
        (lambda m: lambda: m.each(lambda node: 1.0), ()),
        (lambda m: m.sum, (0, 0)),
    ],
    "struct_pointers": [
        (lambda m: m.create, (1, 2)),
        (lambda m: m.create, (-1, 2)),
        (lambda m: m.perhaps, (-1, 2)),
        (lambda m: m.split, (2,)),
        (lambda m: m.split, (0.5,)),
        (lambda m: m.split, (100,)),
        (lambda m: m.split, (-2,)),
        (lambda m: m.known, (1,)),
        (lambda m: m.known, (2,)),
    ],
    "stored": [
        (lambda m: m.Number, (2.0,)),
        (lambda m: m.Number, ("x",)),
        (lambda m: m.power, (2.0, 3)),
        (lambda m: m.power, (2.0, -3)),
        (lambda m: lambda: m.divide(m.Number(1), m.Number(2)).value, ()),
        (lambda m: lambda: m.divide(m.Number(1), m.Number(0)), ()),
        (lambda m: lambda: [one.value for one in m.Number(2.5).split()], ()),
        (lambda m: lambda: m.visit(m.Number(2), lambda one: one.value), ()),
        (lambda m: lambda: m.State().copy().update(b"ab"), ()),
        (lambda m: lambda: m.Buffer([1.0]).items.tolist(), ()),
        (lambda m: m.Buffer, ([1.0] * 4,)),
        (lambda m: lambda: m.Cursor(m.Buffer([4.0])).next(), ()),
    ],
    "index_arrays": [
        (lambda m: lambda: m.expand([0, 2, 3]).tolist(), ()),
        (lambda m: m.expand, ([0, 2, 1],)),
        (lambda m: m.gather, (x, [0, 2])),
        (lambda m: m.area, (x, np.uint32([[1, 2, 3]]))),
        (lambda m: m.ends, (np.uint8([]),)),
        (lambda m: lambda: m.Vec(2).set([1.0]), ()),
    ],
    "sparse_matrices": [
        (lambda m: lambda: m.matvec(csr, x).tolist(), ()),
        (lambda m: lambda: m.matvec(csr, x, y=np.zeros(2)).tolist(), ()),
        (lambda m: m.matvec, (csr, x[:1])),
        (lambda m: m.matvec, (csc, x)),
        (lambda m: m.matvec, (x, x)),
        (lambda m: lambda: m.column_sums(csc, 2.0).tolist(), ()),
        (lambda m: m.column_sums, (SimpleNamespace(format="csc", indptr=3),)),
        (lambda m: lambda: m.Matrix(csr).add(csr), ()),
        (lambda m: m.trace_of_product, (csr, 2.0, csr)),
    ],
    "handles": [
        (lambda m: m.Counter, (5,)),
        (lambda m: m.Counter, (-1,)),
        (lambda m: m.open, (3,)),
        (lambda m: m.open, (-3,)),
        (lambda m: m.open, (-99,)),
        (lambda m: lambda: m.Counter(1).next(), ()),
        (lambda m: lambda: m.Counter(1).copy(), ()),
        (lambda m: lambda: m.Counter(1).values(3), ()),
        (lambda m: m.next, (5,)),
        (lambda m: lambda: m.add(m.Counter(1), 5), ()),
        (lambda m: lambda: m.Mark(m.Counter(1)), ()),
        (lambda m: lambda: m.Mark(m.Counter(1)).counter(), ()),
        (lambda m: lambda: m.twin(m.Counter(1)), ()),
        (lambda m: m.style, (10,)),
        (lambda m: m.step, ()),
        (lambda m: m.step, (1,)),
    ],
    "cplusplus_virtual": [
        (lambda m: lambda: m.Shape(2, area=lambda: 5.0).area(), ()),
        (lambda m: lambda: m.total([derived(m)(2)]), ()),
        (lambda m: lambda: derived(m)(2).scaled(2, 3), ()),
        (lambda m: lambda: m.call_accepts(derived(m)(2), "abc", [1.0]), ()),
        (lambda m: lambda: derived(m)("x"), ()),
        (lambda m: lambda: m.total([m.Shape()]), ()),
    ],
    "cplusplus_containers": [
        (lambda m: m.poles, ()),
        (lambda m: m.sort, (["b", "a"],)),
        (lambda m: m.sort, (["b", 1],)),
        (lambda m: m.digits, ([1, None, 300],)),
        (lambda m: m.digits, ([True, np.uint8(3)],)),
        (lambda m: lambda: m.total([[x, [1]], [strided]]), ()),
        (lambda m: m.total, ([[["a"]]],)),
        (lambda m: lambda: m.scaled({"x": [1, 2]}, 2)["x"].tolist(), ()),
        (lambda m: m.scaled, ({1: [1]}, 2)),
        (lambda m: m.inverted, ({"a": 1},)),
        (lambda m: m.kind, (1.5,)),
        (lambda m: m.kind, ([1],)),
        (lambda m: m.kind, ({},)),
        (lambda m: m.summary, (2,)),
        (lambda m: m.ranked, ({"a": 1.0},)),
        (lambda m: m.area, ((1, 2), [[1, 0], [0, 1]])),
        (lambda m: m.area, ((1, 2, 3), [])),
        (lambda m: lambda: [one.tolist() for one in m.bits(2)], ()),
        (lambda m: m.broken, ()),
        (lambda m: m.described, ([[1.0]],)),
        (lambda m: m.described, ({"a": 1},)),
    ],
    "cplusplus_functions": [
        (lambda m: lambda: items_of(m).sum(lambda item: item.weight), ()),
        (lambda m: lambda: items_of(m).longest(lambda item: len(item.name)), ()),
        (lambda m: m.lines, ("a\nb", lambda line, number: True)),
        (lambda m: lambda: m.table(lambda values, index: len(values)), ()),
        (lambda m: lambda: m.values(lambda point, mode, text, numbers: len(numbers)), ()),
    ],
    "cplusplus_sets": [
        (lambda m: m.joined, ({"b", "a"},)),
        (lambda m: m.joined, ({1},)),
        (lambda m: m.kind, ({1},)),
        (lambda m: m.add_next, (frozenset([2**40]),)),
    ],
    "null_results": [
        (lambda m: m.Store, ("nowhere",)),
        (lambda m: m.Store, ("silent",)),
        (lambda m: lambda: m.Store("here").get(7), ()),
        (lambda m: lambda: m.Store("here").plain(7), ()),
        (lambda m: lambda: m.Store("here").copy(0), ()),
        (lambda m: lambda: m.Store("here").copy(1).get(1), ()),
        (lambda m: m.join, ("ab", 3)),
        (lambda m: m.join, ("ab", 4)),
        (lambda m: m.join, ("ab", 5)),
    ],
    "threads": [
        (lambda m: lambda: m.memory(3).tolist(), ()),
        (lambda m: m.text, ()),
        (lambda m: lambda: m.Token().close(), ()),
        (lambda m: lambda: m.Box().part().close(), ()),
    ],
    "enums_of_c": [
        (lambda m: m.next, (1,)),
        (lambda m: m.next, (5,)),
        (lambda m: m.next, ("RED",)),
        (lambda m: m.from_raw, (99,)),
        (lambda m: m.merge, (1, 2)),
        (lambda m: m.merge, (2**40, 1)),
        (lambda m: m.name, (1,)),
        (lambda m: lambda: m.shade(2, x).tolist(), ()),
    ],
    "structs": [
        (lambda m: m.Point, (1, 2, 3, [1, 2, 3])),
        (lambda m: m.Point, (1, 2, 3, [1, 2])),
        (lambda m: m.Point, ("x",)),
        (lambda m: lambda: m.Point(z=1), ()),
        (lambda m: lambda: m.add(m.Point(1), m.Point(2)), ()),
        (lambda m: lambda: m.moved(m.Point(1), 2), ()),
        (lambda m: lambda: m.Point(1).copy(), ()),
        (lambda m: lambda: m.Point(1) == m.Point(1), ()),
        (lambda m: lambda: m.Point(1).__reduce__()[1], ()),
        (lambda m: lambda: m.Point(1).m.tolist(), ()),
        (lambda m: lambda: m.Box().grid.tolist(), ()),
        (lambda m: lambda: m.Box().low.x, ()),
        (lambda m: lambda: m.box(m.Point(), m.Point(1, 1)).z, ()),
        (lambda m: lambda: m.norm(np.zeros(1, m.Point.dtype)[0]), ()),
        (lambda m: m.norm, (1,)),
    ],
    "struct_arrays": [
        (lambda m: lambda: m.total([m.Point(1, 2), (3, 4)]), ()),
        (lambda m: lambda: m.total([(1, 1.5)]), ()),
        (lambda m: lambda: m.total(np.zeros(6, m.Point.dtype)[::2]), ()),
        (lambda m: lambda: m.move(np.zeros(6, m.Point.dtype)[::2], 1), ()),
        (lambda m: lambda: m.moved(np.zeros(3, m.Point.dtype), 1)["x"].tolist(), ()),
        (lambda m: lambda: m.line(3, 1.0)["x"].tolist(), ()),
        (lambda m: lambda: m.line(3, 1.0, y=np.zeros(6, m.Point.dtype)[::2])["x"].tolist(), ()),
        (lambda m: lambda: m.Pair([(1,), (2,)]).of["x"].tolist(), ()),
        (lambda m: m.total, (x,)),
    ],
    "union_members": [
        (lambda m: m.get, (1,)),
        (lambda m: m.get, (2,)),
        (lambda m: lambda: m.get(3)[3].tolist(), ()),
        (lambda m: m.get, (5,)),
        (lambda m: m.get, (7,)),
        (lambda m: m.returned, (2,)),
        (lambda m: lambda: [one.tolist() for one in m.events(4)], ()),
    ],
    "constants": [
        (lambda m: lambda: m.DEFAULT.name(), ()),
    ],
}


def outcome(callee: Callable[..., object], args: tuple[object, ...]) -> tuple[str, str]:
    """The exception of a call, or its result."""
    try:
        # Objects show their addresses.
        return "result", re.sub("0x[0-9a-f]+", "", str(callee(*args)))
    except Exception as error:
        return type(error).__name__, str(error)


def references() -> list[int]:
    return [sys.getrefcount(x), sys.getrefcount(strided)]


def call(callee: Callable[..., object], args: tuple[object, ...], times: int) -> None:
    """Results are not printed: NumPy keeps strings of that."""
    for _ in range(times):
        with contextlib.suppress(Exception):
            callee(*args)


def growth(callee: Callable[..., object], args: tuple[object, ...]) -> int:
    """The bytes of 50 calls, in the best of four spans.

    An allocation that occurs once, in a cache or a table of strings for example, is in one of them.
    """
    tracemalloc.start()
    held = []
    for _ in range(5):
        call(callee, args, 50)
        held.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    return min(after - before for before, after in pairwise(held))


for raises in False, True:
    for find, args in CALLS[name]:
        with warnings.catch_warnings():
            warnings.simplefilter("error" if raises else "ignore")
            callee = find(module)
            wanted, before = outcome(callee, args), references()
            k, fired = 0, ""
            while fired is not None:
                k += 1
                faults.arm(k)
                got = outcome(callee, args)
                fired = faults.disarm()
                # A fault is MemoryError, unless the call recovers from it.
                if got != wanted and (fired is None or got[0] != "MemoryError"):
                    raise AssertionError(f"{fired} (fault {k}) of {callee}: {got}, not {wanted}")
                assert references() == before, f"{fired} (fault {k}) of {callee} keeps references"
            # No memory grows with calls that fail. Python's own tables grow in the first hundreds
            # of calls, sometimes longer; a leak does not end.
            call(callee, args, 300)
            grown = next((g for _ in range(10) if (g := growth(callee, args)) < 200), None)
            assert grown is not None, f"memory grows with {callee} of {args}"
print("done")
