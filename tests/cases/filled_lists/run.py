import gc

import filled_lists as m
from support import raises

# Objects of the caller, each with a handle of its own.
nodes = m.make(5)
assert [node.value() for node in nodes] == [0, 1, 2, 3, 4] and m.alive() == 5
kept = nodes[3]
del nodes
gc.collect()
assert m.alive() == 1 and kept.value() == 3
del kept
assert m.make(0) == [] and m.alive() == 0
assert [node.value() for node in m.pair()] == [1, 2] and m.alive() == 0

# The objects that C has created are released if it fails.
raises(RuntimeError, "make(): fl_make returned status 3", m.make, 6, 3)
raises(RuntimeError, "make(): argument 'nodes': C returned NULL as item 1", m.make, 4, 9)
count = "make(): argument 'nodes_count': its computed value -1 is out of range for uint64"
raises(OverflowError, count, m.make, -1)
assert m.alive() == 0

# Objects of another object, as many as C has stored.
tree = m.Tree(3)
children = tree.children()
assert [node.value() for node in children] == [0, 10, 20]
assert len(tree.children(2)) == 2 and tree.children(0) == []
tree.close()
assert children[2].value() == 20
raises(RuntimeError, "...", m.Tree(-1).children)

# Objects that are integers.
ids = m.open_all(3)
assert len(ids) == 3 and m.open_ids() == 3 and m.sum(ids) == 3 and m.sum(ids[1:]) == 3
assert m.sum([]) == 0 and m.sum_any(ids) == 3
assert m.sum_any(None) == -1
del ids[0]
assert m.open_ids() == 2
raises(TypeError, "sum(): argument 'ids[1]': wanted a Id, got None", m.sum, [ids[0], None])
raises(TypeError, "...", m.sum, [1])
raises(RuntimeError, "open_all(): fl_open_all returned status 1", m.open_all, 6)
assert m.open_ids() == 2
assert len(m.open_all(5)) == 3
m.close_all(ids)
assert m.open_ids() == 0 and all(one.closed for one in ids)
consumed = "sum(): argument 'ids[0]': this Id was consumed: C owns it"
raises(ValueError, consumed, m.sum, ids)
