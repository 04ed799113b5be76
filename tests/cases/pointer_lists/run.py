import gc

import pointer_lists as m
from support import raises


def alive():
    gc.collect()
    return m.alive()


# Strings are copied, and the array and the strings are freed.
assert m.words("a bc  ü") == ["a", "bc", "ü"] and m.words("") == [] and alive() == 0
assert m.words("x " * 5000) == ["x"] * 5000 and alive() == 0
raises(RuntimeError, "words(): the result: C returned NULL", m.words, "none")
assert m.terminated("a bc") == ["a", "bc"] and m.terminated("") == [] and alive() == 0
assert m.terminated("none") is None
assert m.block("one two") == ["one", "two"] and m.block("") == [] and alive() == 0
assert m.freed_at_once("a b") == ["a", "b"] and alive() == 0
raises(RuntimeError, "freed_at_once(): the result: C returned NULL", m.freed_at_once, "none")
assert m.constants() == ["zero", "eins", "déux"]
assert m.some_constants(2) == ["zero", "eins"] and m.some_constants(0) is None
assert m.some_constants(4) is None
assert m.half(3) == m.half(2) == [] and m.loose() == ["a", "b"] and alive() == 0
raises(RuntimeError, "half(): the result: dimension 0, computed after the call, is -1", m.half, 0)
raises(RuntimeError, "half(): the result: C returned NULL", m.half, 4)

# C's mistakes.
raises(
    RuntimeError, "broken(): the result: dimension 0, computed after the call, is -1", m.broken, 0
)
raises(UnicodeDecodeError, "...broken(): the result: item 1 is no UTF-8", m.broken, 1)
raises(RuntimeError, "broken(): the result: C returned NULL as item 2", m.broken, 2)
assert alive() == 0

# Arguments and fields of structs: if C fails, memory that it has set is freed.
assert m.split("a b", 7) == (["a", "b"], None)
assert m.split("a b", 0) == (["a", "b"], ["zero", "eins", "déux"])
raises(RuntimeError, "...3...", m.split, "a b", 3)
raises(RuntimeError, "split(): argument 'parts': C returned NULL", m.split, "none", 0)
assert m.matches("a b c") == ["a", "b", "c"] and m.matches("") == []
raises(RuntimeError, "...1...", m.matches, "a bad one")
assert alive() == 0

# Objects of the caller.
nodes = m.nodes(3, 3)
assert type(nodes) is list and [m.value(one) for one in nodes] == [0, 1, 2] and alive() == 3
middle = nodes[1]
del nodes
assert alive() == 1 and m.value(middle) == 1
middle.close()
assert alive() == 0 and m.nodes(0, 0) == [] and m.nodes(-1, 0) == []
raises(RuntimeError, "nodes(): the result: C returned NULL", m.nodes, -1, 1)
raises(
    RuntimeError, "nodes(): the result: dimension 0, computed after the call, is -2", m.nodes, 0, -2
)
raises(RuntimeError, "nodes(): the result: C returned NULL as item 13", m.nodes, 20, 20)
assert [m.value(one) for one in m.ended(2)] == [0, 1] and m.ended(-1) is None and m.ended(0) == []
assert len(m.set_nodes(2000, 0)) == 2000
raises(RuntimeError, "...5...", m.set_nodes, 3, 5)
assert alive() == 0

# Objects of another one, which they keep alive.
tree = m.Tree(3)
nodes = m.children(tree)
every = m.all_children(tree)
assert [m.value(one) for one in nodes] == [m.value(one) for one in every] == [0, 1, 2]
del tree
assert alive() == 5
del nodes
assert alive() == 5 and m.value(every[2]) == 2
del every
assert alive() == 0
tree = m.Tree(2)
with tree:
    kept = m.children(tree)
assert alive() == 4 and m.value(kept[0]) == 0
del kept, tree
assert alive() == 0 and m.children(m.Tree(0)) == []
assert [m.value(one) for one in m.shared(3)] == [70, 71, 70] and alive() == 0
