local fp = require 'fishplate'
local m = require 'untyped'
local s = require 'support'
local raises, same = s.raises, s.same

local x = fp.tensor({1, 2, 3}, 'float32')
assert(m.weighted(x, {1, 10, 100}) == 321)
raises(
  "weighted(): argument 'x': wanted a tensor that casts safely to float32, got a tensor of float64 and shape {3}",
  m.weighted, fp.ones({3}), {1, 10, 100}
)
raises("weighted(): argument 'w': dimension 1 of shape {2} is 2, but n is 3", m.weighted, x, {1, 2})

same(m.halve{1, 3, 5, 7, 9}, 'float64', {2}, {2, 6})
raises('halve(): no samples', m.halve, {})

local a = fp.tensor{{0, 1, 2}, {3, 4, 5}}
same(m.transpose(a), 'float64', {3, 2}, {{0, 3}, {1, 4}, {2, 5}})
local b = fp.ones({2, 3})
m.add(a, b)
same(b, 'float64', {2, 3}, {{1, 2, 3}, {4, 5, 6}})

assert(m.shift(4) == 5 and m.shift(4, 10) == 14)
assert(m.manhattan(m.Cell{x = 3, y = -4}) == 7)
same(m.count_up(4), 'int32', {4}, {0, 1, 2, 3})

same(m.negate{1, -2}, 'int16', {2}, {-1, 2})
assert(m.far{3, 4} == 25 and m.far({3, 4}, 2) == 50)
assert(m.sum_rows{{1, 2}, {3}} == 6)
same(m.make(3), 'int32', {3}, {0, 1, 2})
