local m = require 'cplusplus_fields'
local raises = require('support').raises

local p, q = m.Point(1, 2), m.Point(3, 4)
assert((p + q).x == 4 and p == m.Point(1, 2) and p ~= q and (-p).x == -1 and p(10) == 21)
assert((p * 2).y == 4 and (2 * p).y == 4)
p.x = 7
assert(p.x == 7)
local s = m.Shape('square')
assert(s.name == 'square' and s.unit == 'mm' and s.note == nil and s.parent == nil)
s.name = 'circle'
s.weights = {1, 2.5}
assert(s.name == 'circle' and s.weights[2] == 2.5 and #s == 2 and s[1] == 2.5)
raises("cplusplus_fields.Shape: attribute 'unit' cannot be set", function() s.unit = 'm' end)
s.center.x = 3
assert(s.center.x == 3)
