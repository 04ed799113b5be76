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

-- An operator that returns a reference also sets items.
s[1] = 7
assert(s.weights[2] == 7)
raises('...', function() s[2] = 1 end)
local table = m.Table()
table.name = 'text'
assert(table:item('name') == 'text' and table:item(1).y == 4)
raises('a key is empty', function() table[''] = 'x' end)
local points = m.Points(2)
points[1] = q
points[0].y = 8
assert(points[1] == q and points[0].y == 8)
local fishplate = require 'fishplate'
assert(fishplate.zeros(2) * m.Point(1, 2) == 0)
