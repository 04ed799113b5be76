local m = require 'cplusplus_nested'
local raises = require('support').raises

local named = { 'problem', 'invalid', 'open: No such file or directory', 'int' }
for outer = 1, 3 do
  for inner = 1, 4 do
    for _ = 1, 20 do
      raises(named[outer] .. '; caused by: ' .. named[inner], m.fail, 10 * outer + inner)
      raises(named[outer] .. '; caused by: ' .. named[inner], m.Thing, 10 * outer + inner)
    end
  end
end
raises('problem; caused by: invalid; caused by: problem', m.fail, 121)
raises('problem', m.fail, 1)
raises('nothing in it', m.empty)
assert(not pcall(m.deep, 500))
