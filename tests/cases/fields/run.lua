local m = require 'fields'
local support = require 'support'
local raises, same = support.raises, support.same

local b = m.Body(5.5, 3)
assert(b.mass == 5.5 and b.id == 3 and b.tag == 7 and b.label == 'earth' and b.code == 'abc')
b.mass = 6
assert(b.mass == 6)
raises('...', function() b.tag = 256 end)
raises("fields.Body: attribute 'id' cannot be set", function() b.id = 4 end)
assert(m.Body(1, 2).label == nil)
local at = b.at
at.x = 9
assert(b.at.x == 1)
b.at = at
assert(b.at.x == 9)
b.spin[2] = 8
assert(b.spin[2] == 8)
same(b.marks, 'float64', {3}, {1, 8, 3})
same(b.table, 'float32', {2, 2}, {1, 2, 3, 4})
b.marks[3] = 5
assert(b.spin[3] == 5)
local bare = m.Body(1, -1)
same(bare.marks, 'float64', {0}, {})
bare.count = 2
raises('...', function() return bare.marks end)
b.only.mass = 2
assert(b.only.mass == 2 and b.other == nil)
local moon = m.Moon(4)
b:set_other(moon)
assert(b.other.mass == 4)
b:close()
raises('...: this Body is closed', function() return b.mass end)
