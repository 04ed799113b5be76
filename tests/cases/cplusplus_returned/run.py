import gc

import cplusplus_returned as m
from support import raises

start = m.count()


class Mine(m.Source):
    """Each method returns objects of Python."""

    def __init__(self):
        super().__init__()
        self.shared = m.Node("shared")
        self.seen = None

    def item(self, n):
        return m.Item(f"item {n}")

    def fresh(self, name):
        return None if name == "none" else m.Special(name)

    def raw(self):
        return m.Item("made in Python")

    def same(self):
        return m.Item("kept")

    def find(self, name):
        return None if name == "none" else m.Item("found " + name)

    def node(self, given):
        self.seen = given
        return self.shared

    def no_node(self):
        return None

    def items(self, given):
        self.seen = given
        return [*reversed(given), m.Item("last")]

    def nodes(self, given):
        return {**given, "shared": self.shared, "none": None}

    def owned(self, given):
        return [*given, m.Item("added"), None]

    def pointers(self):
        return [m.Item("one"), m.Special("two")]


class Mixed(m.Table):
    def visit(self, all):
        self.seen = all
        return "+".join(one.name for one in all)

    def corners(self, given, color):
        self.seen = color
        return [*given, (3, 4), {"x": 5, "y": 6}, m.Point(7, 8)]

    def colors(self, given):
        return {m.Color.red: 1, **given}

    def extend(self, all):
        all[0].name = "changed"
        return [*all, m.Item("more")]

    def either(self, n):
        return n if n < 3 else m.Item(str(n))


source, mine, table, mixed = m.Source(), Mine(), m.Table(), Mixed()
assert m.call_item(source, 3) == "own3" and m.call_item(mine, 3) == "item 3"
assert m.call_fresh(source, "new") == "new" and m.call_fresh(mine, "new") == "special new"
assert m.call_fresh(mine, "none") == "none"
assert m.call_raw(source) == "raw" and m.call_raw(mine) == "made in Python"
assert m.call_same(source) == "mine+" and m.call_same(mine) == "kept+"
assert m.call_find(source, ["mine+", "x"]) == "mine+ none "
assert m.call_find(mine, ["a", "none", "b"]) == "found a none found b "
other = m.Node("other")
assert m.call_node(source, other).name == "other" and m.call_node(mine, other).name == "shared"
assert mine.seen.name == "other"  # a reference of its own, which stays
mine.seen.name = "changed"
assert other.name == "changed"
assert m.call_no_node(mine) and m.call_no_node(source)
assert [one.name for one in m.call_items(mine, [m.Item("a"), m.Item("b")])] == ["b", "a", "last"]
assert [one.name for one in mine.seen] == ["a", "b"]  # copies, which stay
nodes = m.call_nodes(mine, {"x": other})
assert nodes["x"].name == "changed" and nodes["shared"].name == "shared" and nodes["none"] is None
assert m.call_owned(source, 2) == ["given0", "given1"]
assert m.call_owned(mine, 1) == ["given0", "added", "none"]
assert m.call_pointers(source) == "mine+ " and m.call_pointers(mine) == "one special two "
assert m.call_visit(table) == "ab" and m.call_visit(mixed) == "a+b"
raises(ValueError, "...", getattr, mixed.seen[0], "name")  # they were valid during the call
corners = m.call_corners(mixed, [m.Point(1, 2)], m.Color.green)
assert [(one.x, one.y) for one in corners] == [(1, 2), (3, 4), (5, 6), (7, 8)]
assert mixed.seen is m.Color.green and m.call_corners(table, [(1, 2)], None) == []
assert m.call_colors(mixed) == {m.Color.red: 1, m.Color.green: 2}
assert [one.name for one in m.call_extend(mixed)] == ["changed", "more"]
assert [one.name for one in m.call_extend(table)] == ["first", "mine"]
assert m.call_either(mixed, 2) == 2 and m.call_either(mixed, 4).name == "4"

# Owners: a copy leaves the object to Python, C++ takes over what it owns.
item = m.Item("item")
assert m.call_item(m.Source(item=lambda n: item), 1) == "item" and item.name == "item"
taken = m.Source(fresh=lambda name: item)
assert m.call_fresh(taken, "") == "item"
raises(ValueError, "...", getattr, item, "name")
raises(ValueError, "...", m.call_fresh, taken, "")
# An object to which C++ refers exists as long as the object with the override.
keeper, reader = m.Keeper(), m.Source(same=lambda: m.Item("kept"))
keeper.add(reader)
keeper.take()
gc.collect()
assert keeper.name() == "kept"
# An object is retained once, however often it is returned.
one = m.Item("one")
again = m.Source(same=lambda: one)
for _ in range(3):
    m.call_same(again)
