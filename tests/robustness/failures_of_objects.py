"""Calls of the cases whose overrides and containers have strings, containers and objects of C++."""

from __future__ import annotations

from collections.abc import Callable

CALLS: dict[str, list[tuple[Callable[..., object], tuple[object, ...]]]] = {
    "cplusplus_overrides": [
        (lambda m: lambda: m.call_name(m.Source(lambda: "f")), ()),
        (lambda m: lambda: m.call_names(m.Source(names=lambda p: [p, "x"]), "p"), ()),
        (lambda m: lambda: m.call_names(m.Source(names=lambda p: [p, 1]), "p"), ()),
        (lambda m: lambda: m.call_columns(m.Source(columns=lambda x: x), {"x": [1.0]})["x"][0], ()),
        (lambda m: lambda: m.call_three(m.Source(three=lambda: (1, "", [1])))[2].tolist(), ()),
        (lambda m: lambda: m.call_extend(m.Source(extend=lambda x: [*x, 1])), ()),
        (lambda m: lambda: m.call_rename(m.Source(rename=lambda name, by: (name, by))), ()),
    ],
    "cplusplus_contained": [
        (lambda m: lambda: [one.size for one in m.boxes(2)], ()),
        (lambda m: lambda: m.shelves(2)["shelf 1"][0].size, ()),
        (lambda m: lambda: len(m.locks(2)), ()),
        (lambda m: lambda: m.largest([1, 2])[0].size, ()),
        (lambda m: lambda: len(m.mixed()), ()),
        (lambda m: lambda: m.copies(m.Node("a"), 2)[1].name, ()),
        (lambda m: lambda: len(m.mixture()), ()),
        (lambda m: lambda: m.close_named({"a": m.Lock(1), "b": None}), ()),
        (lambda m: lambda: m.close_pair((m.Lock(1), [m.Lock(2), 3])), ()),
        (lambda m: lambda: m.close_maybe(m.maybe_lock(2)), ()),
        (lambda m: lambda: m.close_array(m.lock_array()), ()),
    ],
    "cplusplus_returned": [
        (lambda m: lambda: m.call_item(m.Source(item=lambda n: m.Item("x")), 1), ()),
        (lambda m: lambda: m.call_fresh(m.Source(fresh=lambda name: m.Item(name)), "x"), ()),
        (lambda m: lambda: m.call_same(m.Source(same=lambda: m.Item("x"))), ()),
        (lambda m: lambda: m.call_pointers(m.Source(pointers=lambda: [m.Item("x")] * 2)), ()),
        (lambda m: lambda: m.call_node(m.Source(node=lambda x: x), m.Node("x")).name, ()),
        (lambda m: lambda: m.call_owned(m.Source(owned=lambda all: [*all, m.Item("x")]), 2), ()),
        (
            lambda m: lambda: m.call_items(m.Source(items=lambda all: all), [m.Item("x")])[0].name,
            (),
        ),
        (lambda m: lambda: m.call_extend(m.Table(extend=lambda all: [*all, 1])), ()),
        (lambda m: lambda: m.map(m.Item("x"), lambda item: item).name, ()),
        (lambda m: lambda: m.follow(m.Node("x"), lambda node: None).name, ()),
        (lambda m: lambda: m.area(lambda color, all: all), ()),
    ],
}
