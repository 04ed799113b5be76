local fp = require 'fishplate'
local m = require 'fragments'
local s = require 'support'

assert(m.mean{1, 2, 6} == 3 and m.mean{} == 0 and m.mean{1e9} == 100)
assert(m.how_often() == 3)
-- `ellipses` is for hosts with batched calls: here a call is one item.
local x = fp.range(0, 2)
m.plus(x)
s.same(x, 'float64', {3}, {1, 3, 5})
s.raises("plus(): argument 'x': wanted a 1-D tensor, got a tensor of float64 and shape {1, 3}", m.plus, x:view{1, 3})
assert(select('#', m.status(1)) == 0)
s.raises('status(): failing returned status 4', m.status, 5)
