import cplusplus_aliases as m
from support import raises, same

assert m.length([1, 4]) == 3 and m.lengths({"a": [0, 2], "b": [1]}) == {"a": 2, "b": 0}
raises(ValueError, "a path has points", m.length, [])
raises(ValueError, "a path has points", m.lengths, {"a": []})
raises(TypeError, "lengths(): argument 'all.keys()[0]': wanted a str, got int", m.lengths, {1: []})
first, second = m.rows([[1, 2], [3]], lambda x: 2 * x)
same(first, [2.0, 4.0])
same(second, [6.0])
raises(ZeroDivisionError, "...", m.rows, [[0]], lambda x: 1 / x)
assert m.total(2) == 2 and m.total([1, 2]) == 3

root = m.Node("root")
root.name = "top"
assert root.name == "top" and root.path.size == 0
leaf = m.Node("leaf", [1, 5])
root.add(leaf)
root.add(m.Node("other", [0, 1]))
same(root.at(0).path, [1.0, 5.0])
assert [one.name for one in root] == [one.name for one in root.children()] == ["leaf", "other"]
assert m.longest(root.children()).name == "leaf" and m.longest([]) is None
raises(TypeError, "longest(): argument 'nodes[0]': wanted a Node, got str", m.longest, ["a"])
raises(
    TypeError,
    "Node.add(): argument 'node': wanted a Node, got cplusplus_aliases.Shape",
    root.add,
    m.Shape(),
)
raises(IndexError, "...", root.at, 2)


class Wide(m.Shape):
    def outline(self, name):
        return [0, len(name)]


assert m.extent(m.Shape(), "a") == 1 and m.extent(Wide(), "abc") == 3
