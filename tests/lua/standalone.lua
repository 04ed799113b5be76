-- A generated module where the library cannot be found.
local foreign = require 'foreign'
local t = foreign.ones(4)
assert(type(t) == 'userdata' and foreign.total(t) == 4)
for _, use in ipairs{
  function() return t.shape end, function() return #t end, function() return tostring(t) end,
  function() t[1] = 2 end, function() return t == foreign.ones(4) end,
} do
  local ok, said = pcall(use)
  assert(not ok and said:find("module 'fishplate' not found", 1, true), said)
end
