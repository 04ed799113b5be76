local fp = require 'fishplate'
local m = require 'twenty_arguments'
local s = require 'support'
local unpack = table.unpack or unpack

local weight = 0
for n = 1, 13 do weight = weight + n * n end
local function weigh(...)
  local given = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, ...}
  return m.weigh(unpack(given, 1, 13 + select('#', ...)))
end
local x, y = fp.tensor{1, 2}, fp.tensor({3, 4}, 'float32')
local w = fp.zeros(2)
local z, total = weigh(x, y, w)
s.same(z, 'float64', {2}, {4, 6})
s.same(w, 'float64', {2}, {1, 1})
assert(total == weight)
z = weigh(x, y, w, 2, 10)
s.same(z, 'float64', {2}, {15, 18})
local buffer = fp.zeros(2)
z = weigh({1, 2}, {3, 4}, w, 3, nil, buffer)
assert(rawequal(z, buffer))
s.same(z, 'float64', {2}, {6, 10})
s.raises('weigh(a, b, c, d, e, f, g, h, i, j, k, l, m, x, y, w, scale?, shift?, z?) takes 16 to 19 arguments, got 20',
  weigh, x, y, w, 1, 1, x, 1)
s.raises("weigh(...) needs argument 'y'", weigh, x)

local ones = {}
for k = 1, 18 do ones[k] = 1 end
assert(m.either(unpack(ones)) == 35)
ones[19] = 2
assert(m.either(unpack(ones)) == -2035)