assert one.name == "one+++"
# It cannot be taken over while C++ may use it.
raises(RuntimeError, "...", m.call_fresh, m.Source(fresh=lambda name: one), "")
raises(
    ValueError,
    "Source(): argument 'raw' returned 'result': C cannot take over this Item, which the caller does not own",
    m.call_raw,
    m.Source(raw=source.same),
)
# Nor can a part of the object itself be retained by it.
own = m.Source(same=lambda: source.same() and parts[0])
parts = [own.find("mine")]
raises(ValueError, "...", m.call_same, own)
own = parts = None

# Errors.


def fail(*arguments):
    raise LookupError("none")


for name, call, arguments in [
    ("item", m.call_item, (1,)),
    ("fresh", m.call_fresh, ("",)),
    ("raw", m.call_raw, ()),
    ("same", m.call_same, ()),
    ("find", m.call_find, (["a", "b"],)),
    ("node", m.call_node, (other,)),
    ("items", m.call_items, ([m.Item("a")],)),
    ("owned", m.call_owned, (2,)),
    ("pointers", m.call_pointers, ()),
]:
    raises(LookupError, "none", call, m.Source(**{name: fail}), *arguments)
wanted = "Source(): argument 'item' returned 'result': wanted a Item, got int"
raises(TypeError, wanted, m.call_item, m.Source(item=lambda n: n), 1)
wanted = "Source(): argument 'item' returned 'result': wanted a Item, got None"
raises(TypeError, wanted, m.call_item, m.Source(item=lambda n: None), 1)
wanted = "Source(): argument 'node' returned 'result': wanted a Node, got None"
raises(TypeError, wanted, m.call_node, m.Source(node=lambda given: None), other)
wanted = (
    "Source(): argument 'items' returned 'result[1]': wanted a Item, got cplusplus_returned.Node"
)
raises(TypeError, wanted, m.call_items, m.Source(items=lambda all: [*all, other]), [m.Item("a")])
wanted = "Table(): argument 'corners' returned 'result[0]': "
raises(TypeError, "...", m.call_corners, m.Table(corners=lambda all, color: [1]), [], m.Color.red)
closed = m.Item("closed")
closed.close()
raises(ValueError, "...", m.call_item, m.Source(item=lambda n: closed), 1)
raises(RuntimeError, "...", m.call_owned, m.Source(owned=lambda all: [all[0], all[0]]), 1)

# Functions.
assert m.map(m.Item("a"), lambda item: m.Item(item.name + "!")).name == "a!"
assert m.map(item := m.Item("a"), lambda given: item).name == "a" == item.name
assert [one.name for one in m.map_all([m.Item("a"), m.Item("b")], lambda all: all[::-1])] == [
    "b",
    "a",
]
assert m.join(["a", "b"], lambda sum, one: sum + one + ";") == "a;b;"
assert m.create(3, lambda n: m.Item(str(n))) == "3" and m.create(3, lambda n: None) == "none"
chain = {"a": m.Node("b"), "b": m.Node("c")}
assert m.follow(m.Node("a"), lambda node: chain.get(node.name)).name == "c"
kept = []
assert m.describe(other, kept.append) == "changed"
raises(ValueError, "...", getattr, kept[0], "name")
assert m.area(lambda color, given: [*given, (color.value, 3)]) == 2 + 3
raises(LookupError, "none", m.map, m.Item("a"), fail)
raises(LookupError, "none", m.survives, m.Item("a"), fail)
raises(LookupError, "none", m.join, ["a", "b"], fail)
raises(LookupError, "none", m.create, 1, fail)
wanted = "map(): argument 'f' returned 'result': wanted a Item, got str"
raises(TypeError, wanted, m.map, m.Item("a"), lambda item: "a")
wanted = "join(): argument 'f' returned 'result': wanted a str, got None"
raises(TypeError, wanted, m.join, ["a"], lambda sum, one: None)

# Nothing is left.
mine = mixed = table = source = taken = reader = keeper = again = one = item = closed = nodes = (
    corners
) = None
chain = kept = call = arguments = other = None
gc.collect()
assert m.count() == start, (m.count(), start)
