"""Calls of the cases whose strings, lists and arrays C allocates, fills or frees."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType


def words_of(module: ModuleType) -> Callable[[], list[str]]:
    """The words that a reader reads, of two chunks."""

    def read() -> list[str]:
        chunks = ["one two", "three", None]
        reader = module.Reader()
        reader.set(lambda: chunks.pop(0))
        return [reader.word() for _ in range(3)]

    return read


def boxes_of(module: ModuleType) -> Callable[[], tuple[float, float, float]]:
    """Boxes use objects that functions return to their constructor, and later."""

    def use() -> tuple[float, float, float]:
        same = module.Thing(2)
        box = module.Box(lambda: same, 2)
        first = box.value()
        rest = [same, module.Thing(3), None]
        box.set(lambda: rest.pop(0))
        found = [box.next() for _ in range(3)]
        module.watch(lambda: same)
        watched = module.poke()
        module.unwatch()
        return first, sum(found), watched

    return use


CALLS: dict[str, list[tuple[Callable[..., object], tuple[object, ...]]]] = {
    "callback_strings": [
        (lambda m: m.complete, ("a", lambda text, k: f"{text}{k}" if k < 2 else None)),
        (lambda m: m.joined, (lambda k, x: (k < 1, f"{x[0]}"),)),
        (lambda m: m.longest, (3, lambda k: "x" * k)),
        (lambda m: m.longest, (2, lambda k: 5)),
        (lambda m: m.length, (lambda: "é" * 3,)),
        (lambda m: m.lengths, (2, lambda k: "x" * k)),
        (lambda m: m.strictly, (lambda: "yes",)),
        (lambda m: words_of(m), ()),
    ],
    "callback_objects": [
        (lambda m: lambda: m.sum_taken(2, lambda k: m.Thing(k)), ()),
        (lambda m: lambda: m.sum_used(3, lambda k: m.Thing(k)), ()),
        (lambda m: lambda: m.sum_parts(2, lambda k: m.Part(m.Thing(k))), ()),
        (lambda m: m.sum_used, (2, lambda k: 5)),
        (lambda m: lambda: m.choose(m.Thing(1), m.Thing(2), lambda a, both: both[1]), ()),
        (lambda m: lambda: m.joined(lambda k, x: (1 - k, m.Thing(x[0]))), ()),
        (lambda m: lambda: m.sum_nodes(1, lambda k: m.Node(k), lambda k: None), ()),
        (lambda m: boxes_of(m), ()),
    ],
    "filled_lists": [
        (lambda m: lambda: len(m.make(3)), ()),
        (lambda m: lambda: len(m.make(40)), ()),
        (lambda m: m.make, (6, 3)),
        (lambda m: m.make, (4, 9)),
        (lambda m: lambda: [one.value() for one in m.Tree(3).children()], ()),
        (lambda m: lambda: m.sum(m.open_all(3)), ()),
        (lambda m: lambda: m.close_all(m.open_all(3)), ()),
        (lambda m: m.open_all, (6,)),
        (lambda m: m.sum, ([None],)),
    ],
    "filled_strings": [
        (lambda m: m.split, ("three short words",)),
        (lambda m: lambda: m.split("a b c d", code=3), ()),
        (lambda m: lambda: m.split("a b c", code=9), ()),
        (lambda m: lambda: len(m.split("a " * 40, 64)), ()),
        (lambda m: m.days, ()),
        (lambda m: m.lines, (4,)),
        (lambda m: lambda: m.Shelf(3).titles(), ()),
    ],
    "copied_strings": [
        (lambda m: m.sum, ("123456789",)),
        (lambda m: m.double, ("abc",)),
        (lambda m: m.longest, ([str(k) for k in range(100)],)),
        (lambda m: m.longest, (["a", "123456789"],)),
        (lambda m: m.count, (4,)),
        (lambda m: m.total, (["a", "b"],)),
        (lambda m: lambda: m.fill(3)[:3], ()),
        (lambda m: m.fill, (3, -2)),
    ],
    "text_fields": [
        (lambda m: lambda: m.Entry("abc", 1, def_=3), ()),
        (lambda m: m.Entry, ("12345678",)),
        (lambda m: lambda: m.full(4).unit, ()),
        (lambda m: lambda: m.Entry("a").copy() == m.Entry("a"), ()),
        (lambda m: lambda: m.sum([("a",), {"name": "b"}]), ()),
        (lambda m: lambda: m.number(2).tolist(), ()),
        (lambda m: lambda: m.pair(("first",)).first.name, ()),
    ],
    "freed_with_values": [
        (lambda m: m.words, (3, -1)),
        (lambda m: m.words, (3, 1)),
        (lambda m: m.stored, (2,)),
        (lambda m: m.stored, (3,)),
        (lambda m: m.filled, (2,)),
        (lambda m: lambda: m.Pool().ramp(4).sum(), ()),
        (lambda m: lambda: m.Pool().ramp(-1), ()),
        (lambda m: lambda: m.Pool().name("x"), ()),
        (lambda m: lambda: m.either(2, 3, m.Pool()).sum(), ()),
        (lambda m: m.either, (1, -1)),
        (lambda m: lambda: m.squares(4)[1:].sum(), ()),
    ],
}
