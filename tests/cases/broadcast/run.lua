-- Lua does not support batched calls: a call of a function with `ellipses` is one item.
local fp = require 'fishplate'
local m = require 'broadcast'
local s = require 'support'

assert(m.square(3) == 9 and m.add(1, 2) == 3 and m.times(2) == 8 and m.doubled(2) == 8)
s.same(m.matvec({{1, 2}, {3, 4}}, {1, 1}), 'float64', {2}, {3, 7})
s.same(m.colvec({{1, 2}, {3, 4}}, {1, 1}), 'float64', {2}, {3, 7})
s.same(m.outer({1, 2}, {3, 4}), 'float64', {2, 2}, {{3, 4}, {6, 8}})
assert(m.dot(fp.range(1, 6)[{{1, -1, 2}}], {1, 1, 1}) == 9)
s.raises("square(): argument 'x': wanted a number (float64), got a tensor of float64 and shape {2}", m.square, fp.ones(2))
s.raises('ramp(): ramp returned status 3', m.ramp, 2, -1)
