local m = require 'cplusplus_handles'
local raises = require('support').raises

local counter = m.Counter(3)
assert(counter:add(4) == 7 and m.add(counter, 1) == 8 and m.live() == 1)
for _ = 1, 100 do
  raises('a counter starts at 0 or above', m.Counter, -1)
  raises('by nothing', counter.add, counter, 0)
end
assert(m.live() == 1)
counter:close()
assert(m.live() == 0)

-- Destroying an object never raises an error.
m.Counter(13):close()
local _ = m.Counter(13)
_ = nil
collectgarbage()
collectgarbage()
assert(m.live() == 0)
