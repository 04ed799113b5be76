local m = require 'consumed'
local raises = require('support').raises

local parent, child = m.Node(1), m.Node(2)
parent:add(child)
assert(child:closed() and parent:sum() == 3 and m.alive() == 2)
raises("Node.sum(): argument 'parent': this Node was consumed: C owns it", child.sum, child)
raises("Node.add(): argument 'child': this Node was consumed: C owns it", parent.add, parent, child)
child:close()
child = nil
collectgarbage()
assert(m.alive() == 2)

local lost = m.Node(4)
raises('Node.add(): cs_add returned status 1', parent.add, parent, lost, 1)
assert(lost:closed() and m.alive() == 2)

local mine = m.Node(8)
raises('Node.try_add(): cs_try_add returned status 7', parent.try_add, parent, mine, 7)
assert(not mine:closed() and mine:sum() == 8)
raises('...', parent.checked_add, parent, mine, 1)
raises('Node.try_wrap(): cs_wrap returned NULL', mine.try_wrap, mine, 1)
assert(mine:sum() == 8)
parent:try_add(mine)
assert(mine:closed() and parent:sum() == 11)
local outer = m.Node(32):try_wrap()
assert(outer:sum() == 32)
outer:close()

local all = {m.Node(0), m.Node(1), m.Node(2)}
raises('Node.try_add_all(): cs_try_add_all returned status 2', parent.try_add_all, parent, all, 2)
assert(all[3]:sum() == 2)
parent:try_add_all(all)
assert(all[1]:closed() and all[3]:closed() and parent:sum() == 14)
local where = "Node.try_add_all(): argument 'children"
raises(where .. "[2]': this Node was consumed: C owns it", parent.try_add_all, parent, {m.Node(0), all[1]})
local twice, used = m.Node(1), 'this Node, which C takes over, is also used elsewhere'
raises(where .. "[1]': " .. used, parent.try_add_all, parent, {twice, twice})
raises(where .. "[2]': " .. used, parent.try_add_all, parent, {m.Node(1), parent})
raises("Node.add(): argument 'child': " .. used, parent.add, parent, parent)
assert(not twice:closed() and not parent:closed() and parent:sum() == 14)
parent:try_add_all{}

local pair = m.Pair(m.Node(1), {m.Node(2), m.Node(3)})
assert(pair:sum() == 6)
raises("Pair(): argument 'first': " .. used, m.Pair, twice, {twice})
assert(twice:sum() == 1)
raises('Pair(): cs_pair returned NULL', m.Pair, twice, {m.Node(1)}, 1)
assert(twice:closed())
pair:close()

parent:add_or_not()
parent:add_or_not(nil)
parent:add_or_not(m.Node(0))

local tree = m.Node(1)
tree:add(m.Node(2))
local inner, mark = tree:child(0), m.Mark(tree)
raises("Node.add(): argument 'child': another object refers to this Node, which C takes over", parent.add, parent, tree)
assert(inner:sum() == 2)
mark:close()
local view = tree:values()
raises("Node.add(): argument 'child': ...views memory of this Node, which ...", parent.add, parent, tree)
view = nil
collectgarbage()
raises("Node.add(): argument 'child': C cannot take over this Node, which the caller does not own", parent.add, parent,
  inner)
parent:add(tree)
assert(tree:closed() and inner:closed() and parent:sum() == 17)

local alone = m.Node(1)
alone:dispose()
raises('...consumed...', alone.dispose, alone)

local during = m.Node(1)
parent:add_calling(during, function()
  assert(during:closed())
  raises('...consumed...', during.sum, during)
  during:close()
  collectgarbage()
end)
local busy, own = m.Node(5), m.Node(6)
raises("Node.add(): argument 'child': " .. used, busy.add_calling, busy, own, function()
  m.Node(0):add(busy)
end)
assert(not busy:closed() and own:closed() and busy:sum() == 11)
raises('...in the callback', busy.add_calling, busy, m.Node(1), function() error('in the callback') end)

parent:close()
busy:close()
parent, child, lost, mine, all, twice, tree, inner, alone, during, busy, own = nil
collectgarbage()
collectgarbage()
assert(m.alive() == 0, m.alive())
