local m = require 'cplusplus_shared'
local raises = require('support').raises

local scene, circle = m.Scene(), m.Circle(2)
assert(m.live() == 1 and m.uses(circle) == 2 and scene:add(circle) == 1 and m.uses(circle) == 3)
circle:close()
raises("uses(): argument 'shape': this Shape is closed", m.uses, circle)
assert(m.live() == 1)
local again = scene:at(0)
assert(again:area() == 12 and m.uses(again) == 3)
scene:clear()
assert(m.live() == 1 and again:area() == 12)
again:close()
assert(m.live() == 0 and scene:largest() == nil)

circle = m.Circle(1)
assert(m.name_of(circle) == 'circle' and m.name_of(nil) == 'nothing')
assert(m.total({circle, m.Circle(2)}) == 15)
local first, second = m.both(1)
for _, one in ipairs({m.unique(1), m.raw(2), m.found(3), m.grown(circle, 3), first, second}) do
  assert(m.uses(one) == 2)
  scene:add(one)
  one:close()
end
raises('the radius is negative', m.Circle, -1)
local node = m.Node(1)
node:link(m.Node(2))
assert(node:itself():sum() == 3 and node:reference():sum() == 3)
raises('an argument is a part of another object, and no std::shared_ptr owns it', node.link, node, m.spare())
scene:close()
circle, first, second = nil, nil, nil
collectgarbage()
collectgarbage()
assert(m.live() == 0)
