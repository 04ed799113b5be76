local m = require 'cplusplus_contained'
local raises = require('support').raises

local function alive(boxes, nodes)
  collectgarbage()
  collectgarbage()
  local b, n = m.alive()
  assert(b == boxes and n == nodes, b .. ' ' .. n)
end

local boxes = m.boxes(3)
assert(#boxes == 3 and boxes[3].size == 2)
alive(3, 0)
boxes[1]:close()
boxes[2] = nil
alive(1, 0)
boxes = nil
alive(0, 0)
raises('negative', m.boxes, -1)
local made = m.made(3)
alive(3, 0)
made = nil
alive(0, 0)
assert(m.fill(2)[2].size == 1 and #m.names_of(m.boxes(2)) == 2)
assert(m.shelves(3)['shelf 2'][2].size == 1)
local all, count = m.both(2)
assert(all[1].size == 0 and count == 2)
all = nil

assert(m.largest({}) == nil)
assert(m.largest({ 1, 3, 2 })[1].size == 3)
local mixed = m.mixed()
assert(mixed[1] == false and mixed[2] == 1.5 and mixed[3].size == 2 and mixed[4] == 'three')
mixed = nil

local shelf = m.Shelf()
shelf:add(5)
local copies = shelf:all()
shelf = nil
alive(1, 0)
assert(copies[1].size == 5)
copies = nil

local locks = m.locks(2)
assert(locks[1] == false and locks[3].id == 1)
locks = nil

local root = m.Node('root')
root:add(m.Node('a'))
local index = m.index(root)
assert(index[''] == nil and index.a.name == 'a')
index.a.name = 'c'
assert(root.children[1].name == 'c')
root, index = nil, nil
alive(0, 0)
assert(m.constants()[1].name == 'leaf')
local nodes, more = m.mixture()
assert(nodes[1].name == 'one' and nodes[2] == false and more[1].size == 0)
nodes, more = nil, nil
alive(0, 0)

-- C++ takes over the objects of a container of std::unique_ptr, also if it throws.
do
    local raises = require("support").raises
    local all = {m.Lock(1), m.Lock(2)}
    assert(m.close_locks(all) == 3 and m.close_locks({}) == 0 and all[1]:closed() and all[2]:closed())
    raises("too many", m.close_locks, {m.Lock(20)})
    local lock = m.Lock(3)
    local used = "close_locks(): argument 'all[1]': this Lock, which C takes over, is also used elsewhere"
    raises(used, m.close_locks, {lock, lock})
    assert(lock.id == 3)
    -- So do other containers.
    local first = m.Lock(1)
    assert(m.close_named({a = first, b = m.Lock(2)}) == 3 and m.close_named({}) == 0 and first:closed())
    assert(m.close_maybe(m.Lock(4)) == 4 and m.close_maybe(nil) == -1 and m.close_either(3) == -3)
    assert(m.close_pair({m.Lock(1), {m.Lock(2), m.Lock(3)}}) == 6 and m.close_array({m.Lock(3), m.Lock(1)}) == 2)
    raises("close_pair(): argument 'all': this Lock, which C takes over, is also used elsewhere", m.close_pair,
           {lock, {lock}})
    raises("...: wanted a Lock, got 1", m.close_named, {b = 1})
    assert(lock.id == 3 and m.close_named(m.named_locks(2)) == 1 and m.maybe_lock(2).id == 2)
    local one, more = m.lock_pair()
    assert(one.id == 1 and more[1] == false and more[3].id == 1 and m.lock_array()[1].id == 1)
end
