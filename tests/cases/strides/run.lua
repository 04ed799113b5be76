local fp = require 'fishplate'
local m = require 'strides'
local s = require 'support'

local x = fp.range(1, 24)
for _, view in ipairs{x, x[{{1, -1, 3}}], x[{{4, 20, 5}}], x[{{-1, 1, -2}}], x[{{1, 1}}], x[{{1, 0}}]} do
  local total = 0
  for value in view:elements() do total = total + value end
  assert(m.sum(view) == total)
end
assert(m.sum{1, 2, 3} == 6)

local a = fp.range(0, 47):view{6, 8}
for _, view in ipairs{a, a[{{}, {1, 5}}], a[{{1, -1, 2}, {3, -1}}], a[{{}, {1, -1, 2}}], a:t(), a[{{2, 2}}],
                      a[{{}, {2, 2}}], a[{{-1, 1, -1}}]} do
  assert(m.corner(view) == view:get(-1, -1))
end

local f = fp.ones({6, 8}, 'float32')
assert(m.step2(f) == 8001 and m.step2(f[{{1, -1, 2}, {1, -1, 3}}]) == 16003)
assert(m.step2(f:t()) == 6001, 'columns lie closer than rows: packed')

s.same(m.ramp(4), 'float64', {4}, {0, 1, 2, 3})
local buffer = fp.full(8, 9)
m.ramp(4, buffer[{{1, -1, 2}}])
s.same(buffer, 'float64', {8}, {0, 9, 1, 9, 2, 9, 3, 9})
m.shift(buffer[{{2, -1, 2}}])
s.same(buffer, 'float64', {8}, {0, 0, 1, 1, 2, 2, 3, 3})
s.raises("shift(): argument 'y': the tensor must be C-contiguous", m.shift, buffer[{{-1, 1, -1}}])

local g = fp.ones{8, 6}:t()
assert(m.columns(g) == 6 and m.columns(g[{{1, 3}}]) == 6 and m.columns(g[{{}, {1, -1, 2}}]) == 12)
assert(m.columns(fp.ones{6, 8}) == 6)
