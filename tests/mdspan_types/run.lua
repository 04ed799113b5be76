local fp = require 'fishplate'
local m = require 'mdspan_types'
local support = require 'support'
local raises, same = support.raises, support.same

local a = fp.tensor {{0, 1, 2}, {3, 4, 5}}
assert(m.trace(a) == 4 and m.trace(a:t()) == 4 and m.trace {{7}} == 7)
assert(m.corner(a) == 5)
raises("corner(): argument 'a': dimension 1 of shape {3, 2} is 3, but a_rows is 2", m.corner, a:t())
local x = fp.ones({2, 3, 4}, 'float32')
m.scale(x, 3)
assert(x[{2, 3, 4}] == 3 or x[2][3][4] == 3)
assert(m.last {1, 2, 3} == 3 and m.last {} == -1)
same(m.table(), 'int32', {2, 3}, {1, 2, 3, 4, 5, 6})
