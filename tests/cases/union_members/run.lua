local m = require 'union_members'
local raises = require('support').raises

-- The member that C has set; others are zero or nil.
for _, get in ipairs {m.get, m.returned} do
  local type, number, text, data, pair = get(1)
  assert(type == 1 and number == 2.5 and text == nil and data == nil and pair[1] == 0)
  type, number, text, data, pair = get(2)
  assert(type == 2 and number == 0 and text == 'text' and data == nil)
  type, number, text, data, pair = get(3)
  assert(number == 0 and text == nil and #data == 3 and data[3] == 7)
  type, number, text, data, pair = get(4)
  assert(number == 0 and text == nil and data == nil and pair[2] == 4)
  type, number, text, data, pair = get(6)
  assert(type == 6 and number == 0 and text == nil and data == nil)
end
collectgarbage()

raises('get(): um_get returned status 5', m.get, 5)
collectgarbage()
collectgarbage()
assert(m.alive() == 0)

local kinds, times, places = m.events(4)
assert(kinds[3] == 2 and times[2] == 1 and times[3] == 0 and places[3][1] == 2 and places[2][2] == 0)
