local m = require 'cplusplus_memory'
local support = require('support')

local x = m.make(3)
support.same(x, 'float64', {3}, {0, 1, 2})
assert(m.count() == 1)
assert(m.greet('you') == 'hello you' and m.count() == 1)
for _ = 1, 100 do
  support.raises('less than nothing', m.make, -1)
  support.raises('nobody to greet', m.greet, '')
end
x = nil
collectgarbage()
collectgarbage()
assert(m.count() == 0)
