local m = require 'invalidates'
local s = require 'support'
local raises, same = s.raises, s.same

local function tree()
  local root = m.Node(0)
  return root, root:add(1), root:add(2), root:add(3)
end

local function nodes()
  for _ = 1, 4 do collectgarbage() end
  return m.nodes()
end

-- The child was freed although there is a view of it, which could not be detected.
local root, a, b, c = tree()
local below = b:add(20)
local taken = root:detach(1)
assert(a:closed() and b:closed() and c:closed() and below:closed() and not root:closed())
raises("Node.value(): argument 'n': this Node is closed", b.value, b)
assert(taken:value() == 2 and taken:child(0):value() == 20)
collectgarbage()
taken:close()
collectgarbage()
collectgarbage()
assert(nodes() == 3 and root:child(1):value() == 3)
root:close()
assert(nodes() == 0)

-- One call may both use and destroy the object.
root, a, b, c = tree()
taken = root:detach_item(b)
assert(b:closed() and taken:value() == 2)
assert(root:detach_item(taken) == nil and not taken:closed())
root, taken, a, b, c = nil, nil, nil, nil, nil
assert(nodes() == 0)

-- Objects that depend on a borrowed object are closed before it; those that depend on the parent are not.
root, a, b, c = tree()
local on_child, on_root, on_below = m.Cursor(a), m.Cursor(root), m.Cursor(a:add(10))
a:close()
root:remove(0)
assert(on_child:closed() and on_below:closed() and not on_root:closed())
assert(on_root:value() == 0)

-- Also if C then fails; not if the call is refused before.
b = root:child(0)
raises('Node.remove(): node_remove returned status 1', root.remove, root, 7)
assert(b:closed())
b = root:child(0)
raises("Node.remove(): argument 'k': wanted an integer from ...", root.remove, root, 'x')
assert(not b:closed())

-- A view of its memory, or of a child's, cannot be closed; an unreachable one is collected.
local values = root:values()
local said = "Node.remove(): argument 'parent': a tensor views memory of this Node, which this call ends"
raises(said, root.remove, root, 0)
same(values, 'float64', {2}, {2, 3})
assert(not b:closed())
values = nil
b:add(5)
values = b:values()
raises("Node.remove(): argument 'parent': a tensor views memory of a borrowed Node, which this call ends", root.remove, root, 0)
assert(b:value() == 2)
values = nil
root:remove(0)
assert(b:closed())

-- In use by a call that the callback is in.
b = root:child(0)
b:add(6)
said = "Node.remove(): argument 'parent': another call uses a borrowed Node, which this call ends"
raises(said, b.each, b, function() root:remove(0) end)
assert(not b:closed() and b:value() == 3)

-- Objects that a callback of the call itself borrows are closed with the call.
root, a, b, c = tree()
local seen
root:remove_calling(0, function() seen = {a:closed(), b:closed(), root:child(0), root:child(1)} end)
assert(seen[1] and seen[2] and seen[3]:closed() and seen[4]:closed())
m.clear()
m.clear(root)
assert(root:child(0) == nil)

-- Many.
local all = {}
for k = 1, 500 do
  local one = root:add(1)
  all[2 * k - 1], all[2 * k] = one, one:add(2)
  m.Cursor(all[2 * k])
  root:remove(0)
end
for _, one in ipairs(all) do assert(one:closed()) end
all, root, a, b, c, seen, on_child, on_root, on_below = nil, nil, nil, nil, nil, nil, nil, nil, nil
assert(nodes() == 0)
