local m = require 'filled_lists'
local support = require 'support'
local collect, raises = support.collect, support.raises

-- Objects of the caller, each with a handle of its own.
local nodes = m.make(5)
assert(#nodes == 5 and nodes[1]:value() == 0 and nodes[5]:value() == 4 and m.alive() == 5)
local kept = nodes[4]
nodes = nil
collect()
assert(m.alive() == 1 and kept:value() == 3)
kept:close()
assert(#m.make(0) == 0 and m.alive() == 0)
local pair = m.pair()
assert(#pair == 2 and pair[2]:value() == 2)
pair = nil
collect()

-- The objects that C has created are released if it fails.
raises('make(): fl_make returned status 3', m.make, 6, 3)
raises("make(): argument 'nodes': C returned NULL as item 2", m.make, 4, 9)
collect()
assert(m.alive() == 0)

-- Objects of another object, as many as C has stored.
local tree = m.Tree(3)
local children = tree:children()
assert(#children == 3 and children[3]:value() == 20)
assert(#tree:children(2) == 2 and #tree:children(0) == 0)
tree:close()
assert(children[3]:value() == 20)

-- Objects that are integers.
local ids = m.open_all(3)
assert(#ids == 3 and m.open_ids() == 3 and m.sum(ids) == 3 and m.sum {ids[2], ids[3]} == 3)
assert(m.sum {} == 0 and m.sum_any(ids) == 3 and m.sum_any() == -1)
raises("sum(): argument 'ids[2]': wanted a Id, got boolean", m.sum, {ids[1], true})
raises('open_all(): fl_open_all returned status 1', m.open_all, 6)
collect()
assert(m.open_ids() == 3)
m.close_all(ids)
assert(m.open_ids() == 0 and ids[1].closed)
