local c = require 'cplusplus_callbacks'
local raises = require 'support'.raises

assert(c.apply(math.sqrt, 4) == 2)
raises('not a number', c.apply, function() return 0 / 0 end, 1)
local good, why = pcall(c.apply, function() error('mine', 0) end, 1)
assert(not good and why == 'mine')
assert(c.each({1, -1, 2}, function(x) return x > 0 end) == 2)

local heard = {}
local source = c.Source()
source:listen(function(what)
  heard[#heard + 1] = what
  return what
end)
assert(source:tell(3) == 3)
raises('nobody hears this', source.tell, source, -1)
source:listen(function() error('deaf', 0) end)
good, why = pcall(source.tell, source, 1)
assert(not good and why == 'deaf')
source:close()
assert(#heard == 2)
