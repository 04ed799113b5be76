local m = require 'cplusplus_virtual'
local raises = require('support').raises

local shape = m.Shape(2, function() return 5 end)
assert(shape:area() == 5 and m.total({shape, m.Square(3)}) == 14 and shape:scaled(2, 3) == 12)
raises('virt::Shape::area is pure virtual, and not overridden', m.total, {m.Shape()})
local square = m.Square(3, nil, function(by, times) return by + times end)
assert(m.call_scaled(square, 2.5, 2) == 4.5 and square:area() == 9)
shape = m.Shape(1, function() error('no area', 0) end)
raises('no area', m.total, {shape, shape})
local accepting = m.Shape(1, nil, nil, nil, nil, function(name, x) return name == 'abc' and x[2] == 7 end)
assert(m.call_accepts(accepting, 'abc', {1, 7}) and not m.call_accepts(accepting, 'ab', {1, 7}))
local scene = m.Scene()
scene:add(m.Shape(1, function() return 2 end))
collectgarbage()
assert(scene:area() == 2)
