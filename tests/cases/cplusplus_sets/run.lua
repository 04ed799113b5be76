local m = require 'cplusplus_sets'
local raises = require('support').raises

assert(m.joined({'b', 'a', 'b'}) == 'a;b;' and m.joined({}) == '')
assert(m.total({1.5, 2, 2}, {1, 1}) == 5.5)
local shared = m.shared({x = {1, 2, 3}, y = {5, 2}}, {2, 3})
assert(#shared.x == 2 and shared.x[2] == 3 and #shared.y == 1)
assert(#m.add_next({4, 1}) == 3 and #m.add_next({}) == 0)
assert(m.kind({1, 2}) == 'set' and m.kind({'a'}) == 'list')

raises("joined(): argument 'words': wanted a list, got string", m.joined, 'ab')
raises("joined(): argument 'words[1]': wanted a string, got 1", m.joined, {1})

local odd = m.Filter(function(of)
  local kept = {}
  for _, one in ipairs(of) do if one % 2 == 1 then kept[#kept + 1] = one end end
  return kept
end)
local got = m.filtered(odd, {3, 2, 1, 3})
assert(got[1] == 1 and got[2] == 3 and #got == 2)
assert(not pcall(m.filtered, m.Filter(function() return 1.5 end), {1}))
